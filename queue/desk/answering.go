package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	holdBelow = 45 * time.Second // with less left, typing moves the deadline
	holdTo    = time.Minute
	leastLeft = time.Minute // what a person may shorten a deadline to
)

// answering handles the person's actions on the session on view: answering it, cancelling it, moving its deadline.
type answering struct {
	seat      *Seat
	d         *Desk
	ended     map[string]queue.Command // session → the command by which this seat ends it
	held      map[string]bool          // sessions whose clock this seat held
	endedLast string                   // the id of the command that ended the session which left the view last
	holding   bool                     // a hold of the clock is under way
}

// Send answers the session on view with the content of its form, confirmed if the person has confirmed it. The error is
// ErrSending or ErrOver.
func (a *answering) Send() error {
	if a.seat.up == nil {
		return ErrOver
	}
	do := a.seat.up.form.Settle()
	c := a.seat.Team.On()
	do.Team = c.Picked(do.Answer)
	err := a.endSession(do)
	if err == nil {
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

func (a *answering) endSession(do queue.Action) error {
	on, pending := a.seat.Pending()
	if !pending {
		return ErrOver
	}
	return a.d.sending.settleSession(a.seat, on, do, a.seat.up.form.Draft())
}

// Move gives the session on view more time or takes some, never going under a minute. It is for a session that MayMove
// has nothing against.
func (a *answering) Move(by time.Duration) {
	on := a.seat.Session()
	to := on.Deadline.Add(by)
	if least := a.d.Now().Add(leastLeft); by < 0 && to.Before(least) {
		to = least
	}
	a.d.sending.moveDeadline(a.seat, on, to, nil)
}

// MayMove says why the session on view cannot have more time or less: ErrOver, ErrNoClock, ErrLeast or ErrMost. nil: it
// can.
func (a *answering) MayMove(by time.Duration) error {
	on, pending := a.seat.Pending()
	switch left := on.Deadline.Sub(a.d.Now()); {
	case !pending:
		return ErrOver
	case !on.HasClock():
		return ErrNoClock
	case by < 0 && left <= leastLeft:
		return ErrLeast
	case by > 0 && left+by > queue.MaxTimeout:
		return ErrMost
	}
	return nil
}

// MoveTo sets how much time the session on view has from now. The error is ErrOver, ErrNoClock or ErrMost.
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

// HoldClock keeps the time from running out under somebody who types.
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

// EndHold says that the person has stopped typing.
func (a *answering) EndHold() { delete(a.held, a.seat.Up()) }

// Held reports whether this seat held a session's clock while its person typed.
func (a *answering) Held(id string) bool { return a.held[id] }

// EndedBy reports whether it was this seat that ended a session, which may have left the view just now.
func (a *answering) EndedBy(over queue.Session) bool {
	_, ours := over.Event(a.ended[over.ID].ID)
	_, last := over.Event(a.endedLast)
	return ours || last
}

// TooLate returns the action that this seat sent for a session which ended otherwise before it was stored. late is
// false if nothing was sent, if it ended the session, or if it is still on its way.
func (a *answering) TooLate(over queue.Session) (sent queue.Action, late bool) {
	c, sentHere := a.ended[over.ID]
	if !sentHere || over.Outcome == nil || a.EndedBy(over) {
		return nil, false
	}
	if out := a.d.outbox.Of(over.ID); out != nil && over.Outcome.By == queue.ByClock {
		return nil, false // it may be there already, and the clock here just ran faster
	}
	return c.Do, true
}

// forgetSession forgets what was done to a session that is over or has left.
func (a *answering) forgetSession(id string) {
	if c, ended := a.ended[id]; ended {
		a.endedLast = c.ID
	}
	delete(a.ended, id)
	delete(a.held, id)
	a.d.outbox.forget(id)
}
