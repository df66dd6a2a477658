package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// sendsBefore is how long before its deadline a postponed answer is sent, because the store needs a moment.
const sendsBefore = time.Second

// An answer is held back for the time of the setting undo_seconds, so that the person can take it back. A view holds at
// most one answer: sending the next one sends it. The answer is in the outbox, but not due yet. It is also saved as a
// draft, so that it survives if the process dies.

// Undoable returns the answer that is held back; nil if there is none.
func (s *View) Undoable() *Outgoing {
	if s.postponed == "" {
		return nil
	}
	if out := s.d.outbox.Of(s.postponed); out != nil && out.IsPostponed() {
		return out
	}
	return nil
}

// UndoableOn reports whether the answer that is held back belongs to the question on view.
func (s *View) UndoableOn() bool {
	out := s.Undoable()
	return out != nil && out.Session == s.Up()
}

// SendNow sends the answer that is held back, and reports whether one was.
func (s *View) SendNow() bool {
	out := s.Undoable()
	if out != nil {
		s.d.storeOnce(out)
	}
	return out != nil
}

// sendBefore handles the postponed answer when the person ends another session, or the same one again. If another
// session is ended, the postponed answer is sent now. A different answer to the same session replaces it. done is true
// if the same answer was given again: then it is sent now, and the caller has nothing left to do.
func (s *View) sendBefore(id string, do queue.Action, draft queue.Draft) (done bool) {
	out := s.Undoable()
	_, answers := do.(queue.Settle)
	switch {
	case out == nil:
		return false
	case out.Session != id:
		s.SendNow()
		return false
	case answers && draft.Holds(out.Draft):
		return s.SendNow()
	}
	s.d.outbox.forgetSession(id)
	return false
}

// TakeBack takes the postponed answer back, shows its question again, and reports whether there was one. The guard
// treats it like a question that came up on its own.
func (s *View) TakeBack() bool {
	out := s.Undoable()
	if out == nil {
		return false
	}
	s.d.outbox.forgetSession(out.Session)
	delete(s.ended, out.Session)
	s.Show(out.Session)
	s.CameUp()
	return true
}

// sendTime returns when an answer to a session is to be sent; zero: at once. An answer with an explicit confirmation is
// not held back, because the person has thought twice already, and neither is a decision about an approval, because the
// agent cannot continue without it.
func (s *View) sendTime(on queue.Session, do queue.Action) time.Time {
	wait := time.Duration(s.d.settings.UndoSeconds) * time.Second
	if _, answers := do.(queue.Settle); !answers || wait <= 0 || on.Ask.Confirm || on.Ask.Kind == queue.KindApproval {
		return time.Time{}
	}
	now := s.d.Now()
	until := latestSend(on, now.Add(wait))
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
func (s *View) holdAnswer(out *Outgoing, until time.Time) {
	s.postponed = out.Session
	out.holdUntil(until)
	now := s.d.Now()
	draft := out.Draft
	draft.Session, draft.At = out.Session, now.UTC()
	s.d.views.keepDraft(draft)
	s.d.saveDraft(draft)
	if next := s.nextOpen(); next != "" && out.Session != s.d.o.Attach {
		s.Show(next)
	}
	s.BroughtUp()
}
