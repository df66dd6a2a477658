package widen

import (
	"errors"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Reasons why an action about the team is not possible. Others are errors of package queue: ErrSettled, ErrWidened,
// ErrNotDeferred.
var (
	ErrNoTeam      = errors.New("no team")
	ErrAsking      = errors.New("being asked")
	ErrBusy        = errors.New("being stored")
	ErrUnknown     = errors.New("audience unknown") // the audience was not fetched yet, or could not be
	ErrNobodyNamed = errors.New("nobody named")
	ErrNotWithTeam = errors.New("team unasked")
	ErrSame        = errors.New("the same already") // the question has the wanted state, blocked or parked, already
	ErrNoReason    = errors.New("no reason")
	ErrNoAnswer    = errors.New("no answer")
	ErrNoBefore    = errors.New("no record") // nothing is known of what the agent was doing when it asked
	ErrNotNow      = errors.New("not now")   // the page to which the action belongs is not on view
)

// Stage is the page or the call that a consultation has reached.
type Stage int

// Stages, in their order. In the stages from Fetching on, the team has been asked.
const (
	Idle      Stage = iota // the question itself is on view
	Asking                 // the person fills in the page on which the team is asked; see Part
	Calling                // the question is being sent to the team
	Fetching               // the team's discussion is being fetched
	Summing                // the agent sums the discussion up
	Reviewing              // the person reads the discussion and the candidate
)

// Part is one part of the page on which the person asks the team. Enter asks the team on the last part only; on the
// others it continues with the next part.
type Part int

// Parts, in their order. parts is their number.
const (
	PartNames  Part = iota // the teammates who are asked; the person types LineNames
	PartLetter             // the letter, the text that the teammates will read; see TogglePrompt and ToggleBefore
	PartUntil              // whether the person waits for the reply or answers other questions meanwhile; see Park
	parts
)

// Line is an input line about the team.
type Line int

// The input lines. lines is their number, with NoLine.
const (
	NoLine        Line = iota
	LineNames          // the members of the audience who are asked; empty: all of them
	LineRationale      // why the person's decision differs from the team's; may be empty
	LineDeferral       // why the decision has to wait
	lines
)

// Consult is a consultation: one person's work with the team on one question. It is a state machine without a clock, a
// network or a goroutine. A frontend creates one for each question and keeps it, with the typed texts, until the
// question is gone.
//
//	Begin ─► Asking: names ─ Enter, Turn ─► letter ─ Enter, Turn ─► until they reply ─ Enter ─► Calling ─► Idle
//	Fetch ─► Fetching ─► Summing ─► Reviewing ─ Accept, Open(LineDeferral) and Enter ─► ended, or the form
//
// A frontend first passes the present session to See. Then it calls one method for the person's action, which either
// fails and changes nothing, or returns a Want. The frontend makes the call that the Want describes with Run, outside
// its event loop, and passes the Got to Take, which may return the next Want. At most one call is under way. If Awaits
// returns false for a Want, its call can be stopped, because Take will ignore its Got. Frontends read the fields but do
// not set them.
type Consult struct {
	Session queue.Session // the session that was passed to See last
	Stage   Stage
	Part    Part // part of the page in the stage Asking

	Audience                  // who would be asked, once that was fetched
	Invited    []queue.Member // the people who are asked, according to LineNames
	Unnamed    []string       // names in LineNames that nobody in the audience has; with ByName they are asked too
	WithPrompt bool           // the letter contains the agent's prompt
	WithBefore bool           // the letter contains Before
	Parks      bool           // the person answers other questions until the team replies

	Discussed *Discussion     // the discussion that the person reviews; nil: there was no review here yet
	Candidate queue.Candidate // what the agent says of it: a summary, and the answer that it proposes; zero: nothing
	Final     *string         // the answer that the person wrote in place of the candidate; nil: none
	Picks     bool            // the person picks the option in the form; the summary is sent with the answer
	Fault     error           // why the last action or call failed

	line         Line          // the open input line, except LineNames
	texts        [lines]string // the typed texts, by line
	inBackground bool          // the person left the page during the call; its result is reported but opens no page
	calls        int           // number of calls so far
	current      Want          // the call that is under way, else the zero Want
}

// News tells a frontend what happened to a consultation.
type News int

// Kinds of news. All but Closed are results of Take.
const (
	Ignored   News = iota // the Got was not used, or the session ended or was widened elsewhere, which See reports
	Moved                 // the stage changed, or its page has new content
	Asked                 // the team was asked
	Regrouped             // the question was blocked or parked
	Failed                // the call failed with Fault; the consultation is in the stage before the call
	Ended                 // the question was answered or deferred
	Closed                // See closed the page: the question ended or was sent to the team elsewhere
)

// See takes the present session. closed reports that an open page or line was closed, because the question is over or
// because somebody else asked the team.
func (c *Consult) See(s queue.Session) (closed bool) {
	c.Session = s
	if c.current.Kind == WantEnd { // this call ends the question itself, and Take handles its result
		return false
	}
	if c.Stage == Idle && c.line == NoLine || s.Pending() && (s.Widen == nil || c.Stage != Asking) {
		return false
	}
	c.reset()
	return true
}

// OnPage reports whether a page about the team covers the question.
func (c *Consult) OnPage() bool { return c.Stage != Idle && !c.inBackground }

// Line returns the open input line.
func (c *Consult) Line() Line {
	switch {
	case c.Stage == Asking && c.Part == PartNames:
		return LineNames
	case c.Stage == Idle || c.Stage == Reviewing || c.inBackground:
		return c.line
	}
	return NoLine
}

// Text returns the text that was typed in a line.
func (c *Consult) Text(l Line) string { return c.texts[l] }

// Calls reports whether the question is being sent to the team while the person looks at the question again.
func (c *Consult) Calls() bool { return c.Stage == Calling && c.inBackground }

// Awaits reports whether Take will use the result of a Want. It is false after another call replaced the Want, and
// after the person left its page.
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

// reset brings the question on view, closes the input line and forgets the call that is under way. The texts stay.
func (c *Consult) reset() {
	c.Stage, c.line, c.inBackground, c.current = Idle, NoLine, false, Want{}
}

// Try returns what a verb would return. It is carried out on a copy, so it changes nothing.
func (c *Consult) Try(verb func(*Consult) (Want, error)) (Want, error) {
	trial := *c
	return verb(&trial)
}

// WhyNot returns the error of a verb, as Try does.
func (c *Consult) WhyNot(verb func(*Consult) (Want, error)) error {
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

// Begin opens the page on which the person asks the team. It fails with ErrAsking, ErrBusy or an error of
// Session.MayWiden.
func (c *Consult) Begin() (Want, error) {
	if err := c.checkAskable(); err != nil {
		return Want{}, err
	}
	c.reset()
	c.Stage, c.Part, c.Audience = Asking, PartNames, Audience{}
	c.WithBefore = false // the person adds only what they see on this page
	return c.beginCall(Want{Kind: WantAudience}), nil
}

// Turn moves n parts ahead on the page on which the person asks the team, or back if n is negative. It fails with
// ErrNotNow.
func (c *Consult) Turn(n int) error {
	if c.Stage != Asking {
		return ErrNotNow
	}
	c.Part = (c.Part + parts + Part(n)) % parts
	return nil
}

// TogglePrompt adds the agent's prompt to the letter, or leaves it out again. It fails with ErrNotNow.
func (c *Consult) TogglePrompt() error {
	if c.Stage != Asking || c.Part != PartLetter || queue.Blank(c.Session.Ask.Prompt) {
		return ErrNotNow
	}
	c.WithPrompt = !c.WithPrompt
	return nil
}

// ToggleBefore adds what the agent was doing to the letter, or leaves it out again. It fails with ErrNotNow or
// ErrNoBefore.
func (c *Consult) ToggleBefore() error {
	switch {
	case c.Stage != Asking || c.Part != PartLetter:
		return ErrNotNow
	case c.Before == "":
		return ErrNoBefore
	}
	c.WithBefore = !c.WithBefore
	return nil
}

// BeforeToo returns what the letter contains of Before: all of it, or nothing.
func (c *Consult) BeforeToo() string {
	if c.WithBefore {
		return c.Before
	}
	return ""
}

// Park sets whether the person answers other questions until the team replies. It fails with ErrNotNow.
func (c *Consult) Park(on bool) error {
	if c.Stage != Asking || c.Part != PartUntil {
		return ErrNotNow
	}
	c.Parks = on
	return nil
}

// Type sets the text of the open input line.
func (c *Consult) Type(text string) {
	if l := c.Line(); l != NoLine {
		c.texts[l] = text
		c.applyNames()
	}
}

// applyNames computes Invited and Unnamed from the audience and the typed names.
func (c *Consult) applyNames() {
	c.Invited, c.Unnamed = slices.Clone(c.Members), nil
	if text := c.texts[LineNames]; !queue.Blank(text) {
		if c.Invited, c.Unnamed = Trim(c.Members, text); c.ByName {
			c.Invited = ByName(c.Invited, c.Unnamed)
		}
	}
}

// Cancels reports whether Enter leaves the page and asks nobody, because the person typed that in the line of names.
func (c *Consult) Cancels() bool {
	return c.Line() == LineNames && strings.EqualFold(strings.TrimSpace(c.texts[LineNames]), "cancel")
}

// Sends reports whether Enter asks the team.
func (c *Consult) Sends() bool { return c.Stage == Asking && c.Part == PartUntil }

// Enter carries out the key Enter on the open page or line. On the page on which the team is asked, it continues with
// the next part and asks the team on the last one. In LineDeferral it defers the question, and in LineRationale it
// accepts the answer. It fails with ErrUnknown, ErrNobodyNamed, ErrNoReason or ErrNotNow, or as Begin, Open and Accept
// do.
func (c *Consult) Enter() (Want, error) {
	switch {
	case c.Cancels():
		c.texts[LineNames] = ""
		return Want{}, c.Leave()
	case c.Stage == Asking:
		return c.enterPage()
	case c.Line() == LineRationale:
		return c.Accept()
	case c.Line() != LineDeferral:
		return Want{}, ErrNotNow
	}
	if err := c.checkDeferrable(); err != nil {
		return Want{}, err
	}
	if c.Session.Widen != nil && queue.Blank(c.texts[LineDeferral]) {
		return Want{}, ErrNoReason
	}
	later := queue.Defer{Rationale: c.texts[LineDeferral], Summary: c.Candidate.Summary}
	return c.beginCall(Want{Kind: WantEnd, Do: later}), nil
}

// enterPage is Enter on the page on which the team is asked.
func (c *Consult) enterPage() (Want, error) {
	if c.Part != PartLetter {
		if len(c.Members) == 0 {
			return Want{}, ErrUnknown
		}
		if len(c.Invited) == 0 {
			return Want{}, ErrNobodyNamed
		}
		if err := c.checkAskable(); err != nil {
			return Want{}, err
		}
	}
	if !c.Sends() {
		return Want{}, c.Turn(1)
	}
	c.Stage = Calling
	call := Call{Invited: c.Invited, WithPrompt: c.WithPrompt, Before: c.BeforeToo()}
	return c.beginCall(Want{Kind: WantAsk, Call: call}), nil
}

// Leave closes the open input line, else the page; the typed text stays. A call that sends the question to the team
// continues in the background, and a call that fetches the discussion is given up. While the agent sums the discussion
// up, Leave shows the review without a summary. It fails with ErrNotNow.
func (c *Consult) Leave() error {
	switch {
	case c.line != NoLine && c.Line() == c.line:
		c.line = NoLine
	case !c.OnPage():
		return ErrNotNow
	case c.Stage == Calling:
		c.inBackground = true
	case c.Stage == Summing:
		c.showReview(c.current.Discussion, queue.Candidate{})
	default:
		c.reset()
	}
	return nil
}

// Refuse sets Fault to the reason for which an action was refused, so that the frontend can show it until Forget.
func (c *Consult) Refuse(err error) { c.Fault = err }

// Forget clears Fault, unless an open page shows it. A frontend calls it at each key.
func (c *Consult) Forget() {
	if c.Stage == Idle {
		c.Fault = nil
	}
}

// Away closes any page and line, for example because another page takes their place. A call that sends the question to
// the team continues in the background.
func (c *Consult) Away() {
	if c.line = NoLine; c.Stage == Calling {
		c.inBackground = true
	} else if c.Stage != Idle {
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
func (c *Consult) Reopen() error {
	if !c.Reviewable() {
		return ErrNotNow
	}
	c.reset()
	c.Stage, c.Picks = Reviewing, false
	return nil
}

// Fetch fetches the team's discussion and has the agent sum it up, unless the session already has a summary. It fails
// with queue.ErrSettled, ErrNotWithTeam, ErrAsking or ErrBusy.
func (c *Consult) Fetch() (Want, error) { return c.fetch(Want{Kind: WantFetch}) }

// FetchAgain does the same as Fetch, but the agent writes a new summary even if the session already has one.
func (c *Consult) FetchAgain() (Want, error) { return c.fetch(Want{Kind: WantFetch, again: true}) }

// fetch begins a call that fetches the discussion.
func (c *Consult) fetch(w Want) (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
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
		c.Audience = g.Audience
		c.applyNames()
	case WantAsk:
		c.reset()
		if c.Session = g.Session; c.Parks {
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
		if c.Stage = Asking; c.inBackground {
			c.reset() // the frontend shows the Fault under the title
		}
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

// Open opens the input line LineDeferral or LineRationale. It fails with ErrAsking, ErrBusy or an error of
// Session.MayDefer.
func (c *Consult) Open(l Line) error {
	if err := c.checkDeferrable(); err != nil {
		return err
	}
	c.line = l
	return nil
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

// Acceptance is the effect of accepting the answer of a review.
type Acceptance int

// Effects of accepting.
const (
	AcceptNothing Acceptance = iota // nothing, because there is no answer and the question needs one
	AcceptEmpty                     // the question of an interview ends without words
	AcceptSends                     // the answer is sent
	AcceptPicks                     // the form comes on view, where the person picks the option or confirms
)

// Accepts returns the effect of accepting the answer, and the answer that would be sent.
func (c *Consult) Accepts() (queue.Answer, Acceptance) {
	text := strings.TrimSpace(c.Answer())
	if queue.Blank(text) {
		if c.Session.Origin.Dialect == queue.DialectInterview {
			return queue.Answer{}, AcceptEmpty
		}
		return queue.Answer{}, AcceptNothing
	}
	answer, ok := FinalAnswer(c.Session.Ask, text)
	if !ok || c.Session.Ask.Confirm {
		return answer, AcceptPicks
	}
	return answer, AcceptSends
}

// Accept resolves the question with the answer of its review. Where the person picks the option in the form, or
// confirms there, it wants nothing: it returns to the question, and Picks. The error is ErrNotNow, ErrNoAnswer, or
// Fetch's.
func (c *Consult) Accept() (Want, error) {
	if err := c.checkWithTeam(); err != nil {
		return Want{}, err
	}
	if c.Stage != Reviewing {
		return Want{}, ErrNotNow
	}
	answer, how := c.Accepts()
	switch how {
	case AcceptNothing:
		return Want{}, ErrNoAnswer
	case AcceptPicks:
		c.reset()
		c.Picks = true
		return Want{}, nil
	default:
	}
	return c.beginCall(Want{Kind: WantEnd, Do: queue.Settle{Answer: answer, Team: c.newResolution(c.Source()),
		Empty: how == AcceptEmpty}}), nil
}

// newResolution returns the team's summary, with the source of the final answer and the person's rationale, as the
// outcome of the question records them.
func (c *Consult) newResolution(source string) *queue.Resolution {
	r := &queue.Resolution{Summary: queue.Summary{Text: c.Candidate.Summary, Source: source}}
	if source != queue.SourceTeam {
		r.Rationale = c.texts[LineRationale]
	}
	return r
}

// Picked returns the result of the review for the outcome of an answer that the person picked in the form. It is nil if
// the answer does not follow a review.
func (c *Consult) Picked(answer queue.Answer) *queue.Resolution {
	if !c.Picks || c.Session.Widen == nil {
		return nil
	}
	return c.newResolution(PickedSource(c.Session.Ask, answer, c.Candidate.Answer))
}

// AsksWhy reports whether the person is asked for a rationale before an answer that they picked in the form is sent,
// because the answer differs from the team's. An ask with a confirmation never asks, because the confirmation already
// gives the person time to reconsider.
func (c *Consult) AsksWhy(answer queue.Answer) bool {
	r := c.Picked(answer)
	return r != nil && !c.Session.Ask.Confirm && r.Summary.Source == queue.SourceOwner
}

// TakeWords returns the person's texts about a question that ended without them, and removes them here. A frontend
// stores them elsewhere, so that no typed text is lost.
func (c *Consult) TakeWords() (words []string) {
	written := ""
	if c.Final != nil {
		written = *c.Final
	}
	for _, text := range []string{written, c.texts[LineRationale], c.texts[LineDeferral]} {
		if !queue.Blank(text) {
			words = append(words, text)
		}
	}
	c.Final, c.texts[LineRationale], c.texts[LineDeferral] = nil, "", ""
	return words
}
