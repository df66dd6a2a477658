package queue

import "time"

// Command asks for one change of a session. A command with the same ID is applied once, however often it is sent.
type Command struct {
	ID, By, Surface string
	// Given names the agent that received the link to the web page from which the command came. The agent may have
	// opened the page in place of the person, so the trail records it. It is empty if the person opened the page, or
	// if the command came from elsewhere.
	Given string
	// Person names the person who gave the command, or whose rule did, if several people share the queue:
	// `ana@laptop`. It is empty if one person has the queue, or if no person gave the command. Queue.Do fills it for
	// ByHuman and ByRule.
	Person string
	Do     Action
}

// Action says what a command does with the session. The types below implement it.
type Action interface{ action() }

type (
	// Settle answers the session. An ask with Confirm refuses it unless Confirmed is set. Team is the result of the
	// team's review if the question is with the team; nil means that the person answered without the review. Empty
	// accepts an empty candidate as the answer to an interview's question.
	Settle struct {
		Answer    Answer
		Confirmed bool
		Team      *Resolution
		Empty     bool
		Rule      string // id of the person's permission rule that settles it; only for ByRule
	}
	// Widen records that the team was asked, and stops the clock. Transition sets the fields of Widened that the rules
	// decide, whatever the command says. Refused for the reasons of Session.MayWiden, except that a session that ended
	// during the call to the team is recorded all the same.
	Widen struct{ Widened Widened }
	// Regroup records whether the person waits for the team (WidenBlocked) or continues meanwhile (WidenParked).
	Regroup struct{ State string }
	// AskSummary requests a summary of the discussion from the agent. It replaces an earlier request.
	AskSummary struct{ ID, Block string }
	// WriteSummary records that the agent received the discussion. The time for its summary starts now.
	WriteSummary struct{ ID string }
	// GiveSummary stores the agent's summary. Refused with ErrNoSummary if no summary is requested, or if its time is
	// over.
	GiveSummary struct {
		Request   string // id of the request; empty: the present request
		Candidate Candidate
	}
	// MissSummary records that no summary came, so that the person writes the answer. A second one in a row changes
	// nothing.
	MissSummary struct{}
	// Defer ends the question without an answer: it is decided later. It needs a Rationale if the question is with the
	// team. Summary is the team's discussion so far, if the person has it.
	Defer struct{ Rationale, Summary string }
	// Cancel ends the session without an answer. Code is empty or ReasonMoreDetail; an approval accepts no code. The
	// notes and the comment of Said are returned to the agent; nothing else in it counts.
	Cancel struct {
		Reason, Code string
		Said         Answer
	}
	// Move sets the deadline: exactly one of By (relative to the present deadline) and To. The new deadline must be
	// 1 s to 24 h from now.
	Move struct {
		By time.Duration
		To time.Time
	}
	// Later sets the session aside for LaterFor: it is listed below the others, and its deadline moves by the same
	// time. Refused for the reasons of Session.MayLater. Back ends this early; the deadline stays.
	Later struct{ Back bool }
	// Attach records the only hand-off form that is opened for the session.
	Attach struct{ Instance, Pane string }
	// Take acquires the claim, the right to collect. Over is the claim of a holder known to be dead, which Take may
	// replace. If anyone else holds the claim, Take fails with ErrUsed.
	Take struct {
		Claim, Over Claim
		Origin      Origin
	}
	// Release gives the claim back. Dropped means that the call broke off, so that perhaps nobody comes back for the
	// answer.
	Release struct {
		Claim   Claim
		Dropped bool
	}
	// Collect closes the session after its result was written to the claim's connection. Doubt says why the agent may
	// not have received the result, Untaken why it did not use it; both are empty if it did.
	Collect struct {
		Claim          Claim
		Doubt, Untaken string
	}
	// Deliver records that a message reached its agent. The sender takes the claim first. Detail names the place,
	// Doubt says why the message may not have arrived; empty: it has.
	Deliver struct {
		Claim                  Claim
		Surface, Detail, Doubt string
	}
	// Elsewhere records that a native question (see Origin.Native) ended at its agent. Where names the place: `in
	// AGENT`. How is empty if the person answered there, else ReasonInterrupted, ReasonDecided or ReasonPerhaps.
	Elsewhere struct{ Where, How string }
	// Presume records that a native question was probably answered at its agent. Where names the place: `in AGENT`.
	// An empty Where takes the presumption back.
	Presume struct{ Where string }
	// Abandon cancels a session that ends with its call (see Session.EndsWithCall) if Alive says that its caller is
	// gone. It leaves any other session as it is.
	Abandon struct{ Alive func(instance string) bool }
	// Withdraw cancels a question whose call broke off at least DroppedFor ago and that no other call has taken over.
	// It leaves any other question as it is.
	Withdraw struct {
		DroppedFor time.Duration
		Reason     string
	}
	// TimeOut changes nothing. It makes Queue.Do store a timeout that is due.
	TimeOut struct{}
	// Expire closes a session whose answer nobody collected within KeptFor.
	Expire struct{ Reason string }
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
func (TimeOut) action()      {}
func (Expire) action()       {}
