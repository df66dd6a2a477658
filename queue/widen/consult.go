package widen

import (
	"errors"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Why nothing is done about the team. Others are the queue's: ErrSettled, ErrWidened, ErrNotDeferred.
var (
	ErrNoTeam      = errors.New("no team")
	ErrAsking      = errors.New("being asked")
	ErrBusy        = errors.New("being stored")
	ErrUnknown     = errors.New("audience unknown") // it is not known yet who would be asked, or whether they can be
	ErrNobodyNamed = errors.New("nobody named")
	ErrNotWithTeam = errors.New("team unasked")
	ErrSame        = errors.New("the same already") // the question is waited for, or parked, as it is
	ErrNoReason    = errors.New("no reason")
	ErrNoAnswer    = errors.New("no answer")
	ErrNotNow      = errors.New("not now") // the page that it belongs to is not on view
)

// Stage says how far a consultation is.
type Stage int

// Stages, in their order. From Fetching on the question is with the team.
const (
	Idle      Stage = iota // the question itself is on view
	Asking                 // the person says who is asked, what they read and what happens until they reply: see Part
	Calling                // they are being asked
	Fetching               // what they said is being fetched
	Summing                // the agent sums it up
	Reviewing              // what came of that
)

// Part is a part of the page on which the team is asked. Enter asks on the last one alone.
type Part int

// Parts, in their order.
const (
	PartNames  Part = iota // who is asked: LineNames is typed
	PartLetter             // what they will read: TogglePrompt
	PartUntil              // what happens until they reply: Park
	parts
)

// Line is a line that is typed about the team.
type Line int

// The lines.
const (
	NoLine        Line = iota
	LineNames          // who is asked, of those who would be; nothing: all of them
	LineRationale      // why the person decided otherwise than the team; may be empty
	LineDeferral       // why the decision has to wait
	lines
)

// Consult is one person's work with the team on one question, as a state machine without a clock, a network or a
// goroutine. A face makes one for each question and keeps it until the question is gone: what was typed is kept too.
//
//	Begin ─► Asking: names ─ Enter, Turn ─► letter ─ Enter, Turn ─► until they reply ─ Enter ─► Calling ─► Idle
//	Fetch ─► Fetching ─► Summing ─► Reviewing ─ Accept, Open(LineDeferral) and Enter ─► ended, or the form
//
// A face tells it first how the question is (See), then calls one verb, which either refuses with an error, having
// changed nothing, or returns a Want. The face carries the Want out with Run, beside its loop, and gives the Got to
// Take, which may return the next Want. At most one call is under way; a Want that is not Awaited any more can be
// stopped, and its Got is not taken. The fields are for reading.
type Consult struct {
	Session queue.Session // as See was told
	Stage   Stage
	Part    Part // while Asking

	Audience   []queue.Member // who would be asked, where Known
	Known      bool           // it was found out
	Invited    []queue.Member // who of them is, by LineNames
	Unnamed    []string       // names in LineNames that nobody in the audience has
	ByName     bool           // those are asked all the same
	WithPrompt bool           // they read the agent's prompt
	Parks      bool           // the person answers other questions until they reply

	Review *CandidateReview // nil: not made here yet
	Final  *string          // what the person wrote in place of its answer; nil: nothing
	Picks  bool             // the option is picked in the form, and the summary is sent too
	Fault  error            // why the last step failed

	line     Line // the line being typed, besides the names
	texts    [lines]string
	fallback *CandidateReview // while the agent sums up: what there is without that
	away     bool             // nobody looks at the call: what comes of it is told and not shown
	calls    int
	under    Want // the call that is under way
}

// News says what a Got has led to.
type News int

// News.
const (
	Ignored   News = iota // it was not taken, or the question ended or went to the team elsewhere: See says so
	Moved                 // the next stage, or what is known there
	Asked                 // the question is with the team
	Regrouped             // it is waited for or parked now
	Failed                // the step failed, see Fault; the consultation is where it was before it
	Ended                 // the question was sent to its end
)

// See tells it how the question is. closed: what the person was doing ended because the question is over, or because
// somebody else asked the team.
func (c *Consult) See(s queue.Session) (closed bool) {
	c.Session = s
	if c.under.Kind == WantEnd { // what comes of that says how it ended
		return false
	}
	if c.Stage == Idle && c.line == NoLine || s.Pending() && (s.Widen == nil || c.Stage != Asking) {
		return false
	}
	c.reset()
	return true
}

// OnPage reports whether it covers the question with a page.
func (c *Consult) OnPage() bool { return c.Stage != Idle && !c.away }

// Line returns the line that is being typed.
func (c *Consult) Line() Line {
	switch {
	case c.Stage == Asking && c.Part == PartNames:
		return LineNames
	case c.Stage == Idle || c.Stage == Reviewing || c.away:
		return c.line
	}
	return NoLine
}

// Text returns what was typed in a line.
func (c *Consult) Text(l Line) string { return c.texts[l] }

// Calls reports whether the team is being asked while the person looks at the question again.
func (c *Consult) Calls() bool { return c.Stage == Calling && c.away }

// Awaits reports whether the result of a Want will be taken.
func (c *Consult) Awaits(w Want) bool { return w.Kind != WantNothing && w.call == c.under.call }

// busy says that a call which changes something is under way: ErrAsking or ErrBusy. Such a call is never abandoned.
func (c *Consult) busy() error {
	switch c.under.Kind {
	case WantAsk:
		return ErrAsking
	case WantRegroup, WantEnd:
		return ErrBusy
	default:
		return nil
	}
}

// call notes that a call for w is under way, and returns w numbered as that call.
func (c *Consult) call(w Want) Want {
	c.calls++
	w.call, w.Session = c.calls, c.Session
	c.under, c.Fault = w, nil
	return w
}

// reset returns to the question, whatever was under way, with no line open. The texts stay.
func (c *Consult) reset() {
	c.goHome()
	c.line = NoLine
}

func (c *Consult) goHome() { c.Stage, c.away, c.fallback, c.under = Idle, false, nil, Want{} }

// MayBegin says why the team is not asked; nil: it can be. Its errors are ErrAsking, ErrBusy and those of
// Session.MayWiden.
func (c *Consult) MayBegin() error {
	if err := c.Session.MayWiden(); err != nil {
		return err
	}
	return c.busy()
}

// Begin opens the page on which the team is asked. The error is MayBegin's.
func (c *Consult) Begin() (Want, error) {
	if err := c.MayBegin(); err != nil {
		return Want{}, err
	}
	c.reset()
	c.Stage, c.Part, c.Known = Asking, PartNames, false
	return c.call(Want{Kind: WantAudience}), nil
}

// Turn goes to the next part of that page, or the one before. The error is ErrNotNow.
func (c *Consult) Turn(n int) error {
	if c.Stage != Asking {
		return ErrNotNow
	}
	c.Part = (c.Part + parts + Part(n)) % parts
	return nil
}

// TogglePrompt has the agent's message go along, or not. The error is ErrNotNow.
func (c *Consult) TogglePrompt() error {
	if c.Stage != Asking || c.Part != PartLetter || queue.Blank(c.Session.Ask.Prompt) {
		return ErrNotNow
	}
	c.WithPrompt = !c.WithPrompt
	return nil
}

// Park says whether the person answers other questions until the team replies. The error is ErrNotNow.
func (c *Consult) Park(on bool) error {
	if c.Stage != Asking || c.Part != PartUntil {
		return ErrNotNow
	}
	c.Parks = on
	return nil
}

// Type takes over the line that is being typed.
func (c *Consult) Type(text string) {
	if l := c.Line(); l != NoLine {
		c.texts[l] = text
		c.name()
	}
}

// name takes over who was typed to be asked.
func (c *Consult) name() {
	c.Invited, c.Unnamed = slices.Clone(c.Audience), nil
	if text := c.texts[LineNames]; !queue.Blank(text) {
		if c.Invited, c.Unnamed = Trim(c.Audience, text); c.ByName {
			c.Invited = ByName(c.Invited, c.Unnamed)
		}
	}
}

// Cancels reports whether Enter leaves the page and asks nobody, because the line of names says so.
func (c *Consult) Cancels() bool { return c.Line() == LineNames && IsCancel(c.texts[LineNames]) }

// MayEnter says why Enter has no effect on what is on view; nil: it has.
func (c *Consult) MayEnter() error {
	switch {
	case c.Cancels():
		return nil
	case c.Stage == Asking && c.Part == PartLetter:
		return nil
	case c.Stage == Asking && !c.Known:
		return ErrUnknown
	case c.Stage == Asking && len(c.Invited) == 0:
		return ErrNobodyNamed
	case c.Stage == Asking:
		return c.MayBegin()
	}
	switch c.Line() {
	case LineDeferral:
		return c.MayDefer()
	case LineRationale:
		return nil
	default:
		return ErrNotNow
	}
}

// Sends reports whether Enter asks the team.
func (c *Consult) Sends() bool { return c.Stage == Asking && c.Part == PartUntil }

// Enter goes to the next part of the page, and on the last one asks the team. In the line of a deferral it defers, in
// that of a rationale it accepts. The error is MayEnter's, or Accept's.
func (c *Consult) Enter() (Want, error) {
	if err := c.MayEnter(); err != nil {
		return Want{}, err
	}
	switch {
	case c.Cancels():
		c.texts[LineNames] = ""
		return Want{}, c.Leave()
	case c.Sends():
		w := Want{Kind: WantAsk, Invited: c.Invited, WithPrompt: c.WithPrompt}
		c.Stage = Calling
		return c.call(w), nil
	case c.Stage == Asking:
		return Want{}, c.Turn(1)
	case c.Line() == LineRationale:
		return c.Accept()
	}
	return c.call(Want{Kind: WantEnd, Do: queue.Defer{Rationale: c.texts[LineDeferral], Summary: c.Summary()}}), nil
}

// Leave returns to the question, or from the line of a reason to what it was opened on; the text stays. Asking the
// team continues then, and fetching ends; while the agent sums up it continues without a summary. The error is
// ErrNotNow.
func (c *Consult) Leave() error {
	switch {
	case c.line != NoLine && c.Line() == c.line:
		c.line = NoLine
	case !c.OnPage():
		return ErrNotNow
	case c.Stage == Calling:
		c.away = true
	case c.Stage == Summing && c.fallback != nil:
		c.review(*c.fallback)
	default:
		c.reset()
	}
	return nil
}

// Refuse keeps why something is not done, for a face that says it in full, until Forget.
func (c *Consult) Refuse(err error) { c.Fault = err }

// Forget forgets at a key what had gone wrong before it, unless a page shows it.
func (c *Consult) Forget() {
	if c.Stage == Idle {
		c.Fault = nil
	}
}

// Away returns to the question from any page and line, as where another page takes its place.
func (c *Consult) Away() {
	if c.line = NoLine; c.Stage == Calling {
		c.away = true
	} else if c.Stage != Idle {
		c.reset()
	}
}

// mayWork says why there is nothing of the team's to work on.
func (c *Consult) mayWork() error {
	switch {
	case !c.Session.Pending():
		return queue.ErrSettled
	case c.Session.Widen == nil:
		return ErrNotWithTeam
	}
	return c.busy()
}

// MayRegroup says why the question is not waited for or parked; nil: it can be. ErrSame: it is already.
func (c *Consult) MayRegroup(state string) error {
	if err := c.mayWork(); err != nil {
		return err
	}
	if c.Session.Widen.State == state {
		return ErrSame
	}
	return nil
}

// Regroup waits for the team (queue.WidenBlocked), or continues meanwhile (queue.WidenParked). The error is
// MayRegroup's.
func (c *Consult) Regroup(state string) (Want, error) {
	if err := c.MayRegroup(state); err != nil {
		return Want{}, err
	}
	c.Away()
	return c.call(Want{Kind: WantRegroup, State: state}), nil
}

// MayFetch says why there is nothing of the team's to fetch; nil: there may be.
func (c *Consult) MayFetch() error { return c.mayWork() }

// Reviewable reports whether there is a review already: Reopen shows it without a call.
func (c *Consult) Reviewable() bool { return c.Review != nil && c.mayWork() == nil }

// Reopen shows the review that is there. The error is ErrNotNow.
func (c *Consult) Reopen() error {
	if !c.Reviewable() {
		return ErrNotNow
	}
	c.reset()
	c.Stage, c.Picks = Reviewing, false
	return nil
}

// Fetch fetches the team's discussion, and has the agent sum it up; again: even if the agent did before. The error is
// MayFetch's.
func (c *Consult) Fetch(again bool) (Want, error) {
	if err := c.MayFetch(); err != nil {
		return Want{}, err
	}
	c.reset()
	c.Stage, c.Picks = Fetching, false
	return c.call(Want{Kind: WantFetch, again: again}), nil
}

// Take takes over what came of a Want. next is to be carried out too.
func (c *Consult) Take(g Got) (next Want, news News) {
	if !c.Awaits(g.Want) {
		return Want{}, Ignored
	}
	c.under = Want{}
	switch {
	case errors.Is(g.Err, queue.ErrSettled), errors.Is(g.Err, queue.ErrFinal):
		return Want{}, Ignored
	case errors.Is(g.Err, queue.ErrWidened):
		c.Stage = Asking // See ends that: somebody else asked the team
		return Want{}, Ignored
	case g.Err != nil:
		c.fail(g)
		return Want{}, Failed
	}
	switch g.Want.Kind {
	case WantAudience:
		c.Audience, c.Known, c.ByName = g.Audience, true, g.TakesNames
		c.name()
	case WantAsk:
		c.goHome()
		if c.Session = g.Session; c.Parks {
			next, _ = c.Regroup(queue.WidenParked)
		}
		return next, Asked
	case WantRegroup:
		c.Session = g.Session
		return Want{}, Regrouped
	case WantFetch:
		return c.fetched(g), Moved
	case WantSummarise:
		c.review(g.Review)
	case WantEnd:
		c.reset()
		return Want{}, Ended
	default:
	}
	return Want{}, Moved
}

// fail returns to the stage before a step that failed.
func (c *Consult) fail(g Got) {
	c.Fault = g.Err
	switch g.Want.Kind {
	case WantAsk:
		if c.Stage = Asking; c.away {
			c.goHome() // it is said under the title
		}
	case WantFetch, WantSummarise:
		if c.reset(); c.Review != nil {
			c.Stage = Reviewing
		}
	case WantAudience:
		c.reset()
	default:
	}
}

// fetched continues with a discussion: with the agent's earlier summary of it if the session still has one, else by
// having it summed up.
func (c *Consult) fetched(g Got) (next Want) {
	w := c.Session.Widen
	if w == nil {
		return Want{}
	}
	if w.Candidate != nil && !g.Want.again {
		c.review(NewReview(w.Decision, g.Discussion, *w.Candidate))
		return Want{}
	}
	fallback := Fallback(w.Decision, g.Discussion, true)
	c.Stage, c.fallback = Summing, &fallback
	return c.call(Want{Kind: WantSummarise, Discussion: g.Discussion})
}

// review puts a review in the place of the one before. What the person wrote stays.
func (c *Consult) review(r CandidateReview) {
	c.reset()
	c.Stage, c.Review = Reviewing, &r
}

// Open opens the line of a reason: LineDeferral, or LineRationale. The error is that of MayDefer without ErrNoReason.
func (c *Consult) Open(l Line) error {
	if err := c.Session.MayDefer(); err != nil {
		return err
	}
	if err := c.busy(); err != nil {
		return err
	}
	c.line = l
	return nil
}

// MayDefer says why the question is not deferred with the reason that was typed: ErrNoReason, ErrAsking, ErrBusy, or
// what Session.MayDefer says. nil: it can be.
func (c *Consult) MayDefer() error {
	switch err := c.Session.MayDefer(); {
	case err != nil:
		return err
	case c.busy() != nil:
		return c.busy()
	case c.Session.Widen != nil && queue.Blank(c.texts[LineDeferral]):
		return ErrNoReason
	}
	return nil
}

// Edited takes over what the person wrote in place of the candidate's answer. Nothing written is the answer to the
// question of an interview, and elsewhere leaves the candidate as it was.
func (c *Consult) Edited(text string) {
	wanted := c.Session.Origin.Dialect != queue.DialectInterview
	if c.Final = &text; wanted && queue.Blank(text) && !queue.Blank(c.Candidate()) {
		c.Final = nil
	}
}

// Candidate returns the answer that the agent made of the discussion; empty if there is none.
func (c *Consult) Candidate() string {
	if c.Review == nil {
		return ""
	}
	return c.Review.CandidateAnswer
}

// Summary returns the summary of the discussion; empty if there is none.
func (c *Consult) Summary() string {
	if c.Review == nil {
		return ""
	}
	return c.Review.CandidateSummary
}

// Answer returns the answer as it would be sent: what the person wrote, else the candidate.
func (c *Consult) Answer() string {
	if c.Final != nil {
		return *c.Final
	}
	return c.Candidate()
}

// Source says where the answer comes from.
func (c *Consult) Source() string {
	switch {
	case c.Final != nil:
		return Source(*c.Final, c.Candidate())
	case queue.Blank(c.Candidate()):
		return queue.SourceManual
	}
	return queue.SourceTeam
}

// Overrides reports whether the person decided otherwise than the team: they may say why.
func (c *Consult) Overrides() bool {
	emptied := c.Final != nil && queue.Blank(*c.Final) && !queue.Blank(c.Candidate())
	return emptied || c.Source() == queue.SourceOwner
}

// Acceptance says what accepting an answer leads to.
type Acceptance int

// Acceptances.
const (
	AcceptNothing Acceptance = iota // there is no answer, and the question wants one
	AcceptEmpty                     // the question of an interview is resolved without words
	AcceptSends                     // the answer is sent
	AcceptPicks                     // the person picks the option in the form, or confirms there
)

// Accepts says what accepting the answer comes to, and the answer that is sent.
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

// MayAccept says why the answer of the review is not accepted: ErrNotNow, ErrNoAnswer, or the error of MayFetch.
func (c *Consult) MayAccept() error {
	if err := c.mayWork(); err != nil {
		return err
	}
	if c.Stage != Reviewing {
		return ErrNotNow
	}
	if _, how := c.Accepts(); how == AcceptNothing {
		return ErrNoAnswer
	}
	return nil
}

// Accept resolves the question with the answer of its review. Where the person picks the option in the form, or
// confirms there, it wants nothing: it returns to the question, and Picks. The error is MayAccept's.
func (c *Consult) Accept() (Want, error) {
	if err := c.MayAccept(); err != nil {
		return Want{}, err
	}
	answer, how := c.Accepts()
	if how == AcceptPicks {
		c.reset()
		c.Picks = true
		return Want{}, nil
	}
	return c.call(Want{Kind: WantEnd, Do: queue.Settle{Answer: answer, Team: c.resolution(c.Source()),
		Empty: how == AcceptEmpty}}), nil
}

// resolution returns the part of the review that goes into the outcome of an answer from there.
func (c *Consult) resolution(source string) *queue.Resolution {
	r := &queue.Resolution{Summary: queue.Summary{Text: c.Summary(), Source: source}}
	if source != queue.SourceTeam {
		r.Rationale = c.texts[LineRationale]
	}
	return r
}

// Picked returns the part of the review that goes along with an answer that was picked in the form; nil: none does.
func (c *Consult) Picked(answer queue.Answer) *queue.Resolution {
	if !c.Picks || c.Session.Widen == nil {
		return nil
	}
	return c.resolution(PickedSource(c.Session.Ask, answer, c.Candidate()))
}

// AsksWhy reports whether an answer that was picked in the form is another than the team's: the person may say why
// before it is sent. What they confirm was their second thought already.
func (c *Consult) AsksWhy(answer queue.Answer) bool {
	r := c.Picked(answer)
	return r != nil && !c.Session.Ask.Confirm && r.Summary.Source == queue.SourceOwner
}

// TakeWords returns what the person wrote about the question, which ended otherwise, and forgets it.
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
