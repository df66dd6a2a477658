package queue

import "time"

// Command is a wish; the same ID is applied once, however often it is sent.
type Command struct {
	ID, By, Surface string
	// Given is the agent that was given the link by which a page was opened. Whoever opened it may have been that
	// agent, so the trail says so. Empty: the person opened the page, or it is no page.
	Given string
	// Person names who gave the command, or whose rule did, where several people share the queue: `ana@laptop`. It is
	// empty if there is one person, or if no person gave it. Queue.Do fills it for ByHuman and ByRule.
	Person string
	Do     Action
}

// Action says what to do with the session; it has one of the types below.
type Action interface{ action() }

type (
	// Settle answers. Asks with Confirm refuse it unless Confirmed. Team is the result of the team's review, only for a
	// question that is with the team; nil there: the person answered without it. Empty accepts an empty candidate as
	// the answer of an interview's question.
	Settle struct {
		Answer    Answer
		Confirmed bool
		Team      *Resolution
		Empty     bool
		Rule      string // the rule that settles it; only by ByRule
	}
	// Widen says that the team was asked: the clock stops. Of Widened, what the rules decide is not taken. Refused for
	// the reasons of Session.MayWiden, except that what ended while the team was being asked gets it all the same.
	Widen struct{ Widened Widened }
	// Regroup says that the person waits for the team (WidenBlocked), or continues meanwhile (WidenParked).
	Regroup struct{ State string }
	// AskSummary wants a summary of the discussion from the agent. It takes the place of an earlier one.
	AskSummary struct{ ID, Block string }
	// WriteSummary says that the agent was given the discussion: its time runs from now.
	WriteSummary struct{ ID string }
	// GiveSummary is the agent's summary. Refused with ErrNoSummary where none is wanted, or not any more.
	GiveSummary struct {
		Request   string // empty: whichever is wanted
		Candidate Candidate
	}
	// MissSummary says that nobody sums the discussion up, so that the person writes the answer. Said twice in a row it
	// is one event.
	MissSummary struct{}
	// Defer ends the question without an answer: it is decided later. A question that is with the team wants to know
	// why. Summary is what the team said so far, if the person has it.
	Defer struct{ Rationale, Summary string }
	// Cancel ends the session without an answer. Code is ReasonMoreDetail or nothing; an approval takes none.
	Cancel struct{ Reason, Code string }
	// Move sets the deadline: exactly one of By (from the present deadline) and To. The result lies 1 s to 24 h from
	// now.
	Move struct {
		By time.Duration
		To time.Time
	}
	// Later sets the session aside for LaterFor: it is listed below the others, and its deadline moves as far. Refused
	// for the reasons of Session.MayLater. Back brings it back before its time; the deadline stays.
	Later struct{ Back bool }
	// Attach opens the one hand-off form.
	Attach struct{ Instance, Pane string }
	// Take gets the right to collect. Over is the holder seen dead; anyone else holding it means ErrUsed.
	Take struct {
		Claim, Over Claim
		Origin      Origin
	}
	// Release gives the claim back. Dropped: the call broke off, so nobody is known to come back.
	Release struct {
		Claim   Claim
		Dropped bool
	}
	// Collect closes the session after its result was written to the claim's connection. Doubt says why the agent may
	// not have taken it, Untaken why it did not take it; both are empty where it did.
	Collect struct {
		Claim          Claim
		Doubt, Untaken string
	}
	// Deliver says that a message reached its agent, whose claim was taken first. Detail is where, Doubt why it
	// may not have arrived all the same; empty: it has.
	Deliver struct {
		Claim                  Claim
		Surface, Detail, Doubt string
	}
	// Elsewhere says that a native question was answered at its agent. Where is where: `in codex`. Interrupted: it was
	// not answered there, but the person stopped the agent.
	Elsewhere struct {
		Where       string
		Interrupted bool
	}
	// Presume says that a native question was probably answered at its agent. Where is the place: `in claude`; empty
	// says that it was not, after all.
	Presume struct{ Where string }
	// Abandon cancels a bound session whose caller is gone by Alive; it leaves every other as it is. See Session.Bound.
	Abandon struct{ Alive func(instance string) bool }
	// Withdraw cancels a question whose call broke off at least DroppedFor ago, and that no call took up since. It
	// leaves every other as it is.
	Withdraw struct {
		DroppedFor time.Duration
		Reason     string
	}
	// Expire does nothing but let Queue.Do store what the clock decided.
	Expire struct{}
	// Depart closes a session here because it continues in another queue. To is that queue's place. See depart.go.
	Depart struct{ To string }
	// Lapse closes a session nobody collected for KeptFor.
	Lapse struct{ Reason string }
)

func (Settle) action()       {}
func (Widen) action()        {}
func (Regroup) action()      {}
func (AskSummary) action()   {}
func (WriteSummary) action() {}
func (GiveSummary) action()  {}
func (MissSummary) action()  {}
func (Defer) action()        {}
func (Cancel) action()       {}
func (Move) action()         {}
func (Later) action()        {}
func (Attach) action()       {}
func (Take) action()         {}
func (Release) action()      {}
func (Collect) action()      {}
func (Deliver) action()      {}
func (Elsewhere) action()    {}
func (Presume) action()      {}
func (Abandon) action()      {}
func (Withdraw) action()     {}
func (Expire) action()       {}
func (Lapse) action()        {}
func (Depart) action()       {}
