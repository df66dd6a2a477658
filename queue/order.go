package queue

import (
	"cmp"
	"slices"
	"time"
)

// Standing says whom a pending question hurries; later ones are listed below earlier ones.
type Standing int

// Standings, most urgent first.
const (
	StandingOpen     Standing = iota
	StandingLater             // set aside for a while
	StandingAttached          // open in a hand-off form elsewhere
	StandingPerhaps           // probably answered at its agent
	StandingTeam              // with the team, and waited for: the clock is stopped
	StandingParked            // with the team, while the person continues
	StandingOthers            // meant for other people
	StandingGone              // no caller waits
)

// Waiting is a pending session with its place in the queue.
type Waiting struct {
	Session
	Standing Standing
}

// WaitingOrder returns the pending questions of live as the clock left them, in queue order: what is meant for this
// person, soonest deadline first, then arrival; below those what hurries nobody. alive says whether an instance's
// process runs. person is empty where one person has the queue.
func WaitingOrder(live []Session, alive func(instance string) bool, person string, now time.Time) []Waiting {
	order := make([]*Waiting, 0, len(live)) // sessions are large: sort pointers
	for i := range live {
		if s := live[i].At(now); s.Pending() && !s.IsMessage() {
			order = append(order, &Waiting{Session: s, Standing: standingOf(s, alive, person, now)})
		}
	}
	slices.SortFunc(order, func(a, b *Waiting) int {
		return cmp.Or(cmp.Compare(a.Standing, b.Standing), -compareBool(a.meant(person), b.meant(person)),
			a.Deadline.Compare(b.Deadline), a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
	out := make([]Waiting, len(order))
	for i, w := range order {
		out[i] = *w
	}
	return out
}

// meant reports whether a question that hurries somebody names this person.
func (w *Waiting) meant(person string) bool {
	return person != "" && w.Standing == StandingOpen && w.Ask.MeantFor(person)
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

// standingOf is whom a session hurries.
func standingOf(s Session, alive func(string) bool, person string, now time.Time) Standing {
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
