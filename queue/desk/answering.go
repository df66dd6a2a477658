package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	holdBelow = 45 * time.Second // typing moves the deadline if less time than this is left
	holdTo    = time.Minute      // typing moves the deadline to this long from now
	leastLeft = time.Minute      // the shortest time left that a person may set
)

// answering is what a view knows of the person's actions on sessions: answer, cancel, move the deadline.
type answering struct {
	ended     map[string]queue.Command // by session: the command by which this view ends it
	extended  map[string]bool          // by session: this view extended its deadline while the person typed
	endedLast string                   // the id of the command that ended the last session which left the view
	holding   bool                     // a change of the deadline by HoldClock is being stored
}

// Send answers the session on view with the content of its form, and with the person's confirmation if they gave one.
// The error is ErrSending or ErrOver.
func (s *View) Send() error {
	if s.up == nil {
		return ErrOver
	}
	do := s.up.form.Settle()
	c := s.Team.Begun
	if c != nil {
		do.Team = c.Picked(do.Answer, "")
	}
	err := s.endSession(do)
	if err == nil && c != nil {
		c.Away()
	}
	return err
}

// Cancel ends the session on view without an answer, for the reason in its form. The error is ErrSending or ErrOver.
func (s *View) Cancel() error {
	if s.up == nil {
		return ErrOver
	}
	return s.endSession(s.up.form.Cancel())
}

// endSession sends an action that ends the session on view. The error is ErrSending or ErrOver.
func (s *View) endSession(do queue.Action) error {
	on, pending := s.Pending()
	if !pending {
		return ErrOver
	}
	return s.d.settleSession(s, on, do, s.up.form.Draft())
}

// Move moves the deadline of the session on view. The error is that of DeadlineBy.
func (s *View) Move(by time.Duration) error {
	to, err := s.DeadlineBy(by)
	if err == nil {
		s.d.moveDeadline(s, s.up.session, to, nil)
	}
	return err
}

// DeadlineBy returns the deadline that the session on view would have after Move: at least a minute from now. The error
// is ErrOver, ErrNoClock, ErrLeast or ErrMost.
func (s *View) DeadlineBy(by time.Duration) (time.Time, error) {
	on, pending := s.Pending()
	least := s.d.Now().Add(leastLeft)
	switch to := on.Deadline.Add(by); {
	case !pending:
		return time.Time{}, ErrOver
	case !on.HasClock():
		return time.Time{}, ErrNoClock
	case by < 0 && !on.Deadline.After(least):
		return time.Time{}, ErrLeast
	case by > 0 && to.Sub(s.d.Now()) > queue.MaxTimeout:
		return time.Time{}, ErrMost
	case by < 0 && to.Before(least):
		return least, nil
	default:
		return to, nil
	}
}

// MoveTo sets the time that the session on view has left. The error is ErrOver, ErrNoClock or ErrMost.
func (s *View) MoveTo(left time.Duration) error {
	on, pending := s.Pending()
	switch {
	case !pending:
		return ErrOver
	case !on.HasClock():
		return ErrNoClock
	case left > queue.MaxTimeout:
		return ErrMost
	}
	s.d.moveDeadline(s, on, s.d.Now().Add(left), nil)
	return nil
}

// HoldClock extends a deadline that is near while the person is typing.
func (s *View) HoldClock() {
	on, pending := s.Pending()
	if !pending || s.holding {
		return
	}
	if !on.HasClock() || on.Deadline.Sub(s.d.Now()) >= holdBelow {
		return
	}
	s.holding, s.extended[on.ID] = true, true
	s.d.moveDeadline(s, on, s.d.Now().Add(holdTo), func() { s.holding = false })
}

// EndHold notes that the person has stopped typing, so that Extended returns false.
func (s *View) EndHold() { delete(s.extended, s.Up()) }

// Extended reports whether this view extended a session's deadline because its person was typing.
func (s *View) Extended(id string) bool { return s.extended[id] }

// EndedBy reports whether this view ended a session, which may have left the view already.
func (s *View) EndedBy(over queue.Session) bool {
	_, ours := over.Event(s.ended[over.ID].ID)
	_, last := over.Event(s.endedLast)
	return ours || last
}

// TooLate returns the action that this view sent for a session which ended in another way before the action was stored.
// late is false if nothing was sent, if the action ended the session, or if it is still being sent.
func (s *View) TooLate(over queue.Session) (sent queue.Action, late bool) {
	c, sentHere := s.ended[over.ID]
	if !sentHere || over.Outcome == nil || s.EndedBy(over) {
		return nil, false
	}
	if out := s.d.outbox.Of(over.ID); out != nil && over.Outcome.By == queue.ByClock {
		return nil, false // the action may be stored already, and the deadline only passed here before that is known
	}
	return c.Do, true
}

// forgetSession forgets the person's actions on a session that is over or has left the queue.
func (a *answering) forgetSession(id string) {
	if c, ended := a.ended[id]; ended {
		a.endedLast = c.ID
	}
	delete(a.ended, id)
	delete(a.extended, id)
}
