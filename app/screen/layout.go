package screen

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/question"
)

// The least terminal that can show a question safely.
const (
	leastWidth  = 30
	leastHeight = 10
)

// areas holds the rectangles of the ground: rules, question, peek, queue, settings. It is a pure function of
// the size and the state, see share.
type areas struct {
	wide     bool
	rule     ink.Rect // over the question; wide: over its column
	listRule ink.Rect // wide only: over the queue
	question ink.Rect
	fit      question.Fit
	came     ink.Rect // the rows of the peek when the question came up
	peek     ink.Rect // right of the question, or the part of came that it leaves free now; its first row is its rule
	queue    ink.Rect // the strip, or the list when wide
	needed   int      // rows of the strip that are for agents that need the person in their own panes
	divider  ink.Rect // wide only: one column
	answers  ink.Rect // wide only, below the list; its first row is its rule
	settings ink.Rect // wide only, below these; its first row is its rule
	button   ink.Rect // the Enter line, one row below the options; empty: it is in the foot
	lower    ink.Rect // the rule over the strip; wide: over the foot
}

// needs lists the parts of the ground that share its rows.
type needs struct {
	panes.Beside
	question fitter
	focused  bool // the queue has the focus
	finding  bool // a line narrows the queue
	inside   bool // the settings beside the question have the focus
	needed   int  // agents that need the person in their own panes
	settings int  // rows that they take where they have all they want

	typing bool // a line is typed over the lowest rows

	stays bool     // the question was there before, and the screen had the same size
	came  ink.Rect // then: the rows of the peek when it came up

	one     int                // rows that the queue takes with one row for each question
	list    func(rows int) int // how many of so many rows the queue takes as a list
	answers func(rows int) int // and today's last answers, without their rule
}

// fitter lets the question take part in sharing the rows.
type fitter interface {
	Fit(w, total, strip int) question.Fit
	Squeezed(whole question.Fit, w, rows int) question.Fit // while the queue has most rows
}

// From buttonFrom rows on, the button is below the options.
const buttonFrom = 12

// buttonRows are the rows of the button, with the blank one above it.
const buttonRows = 2

// share shares w×h cells: a whole screen without the foot. Where the button is below the options, the foot has one row
// less, and the areas have h+1 rows.
func share(w, h int, n needs) areas {
	if h >= buttonFrom {
		g := panes.GroundOf(w, h+1, n.Beside)
		fit := n.question.Fit(g.Area.W, g.Area.H-buttonRows, g.Strip)
		switch {
		case !fit.Whole():
		case n.typing, g.List == 0 && n.focused: // the question keeps its rows, and the foot has the line for now
			fit.H++
			return shareRows(w, h, panes.GroundOf(w, h, n.Beside), fit, n)
		default:
			fit.H += buttonRows
			a := shareRows(w, h+1, g, fit, n)
			q := a.question
			a.button = ink.Rect{X: q.X, Y: q.Y + a.fit.H - a.fit.Free - 1, W: q.W - 1, H: 1}
			return a
		}
	}
	g := panes.GroundOf(w, h, n.Beside)
	return shareRows(w, h, g, n.question.Fit(g.Area.W, g.Area.H, g.Strip), n)
}

// shareRows shares w×h cells with a question that has its fit.
func shareRows(w, h int, g panes.Ground, fit question.Fit, n needs) areas {
	if g.List > 0 {
		return shareWide(w, h, g, fit, n)
	}
	a := areas{rule: g.Rule, fit: fit}
	a.place(w)
	a.came = n.cameWith(a)
	if n.focused && !n.Alone {
		a.giveToQueue(w, n)
	}
	a.giveToNeeded(w, n)
	a.giveToPeek()
	return a
}

// giveToNeeded gives rows that the question leaves empty, but for one that sets it apart, to the agents that need the
// person in their own panes.
func (a *areas) giveToNeeded(w int, n needs) {
	a.needed = min(n.needed, max(a.fit.Free-1, 0))
	a.fit.H -= a.needed
	a.fit.Free -= a.needed
	a.place(w)
	a.queue.H += a.needed
}

// place puts question, rule and strip below each other, as the fit has them.
func (a *areas) place(w int) {
	a.question = ink.Rect{Y: 1, W: w, H: a.fit.H}
	a.lower = ink.Rect{Y: 1 + a.fit.H, W: w, H: 1}
	a.queue = ink.Rect{Y: 2 + a.fit.H, W: w, H: a.fit.Strip}
}

// enoughRows suffice for a queue with the focus.
const enoughRows = 4

// giveToQueue gives rows of the form to the strip while the queue has the focus, if it has too few to move in: as many
// as it needs, up to two thirds, and one more for what is typed to narrow it. The form comes back as it was.
func (a *areas) giveToQueue(w int, n needs) {
	typed := 0
	if n.finding {
		typed = 1
	}
	total := a.fit.H + a.fit.Strip
	strip := min(max(n.Waiting, 1)+typed, total*2/3)
	if a.fit.Strip >= min(n.Waiting, enoughRows)+typed || strip <= a.fit.Strip {
		return
	}
	a.fit = n.question.Squeezed(a.fit, w, total-strip)
	a.fit.Strip = strip
	a.place(w)
}

func shareWide(w, h int, g panes.Ground, fit question.Fit, n needs) areas {
	a := areas{wide: true,
		listRule: ink.Rect{W: g.List, H: 1},
		queue:    ink.Rect{Y: 1, W: g.List, H: h - 2},
		divider:  ink.Rect{X: g.List, W: 1, H: h},
		rule:     g.Rule,
		question: g.Area,
		fit:      fit,
		lower:    ink.Rect{Y: h - 1, W: w, H: 1},
	}
	if g.Right.Empty() {
		a.came = n.cameWith(a)
		a.giveToPeek()
	} else {
		a.peek = g.Right
	}
	a.giveToSettings(n)
	a.giveToAnswers(n)
	return a
}

// giveToSettings gives the last rows of the left column to the settings, if the queue has room for every question in a
// row of its own without them, and a few rows while they have the focus.
func (a *areas) giveToSettings(n needs) {
	const least = 3
	rows := min(a.queue.H-n.one-1, n.settings)
	if n.inside {
		rows = max(rows, least)
	}
	if rows < least || a.queue.H-rows-1 < 2 {
		return
	}
	a.queue.H -= rows + 1
	a.settings = ink.Rect{X: a.queue.X, Y: a.queue.Y + a.queue.H, W: a.queue.W, H: rows + 1}
}

// giveToAnswers gives today's last answers the rows between queue and settings, below a blank one. They are next to the
// settings, so that a queue that grows takes empty rows first.
func (a *areas) giveToAnswers(n needs) {
	rows := n.answers(a.queue.H - n.list(a.queue.H) - 2)
	if rows <= 0 {
		return
	}
	a.queue.H -= rows + 1
	a.answers = ink.Rect{X: a.queue.X, Y: a.queue.Y + a.queue.H, W: a.queue.W, H: rows + 1}
}

// The rows of the peek, its rule included.
const (
	leastPeek = 3
	mostPeek  = 13
)

// empty returns the rows that the question leaves empty, less a blank row below it.
func (a *areas) empty() ink.Rect {
	q := a.question
	free := max(a.fit.Free-1, 0)
	return ink.Rect{X: q.X, Y: q.Y + a.fit.H - free, W: q.W, H: free}
}

// cameWith returns the rows of the peek when the question came up: the first of those that it left empty.
func (n needs) cameWith(a areas) ink.Rect {
	if n.stays {
		return n.came
	}
	came := a.empty()
	came.H = min(came.H, mostPeek)
	return came
}

// giveToPeek gives the peek those rows of came that are still free. Everything else that needs them gets them first.
// The peek never moves to a row where something else was shown.
func (a *areas) giveToPeek() {
	left := a.empty()
	from := max(a.came.Y, left.Y)
	to := min(a.came.Y+a.came.H, left.Y+left.H)
	if to-from >= leastPeek {
		a.peek = ink.Rect{X: left.X, Y: from, W: left.W, H: to - from}
	}
}
