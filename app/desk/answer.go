package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

// draftDelay is how long typing may pause before the draft is saved; nothing typed is older than 200 ms.
const draftDelay = 150 * time.Millisecond

// Send answers the session on view with what stands in its form, confirmed if the person has confirmed it. The error
// is ErrSending or ErrOver.
func (s *Seat) Send() error {
	if s.up == nil {
		return ErrOver
	}
	return s.end(s.up.form.Settle())
}

// Cancel ends the session on view without an answer, for the reason in its form. The error is ErrSending or ErrOver.
func (s *Seat) Cancel() error {
	if s.up == nil {
		return ErrOver
	}
	return s.end(s.up.form.Cancel())
}

func (s *Seat) end(do queue.Action) error {
	if _, pending := s.Pending(); !pending {
		return ErrOver
	}
	return s.d.sending.settleSession(s, s.Up(), do, s.up.form.Draft())
}

// Move gives the session on view more time or takes some, never going under a minute. The error is ErrOver,
// ErrNoClock, ErrLeast or ErrMost.
func (s *Seat) Move(by time.Duration) error {
	on, pending := s.Pending()
	switch {
	case !pending:
		return ErrOver
	case on.Deadline.IsZero():
		return ErrNoClock
	}
	to := on.Deadline.Add(by)
	switch left := on.Deadline.Sub(s.d.Now()); {
	case by < 0 && left <= leastLeft:
		return ErrLeast
	case by < 0 && left+by < leastLeft:
		to = s.d.Now().Add(leastLeft)
	case by > 0 && left+by > queue.MaxTimeout:
		return ErrMost
	}
	s.d.sending.moveDeadline(s, on, to, nil)
	return nil
}

// HoldClock keeps the time from running out under somebody who types.
func (s *Seat) HoldClock() {
	on, pending := s.Pending()
	if !pending || !s.d.settings.HoldWhileTyping || s.holding || on.Deadline.IsZero() || on.Deadline.Sub(s.d.Now()) >= holdBelow {
		return
	}
	s.holding, s.held[on.ID] = true, true
	s.d.sending.moveDeadline(s, on, s.d.Now().Add(holdTo), func() { s.holding = false })
}

// EndHold says that the person has stopped typing.
func (s *Seat) EndHold() { delete(s.held, s.Up()) }

// DraftSoon saves the form on view a moment from now.
func (s *Seat) DraftSoon() {
	if s.drafting == nil && s.up != nil {
		s.drafting = time.AfterFunc(draftDelay, func() { s.d.Do(s.SaveDraft) })
	}
}

// SaveDraft saves the form on view now, if the person changed anything here. What was only taken over stays the other
// seat's.
func (s *Seat) SaveDraft() {
	if s.drafting == nil {
		return
	}
	s.drafting.Stop()
	s.drafting = nil
	if s.up == nil || !s.up.form.Changed() || !s.up.form.Touched() {
		return
	}
	draft := s.up.form.Draft()
	draft.Instance, draft.At = s.instance, s.d.Now().UTC()
	s.d.seats.keepDraft(draft)
	s.d.saveDraft(draft)
}

// offer puts what was typed elsewhere into the form of a session, unless the person here has pressed a key of the answer
// in it, or its answer is on the way. On view that is like a new question: keys wait a moment.
func (s *Seat) offer(draft queue.Draft) {
	o := s.opened[draft.Session]
	if o == nil || o.session.Outcome != nil || s.d.outbox.Of(draft.Session) != nil {
		return
	}
	took, unconfirmed := o.form.TakeOver(draft)
	if !took {
		return
	}
	if o == s.up {
		s.Guard.Appear(s.d.Now())
	}
	s.d.tell(DraftTaken{s, draft.Session, unconfirmed})
}
