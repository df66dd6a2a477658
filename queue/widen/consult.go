package widen

import (
	"errors"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Reasons why an action about the team is not possible. Others are errors of package queue: ErrSettled, ErrWidened,
// ErrNotDeferred.
var (
	ErrNoTeam      = errors.New("no team")
	ErrAsking      = errors.New("being asked")
	ErrBusy        = errors.New("being stored")
	ErrUnknown     = errors.New("team unknown") // nobody has looked yet whether the team can be reached
	ErrNobodyNamed = errors.New("nobody named")
	ErrNoQuestion  = errors.New("no question") // the team would read something, but not the question itself
	ErrNotWithTeam = errors.New("team unasked")
	ErrSame        = errors.New("the same already") // the question has the wanted state, blocked or parked, already
	ErrNoReason    = errors.New("no reason")
	ErrNoAnswer    = errors.New("no answer")
	ErrNotNow      = errors.New("not now") // the consultation is at another stage
)

// Stage says how far a consultation has come.
type Stage int

// Stages. In all but Idle and Calling the person is asked something about the team; see Question.
const (
	Idle       Stage = iota
	Finding          // it is being found out who would be asked
	Asking           // the person says who is asked, what they read, and what happens until they reply
	Calling          // the agent's question is being sent to the team, and can be answered meanwhile
	Fetching         // the team's discussion is being fetched
	Summing          // the agent sums the discussion up
	Reviewing        // the person says what to do with the proposed answer, or without one
	Editing          // the person writes an answer in place of the proposed one
	Explaining       // the person may say why the answer differs from the team's
	Deferring        // the person says why the decision has to wait
)

// Consult is a consultation: one person's work with the team on one question of an agent. It is a state machine without
// a clock, a network or a goroutine. A frontend creates one for each question and keeps it until the question is gone.
//
//	Begin ─► Finding ─► Asking ─ Ask ─► Calling ─► Idle
//	Fetch ─► Fetching ─► Summing ─► Reviewing ─┬─ Accept ─► ended, or the agent's form
//	                                           ├─ Editing ─► Explaining ─► ended
//	PutOff ────────────────────────────────────┴─ Deferring ─► ended
//
// Where the person is asked something about the team, Question is an ordinary question of a form, and Settle takes the
// answer. Lines have prompts of their own for it, and call the methods that Settle calls.
//
// A frontend first passes the present session to See. Then it calls one method for the person's action, which either
// fails and changes nothing, or returns a Want. The frontend makes the call that the Want describes with Run, outside
// its event loop, and passes the Got to Take, which may return the next Want. At most one call is under way. If Awaits
// returns false for a Want, its call can be stopped, because Take will ignore its Got. Frontends read the fields but do
// not set them.
type Consult struct {
	Session queue.Session // the session that was passed to See last
	Stage   Stage

	Audience                  // who would be asked and what they can read, once that was fetched
	Discussed *Discussion     // the discussion that the person reviews; nil: there was no review here yet
	Candidate queue.Candidate // what the agent says of it: a summary, and the answer that it proposes; zero: nothing
	Final     *string         // the answer that the person wrote in place of the candidate; nil: none
	Picks     bool            // the person picks the option in the form; the summary is sent with the answer
	Fault     error           // why the last action or call failed

	parks   bool         // the person answers other questions until the team replies
	ends    queue.Settle // in Explaining: the answer that is sent once the person has said why
	back    Stage        // in Editing, Explaining and Deferring: the stage to which Leave goes back
	calls   int          // number of calls so far
	current Want         // the call that is under way, else the zero Want
}

// News tells a frontend what happened to a consultation.
type News int

// Kinds of news. All but Closed are results of Take.
const (
	Ignored   News = iota // the Got was not used, or the session ended or was widened elsewhere, which See reports
	Moved                 // the stage changed
	Asked                 // the team was asked
	Regrouped             // the question was blocked or parked
	Failed                // the call failed with Fault; the consultation is in the stage before the call
	Ended                 // the question was answered or deferred
	Closed                // See ended the stage: the question ended or was sent to the team elsewhere
)

// See takes the present session. closed reports that the consultation went back to Idle, because the question is over
// or because somebody else asked the team.
func (c *Consult) See(s queue.Session) (closed bool) {
	c.Session = s
	elsewhere := s.Widen != nil && (c.Stage == Finding || c.Stage == Asking)
	if c.current.Kind == WantEnd || c.Stage == Idle || s.Pending() && !elsewhere {
		return false // Take handles the result of WantEnd
	}
	c.reset()
	return true
}

// Asks reports whether the person is asked something about the team; see Question.
func (c *Consult) Asks() bool { return c.Stage != Idle && c.Stage != Calling }

// Awaits reports whether Take will use the result of a Want. It is false after another call replaced the Want, and
// after the person gave it up.
func (c *Consult) Awaits(w Want) bool { return w.Kind != WantNothing && w.number == c.current.number }

// checkNotBusy fails with ErrAsking or ErrBusy while a call that changes the session is under way. Only its result ends
// such a call: no other call may replace it.
func (c *Consult) checkNotBusy() error {
	switch c.current.Kind {
	case WantAsk:
		return ErrAsking
	case WantRegroup, WantEnd:
		return ErrBusy
	default:
		return nil
	}
}

// beginCall makes w the call that is under way, and returns it with its number and the present session.
func (c *Consult) beginCall(w Want) Want {
	c.calls++
	w.number, w.Session = c.calls, c.Session
	c.current, c.Fault = w, nil
	return w
}

// reset goes back to Idle and forgets the call that is under way.
func (c *Consult) reset() { c.Stage, c.current = Idle, Want{} }

// Verb is one of the methods of a Consult by which the person does something, such as Begin.
type Verb = func(*Consult) (Want, error)

// Try returns what a verb would return. It is carried out on a copy, so it changes nothing.
func (c *Consult) Try(verb Verb) (Want, error) {
	trial := *c
	return verb(&trial)
}

// WhyNot returns the error of a verb, as Try does.
func (c *Consult) WhyNot(verb Verb) error {
	_, err := c.Try(verb)
	return err
}

// checkAskable returns nil if the team can be asked, else the reason.
func (c *Consult) checkAskable() error {
	if err := c.Session.MayWiden(); err != nil {
		return err
	}
	return c.checkNotBusy()
}

// Begin finds out who would be asked, so that the person can say who is. It fails with ErrAsking, ErrBusy or an error
// of Session.MayWiden.
func (c *Consult) Begin() (Want, error) {
	if err := c.checkAskable(); err != nil {
		return Want{}, err
	}
	c.reset()
	c.Stage, c.Audience = Finding, Audience{}
	return c.beginCall(Want{Kind: WantAudience}), nil
}

// Ask asks the team. parks: the person answers other questions until the team replies. It fails with ErrNotNow or
// ErrNobodyNamed, or as Begin does.
func (c *Consult) Ask(call Call, parks bool) (Want, error) {
	if err := c.checkAskable(); err != nil {
		return Want{}, err
	}
	switch {
	case c.Stage != Asking:
		return Want{}, ErrNotNow
	case len(call.Invited) == 0:
		return Want{}, ErrNobodyNamed
	}
	c.Stage, c.parks = Calling, parks
	return c.beginCall(Want{Kind: WantAsk, Call: call}), nil
}

// Leave goes back from what the person is asked about the team, to the review or to the agent's question. It gives up a
// call that fetches something; while the agent sums the discussion up, it shows the review without a summary. It fails
// with ErrNotNow.
func (c *Consult) Leave() (Want, error) {
	switch {
	case c.Stage == Summing:
		c.showReview(c.current.Discussion, queue.Candidate{})
	case c.Stage > Reviewing:
		c.Stage = c.back
	case c.Asks():
		c.reset()
	default:
		return Want{}, ErrNotNow
	}
	return Want{}, nil
}

// Refuse sets Fault to the reason for which an action was refused, so that the frontend can show it until Forget.
func (c *Consult) Refuse(err error) { c.Fault = err }

// Forget clears Fault, unless it is shown beside what the person is asked. A frontend calls it at each key.
func (c *Consult) Forget() {
	if c.Stage == Idle {
		c.Fault = nil
	}
}

// Away goes back to the agent's question, because something else takes the place of what the person was asked. A call
// that sends the question to the team continues.
func (c *Consult) Away() {
	if c.Stage != Calling && c.Stage != Idle {
		c.reset()
	}
}

// checkWithTeam returns nil if the pending question is with the team and no call changes it, else the reason.
func (c *Consult) checkWithTeam() error {
	switch {
	case !c.Session.Pending():
		return queue.ErrSettled
	case c.Session.Widen == nil:
		return ErrNotWithTeam
	}
	return c.checkNotBusy()
}

// Regroup blocks the question, so that the person waits for the team (queue.WidenBlocked), or parks it, so that they
// continue meanwhile (queue.WidenParked). It fails with ErrSame if the question has that state already, or as Fetch
// does.
func (c *Consult) Regroup(state string) (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
	}
	if c.Session.Widen.State == state {
		return Want{}, ErrSame
	}
	c.Away()
	return c.beginCall(Want{Kind: WantRegroup, Do: queue.Regroup{State: state}}), nil
}

// Reviewable reports whether there is a review that Reopen can show without a call.
func (c *Consult) Reviewable() bool { return c.Discussed != nil && c.checkWithTeam() == nil }

// Reopen shows the latest review again. It fails with ErrNotNow.
func (c *Consult) Reopen() (Want, error) {
	if !c.Reviewable() {
		return Want{}, ErrNotNow
	}
	c.reset()
	c.Stage, c.Picks = Reviewing, false
	return Want{}, nil
}

// Fetch fetches the team's discussion and has the agent sum it up, unless the session already has a summary. It fails
// with queue.ErrSettled, ErrNotWithTeam, ErrAsking, ErrBusy or ErrNotNow.
func (c *Consult) Fetch() (Want, error) { return c.fetch(Want{Kind: WantFetch}) }

// FetchAgain does the same as Fetch, but the agent writes a new summary even if the session already has one.
func (c *Consult) FetchAgain() (Want, error) { return c.fetch(Want{Kind: WantFetch, again: true}) }

// fetch begins a call that fetches the discussion.
func (c *Consult) fetch(w Want) (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
	}
	if c.Asks() && c.Stage != Reviewing {
		return Want{}, ErrNotNow
	}
	c.reset()
	c.Stage, c.Picks = Fetching, false
	return c.beginCall(w), nil
}

// Take uses the result of a Want. next is the call that follows, if its kind is not WantNothing.
func (c *Consult) Take(g Got) (next Want, news News) {
	if !c.Awaits(g.Want) {
		return Want{}, Ignored
	}
	c.current = Want{}
	switch {
	case errors.Is(g.Err, queue.ErrSettled), errors.Is(g.Err, queue.ErrFinal):
		return Want{}, Ignored
	case errors.Is(g.Err, queue.ErrWidened):
		c.Stage = Asking // somebody else asked the team, so the next See closes this stage
		return Want{}, Ignored
	case g.Err != nil:
		c.undoStage(g)
		return Want{}, Failed
	}
	switch g.Want.Kind {
	case WantAudience:
		c.Stage, c.Audience = Asking, g.Audience
	case WantAsk:
		c.reset()
		if c.Session = g.Session; c.parks {
			next, _ = c.Regroup(queue.WidenParked)
		}
		return next, Asked
	case WantRegroup:
		c.Session = g.Session
		return Want{}, Regrouped
	case WantFetch:
		return c.sumUp(g), Moved
	case WantSummarise:
		c.showReview(g.Want.Discussion, g.Candidate)
	case WantEnd:
		c.reset()
		return Want{}, Ended
	default:
	}
	return Want{}, Moved
}

// undoStage returns to the stage before the call that failed.
func (c *Consult) undoStage(g Got) {
	c.Fault = g.Err
	switch g.Want.Kind {
	case WantAsk:
		c.Stage = Asking
	case WantFetch, WantSummarise:
		if c.reset(); c.Discussed != nil {
			c.Stage = Reviewing
		}
	case WantAudience:
		c.reset()
	default:
	}
}

// sumUp continues with a discussion that was fetched. It shows the agent's earlier summary if the session has one,
// else it returns the Want for a summary.
func (c *Consult) sumUp(g Got) (next Want) {
	if w := c.Session.Widen; w != nil && w.Candidate != nil && !g.Want.again {
		c.showReview(g.Discussion, *w.Candidate)
		return Want{}
	}
	c.Stage = Summing
	return c.beginCall(Want{Kind: WantSummarise, Discussion: g.Discussion})
}

// showReview shows a review in place of the earlier one. The person's own answer stays.
func (c *Consult) showReview(d Discussion, proposed queue.Candidate) {
	c.reset()
	c.Stage, c.Discussed, c.Candidate = Reviewing, &d, proposed
}

// PutOff asks the person why the decision has to wait. It fails with ErrAsking, ErrBusy or an error of
// Session.MayDefer, or with ErrNotNow.
func (c *Consult) PutOff() (Want, error) {
	if err := c.checkDeferrable(); err != nil {
		return Want{}, err
	}
	if c.Stage == Deferring {
		return Want{}, ErrNotNow
	}
	return c.step(Deferring)
}

// step goes to a stage from which Leave comes back.
func (c *Consult) step(to Stage) (Want, error) {
	if c.Stage < Reviewing {
		c.reset()
	}
	if c.Stage != to {
		c.Stage, c.back = to, min(c.Stage, Reviewing)
	}
	return Want{}, nil
}

// Defer ends the question without an answer. A question that the team has needs a rationale. It fails with ErrNoReason,
// or as PutOff does.
func (c *Consult) Defer(rationale string) (Want, error) {
	if err := c.checkDeferrable(); err != nil {
		return Want{}, err
	}
	if c.Session.Widen != nil && queue.Blank(rationale) {
		return Want{}, ErrNoReason
	}
	return c.beginCall(Want{Kind: WantEnd, Do: queue.Defer{Rationale: rationale, Summary: c.Candidate.Summary}}), nil
}

// checkDeferrable returns nil if the question can be deferred for some reason, else the reason why not.
func (c *Consult) checkDeferrable() error {
	if err := c.Session.MayDefer(); err != nil {
		return err
	}
	return c.checkNotBusy()
}

// Edited sets Final to the text that the person wrote in place of the candidate. A blank text leaves the candidate as
// the answer, except in an interview, where a question may be answered without words.
func (c *Consult) Edited(text string) {
	wanted := c.Session.Origin.Dialect != queue.DialectInterview
	if c.Final = &text; wanted && queue.Blank(text) && !queue.Blank(c.Candidate.Answer) {
		c.Final = nil
	}
}

// Answer returns the text of the answer that would be sent: the person's, else the candidate.
func (c *Consult) Answer() string {
	if c.Final != nil {
		return *c.Final
	}
	return c.Candidate.Answer
}

// Source returns the source of Answer, such as queue.SourceTeam.
func (c *Consult) Source() string {
	switch {
	case c.Final != nil:
		return Source(*c.Final, c.Candidate.Answer)
	case queue.Blank(c.Candidate.Answer):
		return queue.SourceManual
	}
	return queue.SourceTeam
}

// Overrides reports whether the person's answer differs from the team's, so that they are asked for a rationale.
func (c *Consult) Overrides() bool {
	emptied := c.Final != nil && queue.Blank(*c.Final) && !queue.Blank(c.Candidate.Answer)
	return emptied || c.Source() == queue.SourceOwner
}

// Accepts returns what accepting the answer of the review would send, without the summary. picks: it would send nothing
// yet, because the person picks the option in the form first, or confirms there. It fails with ErrNoAnswer.
func (c *Consult) Accepts() (do queue.Settle, picks bool, err error) {
	text := strings.TrimSpace(c.Answer())
	switch interview := c.Session.Origin.Dialect == queue.DialectInterview; {
	case queue.Blank(text) && interview:
		return queue.Settle{Empty: true}, false, nil
	case queue.Blank(text):
		return do, false, ErrNoAnswer
	}
	answer, ok := FinalAnswer(c.Session.Ask, text)
	return queue.Settle{Answer: answer}, !ok || c.Session.Ask.Confirm, nil
}

// Accept resolves the question with the answer of its review; why is the person's reason for an answer that is not the
// team's. Where the person picks the option in the form, or confirms there, it wants nothing: it returns to the
// question, and Picks. The error is ErrNotNow, ErrNoAnswer, or Fetch's.
func (c *Consult) Accept(why string) (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
	}
	do, picks, err := c.Accepts()
	switch {
	case c.Stage < Reviewing:
		return Want{}, ErrNotNow
	case err != nil:
		return Want{}, err
	case picks:
		c.reset()
		c.Picks = true
		return Want{}, nil
	}
	do.Team = c.newResolution(c.Source(), why)
	return c.beginCall(Want{Kind: WantEnd, Do: do}), nil
}

// newResolution returns the team's summary, with the source of the final answer and the person's rationale, as the
// outcome of the question records them.
func (c *Consult) newResolution(source, why string) *queue.Resolution {
	r := &queue.Resolution{Summary: queue.Summary{Text: c.Candidate.Summary, Source: source}}
	if source != queue.SourceTeam {
		r.Rationale = why
	}
	return r
}

// Picked returns the result of the review for the outcome of an answer that the person picked in the form, and their
// rationale if they decide otherwise than the team. It is nil if the answer does not follow a review.
func (c *Consult) Picked(answer queue.Answer, why string) *queue.Resolution {
	if !c.Picks || c.Session.Widen == nil {
		return nil
	}
	return c.newResolution(PickedSource(c.Session.Ask, answer, c.Candidate.Answer), why)
}

// AsksWhy reports whether the person is asked for a rationale before an answer that they picked in the form is sent,
// because the answer differs from the team's. An ask with a confirmation never asks, because the confirmation already
// gives the person time to reconsider.
func (c *Consult) AsksWhy(answer queue.Answer) bool {
	r := c.Picked(answer, "")
	return r != nil && !c.Session.Ask.Confirm && r.Summary.Source == queue.SourceOwner
}

// Explain asks the person why they picked this answer in the form, which differs from the team's (AsksWhy). It fails
// with ErrNotNow, or as Fetch does.
func (c *Consult) Explain(answer queue.Answer) (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
	}
	if !c.AsksWhy(answer) {
		return Want{}, ErrNotNow
	}
	c.ends = queue.Settle{Answer: answer, Team: c.Picked(answer, "")}
	return c.step(Explaining)
}
