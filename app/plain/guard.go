package plain

import "time"

const (
	// settle is how long a question must have been on view before a line may answer it.
	settle = 500 * time.Millisecond
	// pasted is the time two lines of a paste, or a bouncing Enter, are apart at the most.
	pasted = 50 * time.Millisecond
)

// guard keeps lines from answering what they were not meant for: those that came before the question was there. A
// script that answers the one question it was given by name has no eyes to be protected.
type guard struct {
	arrival, step time.Duration // waits after a question by itself, after one that the person brought up
	since         time.Time
}

func newGuard(o Options) guard {
	switch {
	case o.Typed:
		return guard{arrival: settle, step: pasted}
	case o.Attach == "":
		return guard{arrival: settle}
	}
	return guard{}
}

// appeared notes a question, a review or a confirmation that has just been written.
func (g *guard) appeared(now time.Time) { g.wait(now, g.arrival) }

// prompted notes a line that asks whether to send, and a question that the person brought up.
func (g *guard) prompted(now time.Time) { g.wait(now, g.step) }

func (g *guard) wait(now time.Time, d time.Duration) {
	if d > 0 && now.Add(d).After(g.since) {
		g.since = now.Add(d)
	}
}

// early reports whether a line came too soon to be an answer.
func (g *guard) early(at time.Time) bool { return at.Before(g.since) }
