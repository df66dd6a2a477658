package panes

import "github.com/choicetui/choicetui/panes/ink"

// WideFrom is the least width at which the queue is left of the question.
const WideFrom = 100

// ListWidth returns the width of the queue left of the question; 0: the queue is below the question.
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

// measure is the most cells that a row of text takes, because longer rows are hard to read. Code, diffs and tables in a
// prompt use the whole width.
const measure = 100

// Measured returns how many of w cells a row of text takes at most. The line above the text, which shows the time left,
// has the same width.
func Measured(w int) int { return min(w, measure) }

// Beside describes what is on screen besides a question and needs cells too.
type Beside struct {
	Waiting int  // the number of pending questions, with the one on view if it is pending
	Over    bool // the question on view has ended
	Alone   bool // the screen was opened on one question: no queue is shown below it
}

// Ground is a question's part of a screen, which it may share with the queue.
type Ground struct {
	List       int      // the cells of the queue left of the question; 0: the queue is a strip of rows below it
	Divider    ink.Rect // the line over the question
	Area       ink.Rect // the question; if there is a strip, both share its rows, without the line between them
	Right      ink.Rect // right of the question, for what the agent was doing; empty: no room is left
	QueueStrip int      // the most rows that the strip may have
}

// On a screen wider than narrowFrom the question takes at most mostWide cells. If at least leastRight cells are left,
// they show what the agent was doing.
const (
	narrowFrom = 140
	mostWide   = 100
	leastRight = 36
)

// GroundOf returns the question's part of w×h cells. The cells are a whole screen without its footer, the two lines at
// the bottom. It is a pure function, for the screen and for a room that is tested alone.
func GroundOf(w, h int, b Beside) Ground {
	if list := ListWidth(w); list > 0 {
		g := Ground{List: list, Divider: ink.Rect{X: list + 1, W: w - list - 1, H: 1},
			Area: ink.Rect{X: list + 2, Y: 1, W: w - list - 2, H: h - 2}}
		if rest := g.Area.W - mostWide - 2; w > narrowFrom && rest > -2 {
			g.Area.W = mostWide
			if rest >= leastRight {
				g.Right = ink.Rect{X: g.Area.X + mostWide + 2, Y: 1, W: rest, H: g.Area.H}
			}
		}
		return g
	}
	g := Ground{Divider: ink.Rect{W: w, H: 1}, Area: ink.Rect{Y: 1, W: w, H: h - 2}}
	others := b.Waiting - 1
	if b.Over { // the question on view is not pending, so every pending question is another one
		others = b.Waiting
	}
	if others > 0 && !b.Alone {
		g.QueueStrip = min(b.Waiting, (h+2)/3)
	}
	return g
}
