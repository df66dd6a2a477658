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

// ErrStuck says that an answer is not stored yet because the disk does not answer.
var ErrStuck = errors.New("store stuck")

// Outgoing is one answer or cancel on its way to the store.
type Outgoing struct {
	Session string
	Command queue.Command // the same in each attempt, so that it is stored once
	Draft   queue.Draft   // the content of the form when it was sent
	Tried   time.Time     // when the worker last received it
	Err     error         // why it is not stored yet, as far as is known

	again time.Time // when the entry is to be tried next; zero: an attempt is under way, or the entry is stored
}

// Outbox holds the answers and cancels that the person sent, at most one for each session, until the store has them or
// the session is over in another way. Only the owner may touch it.
type Outbox struct{ outgoing map[string]*Outgoing }

// newOutbox returns an empty outbox.
func newOutbox() Outbox { return Outbox{map[string]*Outgoing{}} }

// putAction adds an answer or cancel; nil: the outbox already has one for that session.
func (o Outbox) putAction(session string, do queue.Action, draft queue.Draft) *Outgoing {
	if o.outgoing[session] != nil {
		return nil
	}
	out := &Outgoing{Session: session, Command: queue.Command{ID: queue.NewToken(), Do: do}, Draft: draft}
	o.outgoing[session] = out
	return out
}

// Of returns the entry of a session; nil if there is none.
func (o Outbox) Of(session string) *Outgoing { return o.outgoing[session] }

// Len returns the number of entries.
func (o Outbox) Len() int { return len(o.outgoing) }

// forgetSession removes the entry of a session.
func (o Outbox) forgetSession(session string) { delete(o.outgoing, session) }

// endedSession reports whether the entry of a session is the command that ended it.
func (o Outbox) endedSession(s queue.Session) bool {
	out := o.outgoing[s.ID]
	if out == nil {
		return false
	}
	_, ours := s.Event(out.Command.ID)
	return ours
}

// holdUntil keeps an answer back until a time; see undoing.
func (out *Outgoing) holdUntil(until time.Time) { out.again = until }

// IsPostponed reports whether an answer is kept back, because it was never tried.
func (out *Outgoing) IsPostponed() bool { return out.Tried.IsZero() }

// Answer returns the answer; the zero Answer: the entry is a cancel.
func (out *Outgoing) Answer() queue.Answer {
	settle, _ := out.Command.Do.(queue.Settle)
	return settle.Answer
}

// Until returns when an answer that is held back will be sent.
func (out *Outgoing) Until() time.Time { return out.again }

// noteTry notes that the worker receives the entry now.
func (out *Outgoing) noteTry(now time.Time) { out.Tried, out.again = now, time.Time{} }

// verdict is the result of an attempt to store an answer or a cancel.
type verdict int

const (
	wasStored   verdict = iota // the command is in the store; the entry remains until forgetSession
	wasOver                    // the session ended in another way, or the entry was removed: nothing is left to do
	wasRefused                 // the command can never be stored; Err says why, and the entry is removed
	wasUnstored                // the command will be tried again after RetryIn; Err says why it was not stored
)

// judgeAttempt evaluates an attempt to store an entry; err is the error of Queue.Do.
func (o Outbox) judgeAttempt(out *Outgoing, err error, now time.Time) verdict {
	out.Err = err
	var bad *queue.Invalid
	switch {
	case err == nil:
		return wasStored
	case o.outgoing[out.Session] != out:
		return wasOver
	case errors.Is(err, queue.ErrSettled), errors.Is(err, queue.ErrFinal):
		o.forgetSession(out.Session)
		return wasOver
	case errors.As(err, &bad):
		out.Err = bad
		o.forgetSession(out.Session)
		return wasRefused
	case errors.Is(err, queue.ErrNewer), errors.Is(err, queue.ErrNotFound):
		o.forgetSession(out.Session)
		return wasRefused
	}
	out.again = now.Add(RetryIn)
	return wasUnstored
}

// dueEntries returns the entries that must be tried now.
func (o Outbox) dueEntries(now time.Time) []*Outgoing {
	var due []*Outgoing
	for _, out := range o.outgoing {
		if !out.again.IsZero() && !now.Before(out.again) {
			due = append(due, out)
		}
	}
	return due
}

// nextTry returns when the next entry is due; zero: none is to be tried later.
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
