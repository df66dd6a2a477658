package queue

import (
	"errors"
	"time"
)

// LaterFor is how long a question is set aside.
const LaterFor = 10 * time.Minute

// Why a question is not set aside. Match with errors.Is.
var (
	ErrLaterApproval = errors.New("an approval is not set aside")
	ErrLaterCall     = errors.New("its agent waits for a time of its own and no longer")
	ErrLaterStopped  = errors.New("its clock stands still, so it hurries nobody")
)

// MayLater says why the session cannot be set aside: it is over, an approval, a call that waits for a time of its own,
// or its clock stands still. nil: it can. Call it on s.At(now).
func (s Session) MayLater() error {
	switch {
	case s.Outcome != nil:
		return ErrSettled
	case s.Ask.Kind == KindApproval:
		return ErrLaterApproval
	case s.Bound() && s.Ask.WaitsSeconds > 0:
		return ErrLaterCall
	case s.Deadline.IsZero():
		return ErrLaterStopped
	}
	return s.checkRoom()
}

// LaterTimes are until when the session is set aside at a time, and to when its deadline moves: as far as the question
// is put off, which is less than LaterFor where it was put off already, and a day from now at most.
func (s Session) LaterTimes(now time.Time) (until, deadline time.Time) {
	now = storedTime(now)
	until = now.Add(LaterFor)
	from := now
	if was, aside := s.AsideUntil(now); aside {
		from = was
	}
	deadline = s.Deadline.Add(until.Sub(from))
	if most := now.Add(MaxTimeout); deadline.After(most) {
		deadline = most
	}
	return until, deadline
}

// AsideUntil is until when a person has set the session aside; false: it is not, or not any more.
func (s Session) AsideUntil(now time.Time) (until time.Time, aside bool) {
	if s.Outcome != nil || s.LaterUntil == nil || !now.Before(*s.LaterUntil) {
		return time.Time{}, false
	}
	return *s.LaterUntil, true
}

// GivesUp is when the caller stops waiting by its own word, counted from when it asked; false: it did not say.
func (s Session) GivesUp() (at time.Time, said bool) {
	if s.Ask.WaitsSeconds == 0 {
		return time.Time{}, false
	}
	return s.AskedAt.Add(time.Duration(s.Ask.WaitsSeconds) * time.Second), true
}

func (d decision) setAside() (Session, error) {
	s := d.session
	if err := s.MayLater(); err != nil {
		return s, err
	}
	until, deadline := s.LaterTimes(d.now)
	detail := "until " + until.Format(time.RFC3339)
	if !deadline.Equal(s.Deadline) {
		detail += ", deadline " + clockDetail(s.Deadline, deadline)
	}
	s.LaterUntil, s.Deadline, s.FuseFrom = &until, deadline, d.now
	return s.withEvent(d.command, EventLater, detail, d.now), nil
}
