package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// sendsBefore is the time before its deadline at which a held answer is sent: the store needs a moment.
const sendsBefore = time.Second

// undoing holds an answer of this seat back for as long as the setting undo_seconds says, so that the person can take
// it back. One answer at most is held: the next one sends it. It is in the outbox like any other, only not due yet;
// meanwhile it is a draft too, so that a process that dies loses nothing.
type undoing struct {
	seat *Seat
	d    *Desk
	held string // the session whose answer was held last
}

// Undoable returns the answer that is held back; nil: none is.
func (u *undoing) Undoable() *Outgoing {
	if out := u.d.outbox.Of(u.held); out != nil && out.held() {
		return out
	}
	return nil
}

// UndoableOn reports whether it is the answer to the question on view that is held back.
func (u *undoing) UndoableOn() bool {
	out := u.Undoable()
	return out != nil && out.Session == u.seat.Up()
}

// SendNow sends the answer that is held back, and reports whether one was.
func (u *undoing) SendNow() bool {
	out := u.Undoable()
	if out != nil {
		u.d.sending.storeOnce(out)
	}
	return out != nil
}

// sendBefore does what comes of the answer that is held back when the seat ends a session: it goes out now, and done
// says that there is nothing else to do, as it is the same answer again. Another one to the same session takes its
// place.
func (u *undoing) sendBefore(id string, do queue.Action, draft queue.Draft) (done bool) {
	out := u.Undoable()
	_, answers := do.(queue.Settle)
	switch {
	case out == nil:
		return false
	case out.Session != id:
		u.SendNow()
		return false
	case answers && draft.Holds(out.Draft):
		return u.SendNow()
	}
	u.d.outbox.forget(id)
	return false
}

// TakeBack brings the question whose answer is held back on view again, nothing sent, and reports whether there was
// one. Keys that answer wait a moment there, as on any question that comes on view.
func (u *undoing) TakeBack() bool {
	out := u.Undoable()
	if out == nil {
		return false
	}
	u.d.outbox.forget(out.Session)
	delete(u.seat.ended, out.Session)
	u.seat.Show(out.Session)
	u.seat.CameUp()
	return true
}

// until returns when an answer to a session is to be sent; zero: at once. An explicit confirmation was the second
// thought already, and an approval's agent cannot continue before it has its answer.
func (u *undoing) until(s queue.Session, do queue.Action) time.Time {
	wait := time.Duration(u.d.settings.UndoSeconds) * time.Second
	if _, answers := do.(queue.Settle); !answers || wait <= 0 || s.Ask.Confirm || s.Ask.Kind == queue.KindApproval {
		return time.Time{}
	}
	now := u.d.Now()
	until := latest(s, now.Add(wait))
	if !until.After(now) {
		return time.Time{}
	}
	return until
}

// latest returns a time, but not too late for the deadline of a session.
func latest(s queue.Session, t time.Time) time.Time {
	if end := s.Deadline.Add(-sendsBefore); !s.Deadline.IsZero() && end.Before(t) {
		return end
	}
	return t
}

// hold keeps an answer back and, if others wait, brings the next question on view. The question that an attach was
// opened on stays.
func (u *undoing) hold(out *Outgoing, until time.Time) {
	u.held = out.Session
	out.hold(until)
	now := u.d.Now()
	draft := out.Draft
	draft.Session, draft.At = out.Session, now.UTC()
	u.d.seats.keepDraft(draft)
	u.d.saveDraft(draft)
	if next := u.seat.nextOpen(); next != "" && out.Session != u.d.o.Attach {
		u.seat.Show(next)
	}
	u.seat.BroughtUp()
}
