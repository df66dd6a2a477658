package queue

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// Transition applies c to s.At(now); changed says whether that left anything to store. It is pure: next shares nothing
// with s that it changed. It fails with ErrSettled, ErrUsed, ErrFinal, ErrFull, ErrPending, ErrNotDue or *Invalid, and
// returns s.At(now) beside the error, so that a surface can say who won. A command whose event is already there changes
// nothing, and neither does Expire: what the clock decided is in s.At(now).
func Transition(s Session, c Command, now time.Time) (next Session, changed bool, err error) {
	now = storedTime(now)
	s = s.At(now)
	if _, done := s.Event(c.ID); done && c.ID != "" {
		return s, false, nil
	}
	if s.Final {
		return s, false, ErrFinal
	}
	if s.IsMessage() && !takesMessage(c.Do) {
		return s, false, invalid("", "this is a message to an agent, no question", "")
	}
	switch a := c.Do.(type) {
	case Settle:
		return changing(s.settleByAnswer(a, c, now))
	case Cancel:
		return changing(s.cancelPending(a, c, now))
	case Move:
		return changing(s.moveDeadline(a, c, now))
	case Attach:
		return changing(s.attachForm(a, c, now))
	case Take:
		return s.takeClaim(a)
	case Release:
		return s.releaseClaim(a, now)
	case Collect:
		return changing(s.collectOutcome(a, c, now))
	case Deliver:
		return changing(s.deliverMessage(a, c, now))
	case Lapse:
		return changing(s.lapseUncollected(a, c, now))
	case Abandon:
		return s.cancelAbandoned(a, c, now)
	case Expire:
		return s, false, nil
	}
	return s, false, invalid("", fmt.Sprintf("%T is no action", c.Do), "")
}

// changing is the decision of an action that changes the session unless it fails.
func changing(next Session, err error) (Session, bool, error) { return next, err == nil, err }

func (s Session) settleByAnswer(a Settle, c Command, now time.Time) (Session, error) {
	if s.Outcome != nil {
		return s, ErrSettled
	}
	if s.Ask.Confirm && !a.Confirmed {
		return s, invalid("confirm", "is missing: this ask wants an explicit confirmation", "an explicit yes")
	}
	ans, err := s.Ask.Accept(a.Answer)
	if err != nil {
		return s, err
	}
	return s.withOutcome(Outcome{Status: statusOf(ans), By: c.By, Surface: c.Surface, Answer: ans, At: now}, c, now), nil
}

func (s Session) cancelPending(a Cancel, c Command, now time.Time) (Session, error) {
	if s.Outcome != nil {
		return s, ErrSettled
	}
	if !utf8.ValidString(a.Reason) || utf8.RuneCountInString(a.Reason) > MaxNote {
		return s, invalid("reason", "is too long or not valid UTF-8",
			fmt.Sprintf("at most %d characters of UTF-8 text", MaxNote))
	}
	return s.withOutcome(Outcome{Status: StatusCancelled, By: c.By, Surface: c.Surface, Reason: a.Reason, At: now}, c,
		now), nil
}

// cancelAbandoned decides on the session as it is now: a caller that came back since the sweep looked is not gone.
func (s Session) cancelAbandoned(a Abandon, c Command, now time.Time) (next Session, changed bool, err error) {
	if s.Outcome != nil {
		return s, false, ErrSettled
	}
	if !s.Bound() || !s.Gone(a.Alive) {
		return s, false, nil
	}
	gone := Outcome{Status: StatusCancelled, By: ByCaller, Surface: c.Surface, Reason: CallerGone, At: now}
	return s.withOutcome(gone, c, now), true, nil
}

func (s Session) withOutcome(o Outcome, c Command, now time.Time) Session {
	s.Outcome = &o
	s.Final = s.IsMessage() // nobody collects one
	return s.withEvent(c, EventSettled, o.Status, now)
}

func (s Session) moveDeadline(a Move, c Command, now time.Time) (Session, error) {
	if s.Outcome != nil {
		return s, ErrSettled
	}
	if (a.By == 0) == a.To.IsZero() {
		return s, invalid("move", "gives both or neither of a step and a time", "exactly one")
	}
	to := storedTime(a.To)
	if a.By != 0 {
		to = s.Deadline.Add(a.By)
	}
	if s.Deadline.IsZero() {
		return s, invalid("deadline", "is stopped", "")
	}
	if left := to.Sub(now); left < MinTimeout || left > MaxTimeout {
		return s, invalid("deadline", "would be "+left.Round(time.Second).String()+" from now", "1 s to 24 h from now")
	}
	if err := s.checkRoom(); err != nil {
		return s, err
	}
	from := s.Deadline
	s.Deadline, s.FuseFrom = to, now
	return s.withEvent(c, EventMoved, clockDetail(from, to), now), nil
}

func (s Session) attachForm(a Attach, c Command, now time.Time) (Session, error) {
	switch {
	case s.Attached != nil:
		return s, ErrUsed
	case s.Outcome != nil:
		return s, ErrSettled
	}
	if err := s.checkRoom(); err != nil {
		return s, err
	}
	s.Attached = &Attachment{Instance: a.Instance, Pane: a.Pane, At: now}
	return s.withEvent(c, EventAttached, a.Pane, now), nil
}

func (s Session) takeClaim(a Take) (next Session, changed bool, err error) {
	if s.Claim != nil && *s.Claim != a.Claim && *s.Claim != a.Over {
		return s, false, ErrUsed
	}
	o := s.Origin
	if a.Origin.Instance != "" {
		o.Pane, o.CallID, o.PID = a.Origin.Pane, a.Origin.CallID, a.Origin.PID
		o.Agent, o.Instance = a.Origin.Agent, a.Origin.Instance
	}
	held := s.Claim != nil && *s.Claim == a.Claim && s.DroppedAt == nil && s.Origin == o
	s.Claim, s.DroppedAt, s.Origin = &a.Claim, nil, o
	return s, !held, nil
}

func (s Session) releaseClaim(a Release, now time.Time) (next Session, changed bool, err error) {
	if s.Claim == nil || *s.Claim != a.Claim {
		return s, false, nil
	}
	s.Claim = nil
	if a.Dropped {
		s.DroppedAt = &now
	}
	return s, true, nil
}

func (s Session) collectOutcome(a Collect, c Command, now time.Time) (Session, error) {
	switch {
	case s.Outcome == nil:
		return s, ErrPending
	case s.Claim == nil || *s.Claim != a.Claim:
		return s, ErrUsed
	}
	s.Final = true
	return s.withEvent(c, EventCollected, "", now), nil
}

func (s Session) lapseUncollected(a Lapse, c Command, now time.Time) (Session, error) {
	switch {
	case s.Outcome == nil:
		return s, ErrPending
	case now.Sub(s.Outcome.At) < KeptFor:
		return s, ErrNotDue
	}
	s.Final = true
	return s.withEvent(c, EventLapsed, a.Reason, now), nil
}

// checkRoom keeps the last events free for settle, collect and lapse.
func (s Session) checkRoom() error {
	if len(s.Events) >= MaxEvents-reservedEvents {
		return ErrFull
	}
	return nil
}

// withEvent appends the command's event, never dated before the one before it.
func (s Session) withEvent(c Command, kind, detail string, at time.Time) Session {
	at = storedTime(at)
	if n := len(s.Events); n > 0 && at.Before(s.Events[n-1].At) {
		at = s.Events[n-1].At
	}
	s.Events = append(slices.Clip(s.Events),
		Event{ID: c.ID, Kind: kind, By: c.By, Surface: c.Surface, Detail: detail, At: at})
	return s
}

// storedTime is a time as the store keeps it: UTC, whole milliseconds, no monotonic reading.
func storedTime(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Millisecond)
}
