package queue

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Standing ranks a pending question by how much it concerns this person now. Questions with a lower Standing are
// listed first.
type Standing int

// Standings, most urgent first.
const (
	StandingOpen     Standing = iota
	StandingLater             // set aside for a while
	StandingAttached          // open in a hand-off form elsewhere
	StandingPerhaps           // probably answered at its agent
	StandingTeam              // with the team while the person waits: the clock is stopped
	StandingParked            // with the team, while the person continues
	StandingOthers            // meant for other people
	StandingGone              // no caller waits
)

// Waiting is a pending session with its Standing. All readers share the session and must not change it.
type Waiting struct {
	*Session
	Standing Standing
}

// WaitingOrder returns the pending questions of live in queue order, by s.At(now): by Standing, then questions meant
// for this person, then the soonest deadline, then arrival. alive reports whether an instance's process runs. person
// is empty if one person has the queue.
func WaitingOrder(live []Session, alive func(instance string) bool, person string, now time.Time) []Waiting {
	each := func(yield func(*Session) bool) {
		for i := range live {
			if !yield(&live[i]) {
				return
			}
		}
	}
	return WaitingAmong(each, alive, person, now)
}

// WaitingAmong returns the WaitingOrder of the sessions of a sequence.
func WaitingAmong(live iter.Seq[*Session], alive func(instance string) bool, person string, now time.Time) []Waiting {
	type ranked struct {
		*Session
		standing Standing
		meant    bool // the question is open and names this person
	}
	var order []ranked
	for s := range live {
		if s.Outcome != nil || s.IsMessage() || !s.At(now).Pending() {
			continue
		}
		standing := standingOf(s, alive, person, now)
		meant := person != "" && standing == StandingOpen && s.Ask.MeantFor(person)
		order = append(order, ranked{s, standing, meant})
	}
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.standing, b.standing), -compareBool(a.meant, b.meant),
			a.Deadline.Compare(b.Deadline), a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
	out := make([]Waiting, len(order))
	for i, p := range order {
		out[i] = Waiting{p.Session, p.standing}
	}
	return out
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// standingOf returns the rank of a pending session.
func standingOf(s *Session, alive func(string) bool, person string, now time.Time) Standing {
	_, aside := s.AsideUntil(now)
	switch {
	case s.Attached != nil && alive(s.Attached.Instance):
		return StandingAttached
	case s.Parked():
		return StandingParked
	case s.Deadline.IsZero():
		return StandingTeam
	case s.Gone(alive):
		return StandingGone
	case s.Perhaps != "":
		return StandingPerhaps
	case s.Ask.MeantForOthers(person):
		return StandingOthers
	case aside:
		return StandingLater
	}
	return StandingOpen
}
