package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// ErrLaterAttached says that a question cannot be set aside because it is open in a form of its own.
var ErrLaterAttached = errors.New("attached elsewhere")

// MayLater says why the session on view cannot be set aside: ErrOver, ErrSending, ErrLaterAttached or what
// queue.Session.MayLater says. nil: it can.
func (a *answering) MayLater() error {
	on, pending := a.seat.Pending()
	switch {
	case !pending:
		return ErrOver
	case a.d.outbox.Of(on.ID) != nil:
		return ErrSending
	case on.ID == a.d.o.Attach, on.Attached != nil && a.d.live.Alive(on.Attached.Instance):
		return ErrLaterAttached
	}
	return on.MayLater()
}

// LaterTimes are until when the session on view would be set aside now, when its deadline would be then, and when its
// agent gives up by its own word, if that is earlier than the question is back; else that time is zero.
func (a *answering) LaterTimes() (until, deadline, givesUp time.Time) {
	on := a.seat.Session()
	until, deadline = on.LaterTimes(a.d.Now())
	if at, said := on.GivesUp(); said && at.Before(until) {
		givesUp = at
	}
	return until, deadline, givesUp
}

// Later sets the session on view aside, and brings another question on view if one hurries. It is for a session that
// MayLater has nothing against.
func (a *answering) Later() {
	s := a.seat.Session()
	a.seat.SaveDraft()
	a.d.sending.setAside(a.seat, s)
	a.seat.Guard.sent()
	if next := a.seat.nextOpen(); next != "" {
		a.seat.Show(next)
		a.seat.BroughtUp()
	} else {
		a.seat.resting = s.ID
	}
}

// Rests reports whether the question on view was set aside here while nothing else was open. Only when it is back is
// shown of it then.
func (s *Seat) Rests() (until time.Time, rests bool) {
	on, pending := s.Pending()
	if s.resting == "" || s.Up() != s.resting || !pending || on.LaterUntil == nil || !s.d.Now().Before(*on.LaterUntil) {
		return time.Time{}, false
	}
	return *on.LaterUntil, true
}

// EndRest brings the question back that rests, here at once and in the store.
func (s *Seat) EndRest() {
	s.resting = ""
	if on, pending := s.Pending(); pending {
		on.LaterUntil = nil
		s.d.live.keep(on)
		s.d.seats.follow(on)
		s.d.command(on.ID, s.command(on.ID, queue.Later{Back: true}), func(queue.Session, error) { s.d.Refresh() })
	}
	s.BroughtUp()
}

// wake ends the rest when the question is back, or another one is open.
func (s *Seat) wake() {
	if s.resting == "" {
		return
	}
	_, rests := s.Rests()
	switch next := s.nextOpen(); {
	case rests && next != "":
		s.resting = ""
		s.Show(next)
		s.CameUp()
	case !rests:
		s.resting = ""
		s.CameUp()
	}
}

// setAside sets a session aside, here at once and in the store.
func (o *sending) setAside(seat *Seat, s queue.Session) {
	until, deadline := s.LaterTimes(o.d.Now())
	s.LaterUntil, s.Deadline, s.FuseFrom = &until, deadline, o.d.Now()
	o.d.live.keep(s)
	o.d.seats.follow(s)
	c := seat.command(s.ID, queue.Later{})
	o.d.command(s.ID, c, func(_ queue.Session, err error) {
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			o.d.tell(NotLater{s.ID, err})
		}
		o.d.Refresh()
	})
}
