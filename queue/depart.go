package queue

import "slices"

// depart closes a session that goes on elsewhere, whether it was answered or not: nobody can collect it here.
func depart(d decision, a Depart) (Session, error) {
	s := d.session
	var c checker
	c.checkText("to", a.To, MaxNote, true)
	if len(c.problems) > 0 {
		return s, &Invalid{Problems: c.problems}
	}
	if s.Outcome == nil {
		s.Outcome = &Outcome{Status: StatusCancelled, By: d.command.By, Surface: d.command.Surface,
			Reason: "moved to " + a.To, ReasonCode: ReasonMoved, At: d.now}
	}
	s.Final = true
	return s.withEvent(d.command, EventDeparted, a.To, d.now), nil
}

// Undeparted is a session as it was before it was moved to another queue, and whether it was moved. That is what goes
// on there.
func Undeparted(s Session) (before Session, moved bool) {
	n := len(s.Events)
	if n == 0 || s.Events[n-1].Kind != EventDeparted {
		return s, false
	}
	if s.Outcome != nil && s.Outcome.ReasonCode == ReasonMoved {
		s.Outcome = nil
	}
	s.Final = false
	s.Events = slices.Clip(s.Events[:n-1])
	return s, true
}
