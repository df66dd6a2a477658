package desk

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// RetryIn is the pause after a failure before an answer is tried again.
const RetryIn = 2 * time.Second

// ErrStuck says that an answer is not stored yet because the worker has not come to it.
var ErrStuck = errors.New("store stuck")

// Outgoing holds one answer or cancel on its way to the store.
type Outgoing struct {
	Session string
	Command queue.Command // the same each time it is tried, so that it is stored once
	Draft   queue.Draft   // all that stood in the form when it was sent, where the face keeps that
	Tried   time.Time     // when it was last handed to the worker
	Err     error         // why it is not stored yet, as far as is known

	again time.Time // when it is to be tried next; zero: it is under way, or stored
}

// Outbox holds what a person sent, at most one for each session, until the store has it or the session is over in
// another way. Only the owner touches it.
type Outbox struct{ outgoing map[string]*Outgoing }

// newOutbox returns an outbox that holds nothing.
func newOutbox() Outbox { return Outbox{map[string]*Outgoing{}} }

// put takes an answer or cancel in; nil: another one of that session is in it already.
func (o Outbox) put(session string, do queue.Action, draft queue.Draft) *Outgoing {
	if o.outgoing[session] != nil {
		return nil
	}
	out := &Outgoing{Session: session, Command: queue.Command{ID: queue.NewToken(), Do: do}, Draft: draft}
	o.outgoing[session] = out
	return out
}

// Of returns the entry of a session; nil: there is none.
func (o Outbox) Of(session string) *Outgoing { return o.outgoing[session] }

// Len returns the number of entries.
func (o Outbox) Len() int { return len(o.outgoing) }

// forget takes out what is in it of a session.
func (o Outbox) forget(session string) { delete(o.outgoing, session) }

// ended reports whether it was ours, as far as it is still in here, that ended a session.
func (o Outbox) ended(s queue.Session) bool {
	out := o.outgoing[s.ID]
	if out == nil {
		return false
	}
	_, ours := s.Event(out.Command.ID)
	return ours
}

// hold keeps it back until a time; see undoing.
func (out *Outgoing) hold(until time.Time) { out.again = until }

// held reports whether it is kept back: it was not tried yet.
func (out *Outgoing) held() bool { return out.Tried.IsZero() }

// Answer returns the answer that it is; the zero Answer: it is a cancel.
func (out *Outgoing) Answer() queue.Answer {
	settle, _ := out.Command.Do.(queue.Settle)
	return settle.Answer
}

// Until returns when it will be sent, if it is held back.
func (out *Outgoing) Until() time.Time { return out.again }

// try notes that one is handed to the worker now.
func (out *Outgoing) try(now time.Time) { out.Tried, out.again = now, time.Time{} }

// verdict is the result of an attempt to store an answer or a cancel.
type verdict int

const (
	wasStored   verdict = iota // it is in the store; it stays in the outbox until it is forgotten
	wasOver                    // the session ended otherwise, or it was forgotten meanwhile: nothing is left to do
	wasRefused                 // it can never be stored; Err says why, and it is out of the outbox
	wasUnstored                // it is to be tried again after RetryIn; Err says why
)

// judge notes how an attempt went: err is what Queue.Do returned.
func (o Outbox) judge(out *Outgoing, err error, now time.Time) verdict {
	out.Err = err
	var bad *queue.Invalid
	switch {
	case err == nil:
		return wasStored
	case o.outgoing[out.Session] != out:
		return wasOver
	case errors.Is(err, queue.ErrSettled), errors.Is(err, queue.ErrFinal):
		o.forget(out.Session)
		return wasOver
	case errors.As(err, &bad):
		out.Err = bad
		o.forget(out.Session)
		return wasRefused
	case errors.Is(err, queue.ErrNewer), errors.Is(err, queue.ErrNotFound):
		o.forget(out.Session)
		return wasRefused
	}
	out.again = now.Add(RetryIn)
	return wasUnstored
}

// due returns the entries that must be tried now, for the first time or again.
func (o Outbox) due(now time.Time) []*Outgoing {
	var due []*Outgoing
	for _, out := range o.outgoing {
		if !out.again.IsZero() && !now.Before(out.again) {
			due = append(due, out)
		}
	}
	return due
}

// nextTry returns when the first of them is due; zero: none is to be tried later.
func (o Outbox) nextTry() time.Time {
	var next time.Time
	for _, out := range o.outgoing {
		if !out.again.IsZero() && (next.IsZero() || out.again.Before(next)) {
			next = out.again
		}
	}
	return next
}

// All returns all entries.
func (o Outbox) All() []*Outgoing { return slices.Collect(maps.Values(o.outgoing)) }

// Unsaved returns the entries that were tried and are not stored.
func (o Outbox) Unsaved() []*Outgoing {
	var list []*Outgoing
	for _, out := range o.outgoing {
		if out.Err != nil {
			list = append(list, out)
		}
	}
	return list
}
