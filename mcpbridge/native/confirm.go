package native

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
)

// confirmEvery is the time between two looks into a transcript for a sign that the agent took an answer.
const confirmEvery = lookEvery / 10

// Unconfirmed holds what a hook leaves to another process when it prints an answer while the agent's own dialog is
// open. The agent reads the answer only once the hook has ended, and may then have one from its dialog already.
type Unconfirmed struct {
	Session string   `json:"session"` // its id in the queue
	Event   []byte   `json:"event"`   // what the hook was given
	Calls   []string `json:"calls"`   // the calls that it may be about; see Dialog.Calls
	PID     int      `json:"pid"`     // the agent's process
	// Within limits the time that the agent may take to say so.
	Within time.Duration `json:"within"`
}

// Confirm takes a session over from its hook, and closes it once the agent says whether it took the answer, or has
// ended.
func (in *Intake) Confirm(ctx context.Context, u Unconfirmed, d *Dialog, w Words) error {
	d.Resume(u.Calls)
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
	agent := queue.Origin{PID: u.PID}
	for end := time.Now().Add(u.Within); ; time.Sleep(confirmEvery) {
		took, known := d.Took()
		switch {
		case known && took:
			return in.Collect(s)
		case known:
			return in.Untaken(s, in.before(inClaude))
		case d.Over() || time.Now().After(end) || !call.AgentRuns(agent):
			return in.closeSession(s, queue.Collect{Doubt: w.NotConfirmed})
		}
	}
}

// Orphan holds what a hook leaves to another process while it waits: its agent kills it without a word.
type Orphan struct {
	Instance string    `json:"instance"` // of the hook's intake; the other process is the same to the queue
	Source   string    `json:"source"`   // of its question
	Event    []byte    `json:"event"`    // what the hook was given
	Since    time.Time `json:"since"`
}

// stoppedWithin limits the time that an agent may take to write down why it has killed its hook.
const stoppedWithin = 2 * time.Second

// EndOrphan ends the question of a hook that was killed: as interrupted if the person stopped the agent, else as that
// of an agent that is gone.
func (in *Intake) EndOrphan(ctx context.Context, o Orphan, a Asked) {
	id := queue.SourceID(o.Source)
	s, err := in.queue.Store.Get(ctx, id)
	if err != nil || s.At(in.queue.Now()).Outcome != nil { // the hook ended in its own way
		return
	}
	why := ErrGone
	for end := time.Now().Add(stoppedWithin); time.Now().Before(end); time.Sleep(confirmEvery) {
		if err := a.stoppedByPerson(); err != nil {
			why = err
			break
		}
	}
	in.endQuestion(id, a, why)
}
