package desk

import (
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// ErrLaterAttached says that a question cannot be set aside because it is open in its own form.
var ErrLaterAttached = errors.New("attached elsewhere")

// LaterTimes returns what setting the session on view aside now would mean: when it comes back, and when its agent says
// that it gives up, if that is why it comes back so soon; else givesUp is zero. The error says why it cannot be set
// aside: ErrOver, ErrSending, ErrLaterAttached or an error of queue.Session.MayLater.
func (s *View) LaterTimes() (until, givesUp time.Time, err error) {
	on, pending := s.Pending()
	switch {
	case !pending:
		return until, givesUp, ErrOver
	case s.d.outbox.Of(on.ID) != nil:
		return until, givesUp, ErrSending
	case on.ID == s.d.o.Attach, on.Attached != nil && s.d.live.Alive(on.Attached.Instance):
		return until, givesUp, ErrLaterAttached
	}
	now := s.d.Now()
	if err := on.MayLater(now); err != nil {
		return until, givesUp, err
	}
	until, _ = on.LaterTimes(now)
	if at, said := on.GivesUp(); said && until.Before(at) && at.Sub(until) <= queue.LaterMargin {
		givesUp = at
	}
	return until, givesUp, nil
}

// Later sets the session on view aside and shows another open question, if there is one. The error is that of
// LaterTimes.
func (s *View) Later() error {
	if _, _, err := s.LaterTimes(); err != nil {
		return err
	}
	on := s.Session()
	s.SaveDraft()
	s.d.setAside(s, on)
	s.Guard.noteSent()
	if next := s.nextOpen(); next != "" {
		s.Show(next)
		s.BroughtUp()
	} else {
		s.paused = on.ID
	}
	return nil
}

// Paused reports whether the question on view was set aside here while no other question was open. Such a question
// is paused: it stays on view, but the frontend shows only until, the time at which it can be answered again.
func (s *View) Paused() (until time.Time, paused bool) {
	on, pending := s.Pending()
	if s.paused == "" || s.Up() != s.paused || !pending || on.LaterUntil == nil || !s.d.Now().Before(*on.LaterUntil) {
		return time.Time{}, false
	}
	return *on.LaterUntil, true
}

// Resume lets the person answer the paused question now. It takes back, here and in the store, that the question was
// set aside.
func (s *View) Resume() {
	s.paused = ""
	if on, pending := s.Pending(); pending {
		on.LaterUntil = nil
		s.d.live.keepSession(on)
		s.d.views.followSession(on)
		s.d.runCommand(on.ID, s.command(on.ID, queue.Later{Back: true}), func(queue.Session, error) { s.d.Refresh() })
	}
	s.BroughtUp()
}

// resumeIfDue lets a paused question (see Paused) be answered again once its time is over. If another question has
// become open before that, resumeIfDue shows that one.
func (s *View) resumeIfDue() {
	if s.paused == "" {
		return
	}
	_, paused := s.Paused()
	switch next := s.nextOpen(); {
	case paused && next != "":
		s.paused = ""
		s.Show(next)
		s.CameUp()
	case !paused:
		s.paused = ""
		s.CameUp()
	}
}

// setAside sets a session aside, here at once and then in the store.
func (d *Desk) setAside(view *View, s queue.Session) {
	until, deadline := s.LaterTimes(d.Now())
	s.LaterUntil, s.Deadline, s.CountdownFrom = &until, deadline, d.Now()
	d.live.keepSession(s)
	d.views.followSession(s)
	c := view.command(s.ID, queue.Later{})
	d.runCommand(s.ID, c, func(_ queue.Session, err error) {
		if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
			d.tell(NotLater{s.ID, err})
		}
		d.Refresh()
	})
}
