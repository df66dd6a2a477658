package plain

import (
	"time"

	"github.com/choicetui/choicetui/app/desk"
)

// pasted is the time two lines of a paste are apart at the most.
const pasted = 10 * time.Millisecond

// guard keeps lines from answering what they were not meant for: those that came before the question was there. A
// script that answers the one question it was given by name has no eyes to be protected.
//
// It stands beside desk.Guard, which guards keys. A key is judged at once, from when the seat put something on view. A
// line is judged by when it came, which may be long before it is read, and from when the question was written, which
// may be long after the seat has it, as text under way keeps it back. What the person's own line brings up needs no
// wait but that of a paste, and no line is typing that was meant for another pane: what means nothing is said to do so.
type guard struct {
	arrival, step time.Duration // waits after what came by itself, after what the person's own line brought up
	since         time.Time     // what chooses, writes or sends counts from here on
	sends         time.Time     // what only says yes to the line before
}

func newGuard(o Options) guard {
	switch {
	case o.Typed:
		return guard{arrival: desk.Settle, step: pasted}
	case o.Attach == "":
		return guard{arrival: desk.Settle}
	}
	return guard{}
}

// appeared notes a question, a review or a confirmation that has just been written.
func (g *guard) appeared(now time.Time) { g.since = after(now, g.arrival) }

// opened notes a question that the person brought up.
func (g *guard) opened(now time.Time) { g.since = after(now, g.step) }

// prompted notes a line that asks whether to send.
func (g *guard) prompted(now time.Time) { g.sends = after(now, g.step) }

func after(now time.Time, wait time.Duration) time.Time {
	if wait == 0 {
		return time.Time{}
	}
	return now.Add(wait)
}

// early reports whether a line came too soon to be an answer; sends: it says yes to what was asked last.
func (g *guard) early(at time.Time, sends bool) bool {
	return at.Before(g.since) || sends && at.Before(g.sends)
}
