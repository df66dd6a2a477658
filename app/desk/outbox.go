package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// RetryIn is how long after a failure an answer is tried again.
const RetryIn = 2 * time.Second

// ErrStuck is why an answer is not stored yet while the worker does not come to it.
var ErrStuck = errors.New("the disk does not answer")

// Outgoing is one answer or cancel on its way to the store.
type Outgoing struct {
	Session string
	Command queue.Command // the same each time it is tried, so that it is stored once
	Draft   queue.Draft   // all that stood in the form when it was sent, where the face keeps that
	Tried   time.Time     // when it was last handed to the worker
	Err     error         // why it is not stored yet, as far as is known

	again time.Time // when it is to be tried again; zero: it is under way, or stored
}

// Outbox holds what a person sent, at most one for each session, until the store has it or the session is over in
// another way. Only a face's event loop touches it.
type Outbox struct{ outgoing map[string]*Outgoing }

// NewOutbox is an outbox that holds nothing.
func NewOutbox() Outbox { return Outbox{map[string]*Outgoing{}} }

// Put takes an answer or cancel in; nil: another one of that session is in it already.
func (o Outbox) Put(session string, do queue.Action, draft queue.Draft) *Outgoing {
	if o.outgoing[session] != nil {
		return nil
	}
	out := &Outgoing{Session: session, Command: queue.Command{ID: queue.NewToken(), Do: do}, Draft: draft}
	o.outgoing[session] = out
	return out
}

// Of is what is in it of a session; nil: nothing.
func (o Outbox) Of(session string) *Outgoing { return o.outgoing[session] }

// Len is how many are in it.
func (o Outbox) Len() int { return len(o.outgoing) }

// Forget takes out what is in it of a session.
func (o Outbox) Forget(session string) { delete(o.outgoing, session) }

// Ended reports whether it was ours, as far as it is still in here, that ended a session.
func (o Outbox) Ended(s queue.Session) bool {
	out := o.outgoing[s.ID]
	if out == nil {
		return false
	}
	_, ours := s.Event(out.Command.ID)
	return ours
}

// Doubts reports whether a session was ended by what is in here and the disk has not confirmed it. Until it has, a
// face goes on as if it did not know.
func (o Outbox) Doubts(s queue.Session) bool {
	return o.Ended(s) && errors.Is(o.outgoing[s.ID].Err, queue.ErrInDoubt)
}

// Try notes that one is handed to the worker now.
func (out *Outgoing) Try(now time.Time) { out.Tried, out.again = now, time.Time{} }

// Verdict is what became of an attempt to store an answer or a cancel.
type Verdict int

const (
	Stored   Verdict = iota // it is in the store; it stays in the outbox until it is forgotten
	Over                    // the session ended otherwise, or it was forgotten meanwhile: nothing is left to do
	Refused                 // it can never be stored; Err says why, and it is out of the outbox
	Unstored                // it is to be tried again after RetryIn; Err says why
)

// Judge notes how an attempt went: err is what Queue.Do returned.
func (o Outbox) Judge(out *Outgoing, err error, now time.Time) Verdict {
	out.Err = err
	var bad *queue.Invalid
	switch {
	case err == nil:
		return Stored
	case o.outgoing[out.Session] != out:
		return Over
	case errors.Is(err, queue.ErrSettled), errors.Is(err, queue.ErrFinal):
		o.Forget(out.Session)
		return Over
	case errors.As(err, &bad):
		out.Err = bad
		o.Forget(out.Session)
		return Refused
	case errors.Is(err, queue.ErrNewer), errors.Is(err, queue.ErrNotFound):
		o.Forget(out.Session)
		return Refused
	}
	out.again = now.Add(RetryIn)
	return Unstored
}

// Due are those whose time has come to be tried again.
func (o Outbox) Due(now time.Time) []*Outgoing {
	var due []*Outgoing
	for _, out := range o.outgoing {
		if !out.again.IsZero() && !now.Before(out.again) {
			due = append(due, out)
		}
	}
	return due
}

// NextTry is when the first of them is due; zero: none is to be tried again.
func (o Outbox) NextTry() time.Time {
	var next time.Time
	for _, out := range o.outgoing {
		if !out.again.IsZero() && (next.IsZero() || out.again.Before(next)) {
			next = out.again
		}
	}
	return next
}

// Unsaved are those that were tried and are not stored.
func (o Outbox) Unsaved() []*Outgoing {
	var list []*Outgoing
	for _, out := range o.outgoing {
		if out.Err != nil {
			list = append(list, out)
		}
	}
	return list
}
