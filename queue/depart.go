package queue

import "slices"

// A session that moves to another queue leaves a closed copy behind. All copies of a session share one audit trail,
// which is only appended to, and each departure adds an event to it. So of two copies the one with the longer trail
// is the newer one, whichever way the session moved:
//
//	here   asked, departed to there                           closed
//	there  asked, departed to there, departed to here         closed
//	here   asked, departed to there, departed to here, …      the session came back, and continues
//
// A departed copy stays live, and final, until the session has arrived; only then the copy is archived. After a power
// cut, a copy that is still live therefore shows that the session may not have arrived yet.

// departSession closes the copy of a session that continues elsewhere. An answered session is closed as well, so that
// nobody collects its answer here.
func departSession(d decision, a Depart) (Session, error) {
	s := d.session
	var c checker
	c.checkText("to", a.To, MaxNote, required)
	if len(c.problems) > 0 {
		return s, &Invalid{Problems: c.problems}
	}
	if len(s.Events) >= MaxEvents-leftToEnd { // the other queue has to settle and collect it
		return s, ErrFull
	}
	if s.Outcome == nil {
		s.Outcome = &Outcome{Status: StatusCancelled, By: d.command.By, Surface: d.command.Surface,
			Reason: "moved to " + a.To, ReasonCode: ReasonMoved, At: d.now}
	}
	s.Final = true
	return s.withEvent(d.command, EventDeparted, a.To, d.now), nil
}

// leftToEnd is the smallest number of free events with which a session may depart.
const leftToEnd = reservedEvents / 2

// Departed returns the place where the session continues if it was closed here in order to move. departed is false
// for any other session.
func Departed(s Session) (to string, departed bool) {
	n := len(s.Events)
	if !s.Final || n == 0 || s.Events[n-1].Kind != EventDeparted {
		return "", false
	}
	return s.Events[n-1].Detail, true
}

// Arriving returns a departed session in the form in which it continues at the other place: with the outcome it had
// before the move, and with the whole trail.
func Arriving(s Session) Session {
	if s.Outcome != nil && s.Outcome.ReasonCode == ReasonMoved {
		s.Outcome = nil
	}
	s.Final = false
	return s
}

// Continues reports whether s is a copy of other in the same or a later state: s's trail begins with other's whole
// trail.
func Continues(s, other Session) bool {
	if len(s.Events) < len(other.Events) {
		return false
	}
	return slices.EqualFunc(s.Events[:len(other.Events)], other.Events, func(a, b Event) bool {
		return a.ID == b.ID && a.Kind == b.Kind && a.At.Equal(b.At)
	})
}

// Supersedes reports whether other is a departed copy of a session and s is the session after that departure. A
// program of an older version may also archive a copy while the team is being told; a copy that says so is superseded
// as well.
func Supersedes(s, other Session) bool {
	if !Continues(s, other) {
		return false
	}
	longer := len(s.Events) > len(other.Events)
	if _, left := Departed(other); !left {
		return other.Final && other.OwesTeam() && longer
	}
	_, left := Departed(s)
	return !left || longer
}
