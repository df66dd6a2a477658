package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// sendsBefore is how long before its deadline a held answer is sent, because the store needs a moment.
const sendsBefore = time.Second

// undoing holds an answer back for the time of the setting undo_seconds, so that the person can take it back. A seat
// holds at most one answer: sending the next one sends it. The answer is in the outbox, but not due yet. It is also
// saved as a draft, so that it survives if the process dies.
type undoing struct {
	seat *Seat
	d    *Desk
	held string // the id of the session whose answer was held last
}

// Undoable returns the answer that is held back; nil if there is none.
func (u *undoing) Undoable() *Outgoing {
	if out := u.d.outbox.Of(u.held); out != nil && out.IsHeld() {
		return out
	}
	return nil
}

// UndoableOn reports whether the answer that is held back belongs to the question on view.
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

// sendBefore handles the held answer when the person ends another session, or the same one again. If another session is
// ended, the held answer is sent now. A different answer to the same session replaces it. done is true if the same
// answer was given again: then it is sent now, and the caller has nothing left to do.
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
	u.d.outbox.forgetSession(id)
	return false
}

// TakeBack takes the held answer back, shows its question again, and reports whether there was one. The guard treats it
// like a question that came up on its own.
func (u *undoing) TakeBack() bool {
	out := u.Undoable()
	if out == nil {
		return false
	}
	u.d.outbox.forgetSession(out.Session)
	delete(u.seat.ended, out.Session)
	u.seat.Show(out.Session)
	u.seat.CameUp()
	return true
}

// sendTime returns when an answer to a session is to be sent; zero: at once. An answer with an explicit confirmation is
// not held back, because the person has thought twice already, and neither is a decision about an approval, because the
// agent cannot continue without it.
func (u *undoing) sendTime(s queue.Session, do queue.Action) time.Time {
	wait := time.Duration(u.d.settings.UndoSeconds) * time.Second
	if _, answers := do.(queue.Settle); !answers || wait <= 0 || s.Ask.Confirm || s.Ask.Kind == queue.KindApproval {
		return time.Time{}
	}
	now := u.d.Now()
	until := latestSend(s, now.Add(wait))
	if !until.After(now) {
		return time.Time{}
	}
	return until
}

// latestSend returns t, or the last moment to send before the session's deadline if that is earlier.
func latestSend(s queue.Session, t time.Time) time.Time {
	if end := s.Deadline.Add(-sendsBefore); !s.Deadline.IsZero() && end.Before(t) {
		return end
	}
	return t
}

// holdAnswer keeps an answer back and shows the next open question. The question of Options.Attach stays on view.
func (u *undoing) holdAnswer(out *Outgoing, until time.Time) {
	u.held = out.Session
	out.holdUntil(until)
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
