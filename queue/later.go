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

// setAside is the action Later.
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
