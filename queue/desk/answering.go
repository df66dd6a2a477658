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

// answering performs the person's actions on the session on view: answer, cancel, move the deadline.
type answering struct {
	seat      *Seat
	d         *Desk
	ended     map[string]queue.Command // by session: the command by which this seat ends it
	held      map[string]bool          // by session: this seat extended its deadline while the person typed
	endedLast string                   // the id of the command that ended the last session which left the view
	holding   bool                     // a change of the deadline by HoldClock is being stored
}

// Send answers the session on view with the content of its form, and with the person's confirmation if they gave one.
// The error is ErrSending or ErrOver.
func (a *answering) Send() error {
	if a.seat.up == nil {
		return ErrOver
	}
	do := a.seat.up.form.Settle()
	c := a.seat.Team.Begun
	if c != nil {
		do.Team = c.Picked(do.Answer)
	}
	err := a.endSession(do)
	if err == nil && c != nil {
		c.Away()
	}
	return err
}

// Cancel ends the session on view without an answer, for the reason in its form. The error is ErrSending or ErrOver.
func (a *answering) Cancel() error {
	if a.seat.up == nil {
		return ErrOver
	}
	return a.endSession(a.seat.up.form.Cancel())
}

// endSession sends an action that ends the session on view. The error is ErrSending or ErrOver.
func (a *answering) endSession(do queue.Action) error {
	on, pending := a.seat.Pending()
	if !pending {
		return ErrOver
	}
	return a.d.sending.settleSession(a.seat, on, do, a.seat.up.form.Draft())
}

// Move moves the deadline of the session on view. The error is that of DeadlineBy.
func (a *answering) Move(by time.Duration) error {
	to, err := a.DeadlineBy(by)
	if err == nil {
		a.d.sending.moveDeadline(a.seat, a.seat.Session(), to, nil)
	}
	return err
}

// DeadlineBy returns the deadline that the session on view would have after Move: at least a minute from now. The error
// is ErrOver, ErrNoClock, ErrLeast or ErrMost.
func (a *answering) DeadlineBy(by time.Duration) (time.Time, error) {
	on, pending := a.seat.Pending()
	least := a.d.Now().Add(leastLeft)
	switch to := on.Deadline.Add(by); {
	case !pending:
		return time.Time{}, ErrOver
	case !on.HasClock():
		return time.Time{}, ErrNoClock
	case by < 0 && !on.Deadline.After(least):
		return time.Time{}, ErrLeast
	case by > 0 && to.Sub(a.d.Now()) > queue.MaxTimeout:
		return time.Time{}, ErrMost
	case by < 0 && to.Before(least):
		return least, nil
	default:
		return to, nil
	}
}

// MoveTo sets the time that the session on view has left. The error is ErrOver, ErrNoClock or ErrMost.
func (a *answering) MoveTo(left time.Duration) error {
	on, pending := a.seat.Pending()
	switch {
	case !pending:
		return ErrOver
	case !on.HasClock():
		return ErrNoClock
	case left > queue.MaxTimeout:
		return ErrMost
	}
	a.d.sending.moveDeadline(a.seat, on, a.d.Now().Add(left), nil)
	return nil
}

// HoldClock extends a deadline that is near while the person is typing, if the settings say so.
func (a *answering) HoldClock() {
	on, pending := a.seat.Pending()
	if !pending || !a.d.settings.HoldWhileTyping || a.holding {
		return
	}
	if !on.HasClock() || on.Deadline.Sub(a.d.Now()) >= holdBelow {
		return
	}
	a.holding, a.held[on.ID] = true, true
	a.d.sending.moveDeadline(a.seat, on, a.d.Now().Add(holdTo), func() { a.holding = false })
}

// EndHold notes that the person has stopped typing, so that Held returns false.
func (a *answering) EndHold() { delete(a.held, a.seat.Up()) }

// Held reports whether this seat extended a session's deadline because its person was typing.
func (a *answering) Held(id string) bool { return a.held[id] }

// EndedBy reports whether this seat ended a session, which may have left the view already.
func (a *answering) EndedBy(over queue.Session) bool {
	_, ours := over.Event(a.ended[over.ID].ID)
	_, last := over.Event(a.endedLast)
	return ours || last
}

// TooLate returns the action that this seat sent for a session which ended in another way before the action was stored.
// late is false if nothing was sent, if the action ended the session, or if it is still being sent.
func (a *answering) TooLate(over queue.Session) (sent queue.Action, late bool) {
	c, sentHere := a.ended[over.ID]
	if !sentHere || over.Outcome == nil || a.EndedBy(over) {
		return nil, false
	}
	if out := a.d.outbox.Of(over.ID); out != nil && over.Outcome.By == queue.ByClock {
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
	delete(a.held, id)
	a.d.outbox.forgetSession(id)
}
