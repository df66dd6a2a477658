package prompt

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// confirmEvery is the time between two looks for a sign that the agent took an answer. Claude Code may
// write it only when the call is over, so after confirmSoon the looks are rarer.
const (
	confirmEvery = LookEvery / 10
	confirmSoon  = 30 * time.Second
)

// Unconfirmed holds the state that a hook leaves to another process when it prints an answer while the agent's own
// prompt is open. The agent reads the answer only after the hook has ended. By then its prompt may be over.
type Unconfirmed struct {
	Agent   string    `json:"agent"`   // the id of the agent
	Session string    `json:"session"` // the id of the session in the queue
	Event   []byte    `json:"event"`   // the input of the hook
	Began   time.Time `json:"began"`   // when the agent started the hook
	Printed Printed   `json:"printed"`
	Alike   []Alike   `json:"alike,omitempty"` // the other prompts between which the calls cannot be told apart
	PID     int       `json:"pid"`             // the agent's process
	// Within limits the wait for the agent to say that it took the answer.
	Within time.Duration `json:"within"`
}

// Confirm takes a session over from its hook. a is what the hook has read, with a Dialog. Confirm closes the session
// once the dialog says whether the agent took the answer, the agent has ended, or u.Within is over.
func (in *Intake) Confirm(ctx context.Context, u Unconfirmed, a Asked) error {
	d := a.Dialog
	d.Watch(0, u.Began)
	s, err := in.queue.Store.Get(ctx, u.Session)
	if err != nil {
		return err
	}
	take := queue.Take{Claim: *in.claim()}
	if s.Claim != nil {
		take.Over = *s.Claim
	}
	if s, err = in.do(ctx, s.ID, take); err != nil {
		return err
	}
	d.Among(Alike{ID: s.ID, At: s.AskedAt}, func() []Alike { return u.Alike })
	agent := queue.Origin{PID: u.PID}
	ends, began := time.Now().Add(u.Within), time.Now()
	for last := false; ; last = time.Now().After(ends) || !call.AgentRuns(agent) {
		switch d.Took(u.Printed) {
		case TakenIt:
			return in.Collect(s)
		case TakenThere:
			return in.Untaken(s, answeredBefore(a.Where))
		case TakenByHook:
			return in.Untaken(s, decidedBefore(decidedByHook))
		case TakenStopped:
			return in.Untaken(s, queue.ReasonInterrupted+" "+a.Where+" before")
		case TakenDoubted:
			last = true
		case TakenUnknown:
		}
		if last {
			return in.closeSession(s, queue.Collect{Doubt: "it did not confirm that it took this"})
		}
		if time.Since(began) > confirmSoon {
			time.Sleep(LookEvery - confirmEvery)
		}
		time.Sleep(confirmEvery)
	}
}

// Orphan holds the state that a waiting hook leaves to another process, because an agent may kill its hook without a
// signal that the hook can handle.
type Orphan struct {
	Agent    string    `json:"agent"`    // the id of the agent
	Instance string    `json:"instance"` // the hook's intake, which the other process continues
	Source   string    `json:"source"`   // the source of its question
	Event    []byte    `json:"event"`    // the input of the hook
	Since    time.Time `json:"since"`    // when the hook began
}

// stoppedWithin limits the wait for an agent to write down why it has killed its hook.
const stoppedWithin = 2 * time.Second

// EndOrphan ends the question of a killed hook: as interrupted if the person stopped the agent, else because the agent
// is gone.
func (in *Intake) EndOrphan(ctx context.Context, o Orphan, a Asked) {
	id := queue.SourceID(o.Source)
	s, err := in.queue.Store.Get(ctx, id)
	if err != nil || s.At(in.queue.Now()).Outcome != nil { // the hook has ended its question itself
		return
	}
	why := ErrGone
	for end := time.Now().Add(stoppedWithin); time.Now().Before(end); time.Sleep(confirmEvery) {
		if err := a.stoppedByPerson(); err != nil {
			why = err
			break
		}
	}
	in.End(id, a, why)
}
