package queue

import "slices"

// A session that moves to another queue leaves a copy behind, which is closed. All copies of a session share one trail,
// which is only ever appended to, and each departure is an event in it. So of two copies the one with the longer trail
// is the newer one, whichever way it went:
//
//	here   asked, departed to there                           closed
//	there  asked, departed to there, departed to here         closed
//	here   asked, departed to there, departed to here, …      it came back, and continues
//
// A departed copy stays live, and final, until the session has arrived; only then it is archived. Thus what was on its
// way when somebody pulled the plug is told from what arrived long ago.

// depart closes a session that continues elsewhere, whether it was answered or not: nobody can collect it here.
func depart(d decision, a Depart) (Session, error) {
	s := d.session
	var c checker
	c.checkText("to", a.To, MaxNote, true)
	if len(c.problems) > 0 {
		return s, &Invalid{Problems: c.problems}
	}
	if len(s.Events) >= MaxEvents-leftToEnd { // at the other place it has to be settled and collected
		return s, ErrFull
	}
	if s.Outcome == nil {
		s.Outcome = &Outcome{Status: StatusCancelled, By: d.command.By, Surface: d.command.Surface,
			Reason: "moved to " + a.To, ReasonCode: ReasonMoved, At: d.now}
	}
	s.Final = true
	return s.withEvent(d.command, EventDeparted, a.To, d.now), nil
}

// leftToEnd is the least number of events that a departing session has left.
const leftToEnd = reservedEvents / 2

// Departed returns the place where a session continues that was closed here to move there; departed is false for other
// sessions.
func Departed(s Session) (to string, departed bool) {
	n := len(s.Events)
	if !s.Final || n == 0 || s.Events[n-1].Kind != EventDeparted {
		return "", false
	}
	return s.Events[n-1].Detail, true
}

// Moved reports whether a session was at another place before, or continues at one.
func Moved(s Session) bool {
	return slices.ContainsFunc(s.Events, func(e Event) bool { return e.Kind == EventDeparted })
}

// Arriving returns a departed session as it continues at the other place: in its former state, with a trail that tells
// how it came there.
func Arriving(s Session) Session {
	if s.Outcome != nil && s.Outcome.ReasonCode == ReasonMoved {
		s.Outcome = nil
	}
	s.Final = false
	return s
}

// Continues reports whether a session is another copy, or what became of it: the other's trail begins its own.
func Continues(s, other Session) bool {
	if len(s.Events) < len(other.Events) {
		return false
	}
	return slices.EqualFunc(s.Events[:len(other.Events)], other.Events, func(a, b Event) bool {
		return a.ID == b.ID && a.Kind == b.Kind && a.At.Equal(b.At)
	})
}

// Supersedes reports whether another copy of a session departed, and this one arrived or came of it. An older program
// may also archive a copy while its team is being told: the one that says so supersedes it.
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
