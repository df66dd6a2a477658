package panes

import "github.com/choicetui/choicetui/panes/ink"

// WideFrom is the least width at which the queue is left of the question.
const WideFrom = 100

// ListWidth returns the width of the queue left of the question; 0: it is below.
func ListWidth(w int) int {
	switch {
	case w < WideFrom:
		return 0
	case w >= 240:
		return 64
	case w >= 160:
		return 50
	}
	return 40
}

// measure is the most cells that rows of text and signs take: beyond it the eye would have to travel. Code, diffs and
// tables in a prompt use all.
const measure = 100

// Measured returns how many of w cells text takes, and the clock above it.
func Measured(w int) int { return min(w, measure) }

// Beside describes what else wants cells of the screen of a question.
type Beside struct {
	Waiting int  // how many wait, the one on view included while it is pending
	Over    bool // the one on view is over
	Alone   bool // opened on one question (attach): the queue is left of it or nowhere
}

// Ground is a question's part of a screen, which it may share with the queue.
type Ground struct {
	List  int      // cells of the queue left of it; 0: the queue is a strip below it
	Rule  ink.Rect // over the question
	Area  ink.Rect // the question, and the strip: both have so many rows together, besides the rule between them
	Right ink.Rect // right of the question, for what the agent was doing; empty: there is no room
	Strip int      // rows that the strip may have
}

// On a screen wider than narrowFrom the question takes at most mostWide cells, and leastRight cells that are left show
// what the agent was doing.
const (
	narrowFrom = 140
	mostWide   = 100
	leastRight = 36
)

// GroundOf returns the question's part of w×h cells: a whole screen without the foot. It is a pure function, for the
// screen and for a room that is tested alone.
func GroundOf(w, h int, b Beside) Ground {
	if list := ListWidth(w); list > 0 {
		g := Ground{List: list, Rule: ink.Rect{X: list + 1, W: w - list - 1, H: 1},
			Area: ink.Rect{X: list + 2, Y: 1, W: w - list - 2, H: h - 2}}
		if rest := g.Area.W - mostWide - 2; w > narrowFrom && rest > -2 {
			g.Area.W = mostWide
			if rest >= leastRight {
				g.Right = ink.Rect{X: g.Area.X + mostWide + 2, Y: 1, W: rest, H: g.Area.H}
			}
		}
		return g
	}
	g := Ground{Rule: ink.Rect{W: w, H: 1}, Area: ink.Rect{Y: 1, W: w, H: h - 2}}
	others := b.Waiting - 1
	if b.Over { // all that wait are others
		others = b.Waiting
	}
	if others > 0 && !b.Alone {
		g.Strip = min(b.Waiting, (h+2)/3)
	}
	return g
}
