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

// areas holds the rectangles of everything on screen while no page is in front. shareScreen computes them from the size
// and the state alone. A divider is a horizontal line with words in it.
type areas struct {
	wide        bool
	divider     ink.Rect // the line over the question; on a wide screen over its column
	listDivider ink.Rect // only on a wide screen: the line over the queue
	question    ink.Rect
	fit         question.Fit
	firstPeek   ink.Rect // the rows that the peek had when the question came up
	peek        ink.Rect // right of the question, else the rows of firstPeek that are free; its first row is a divider
	queue       ink.Rect // the queue: a strip of rows below the question, on a wide screen a list left of it
	needed      int      // the rows of the strip for agents that need the person in their own panes
	column      ink.Rect // only on a wide screen: the vertical line between queue and question
	answers     ink.Rect // only on a wide screen: below the list; its first row is a divider
	settings    ink.Rect // only on a wide screen: below the answers; its first row is a divider
	button      ink.Rect // the Enter line, one row below the options; empty: it is in the footer
	lower       ink.Rect // the line over the strip; on a wide screen the line over the footer
}

// needs says what each part of the screen needs, so that shareScreen can share the rows among them.
type needs struct {
	panes.Beside
	question        fitter
	focused         bool // the queue has the focus
	finding         bool // the filter of the queue is being typed
	settingsFocused bool // the settings beside the question have the focus
	needed          int  // agents that need the person in their own panes
	settings        int  // rows that the settings take if there is room for all of them

	typing bool // a text is typed over the lowest rows

	sameQuestion bool     // the same question was on view before, on a screen of the same size
	firstPeek    ink.Rect // if sameQuestion: the rows that the peek had when the question came up

	oneRowEach int                // the rows of the queue with one row for each question
	list       func(rows int) int // returns how many of a number of rows the list of questions takes
	answers    func(rows int) int // returns the same for today's last answers, without the line above them
}

// fitter is the question's room, as far as sharing the rows needs it.
type fitter interface {
	Fit(w, total, strip int) question.Fit
	Squeezed(whole question.Fit, w, rows int) question.Fit // the fit while the queue has most of the rows
}

// buttonFrom is the number of rows from which the button (the Enter line) is below the options and not in the footer.
const buttonFrom = 12

// buttonRows is the number of rows of the button, with the blank row above it.
const buttonRows = 2

// shareScreen shares w×h cells: a whole screen without the footer. If the button is below the options, the footer has
// one row less, and the areas have h+1 rows.
func shareScreen(w, h int, n needs) areas {
	if h >= buttonFrom {
		g := panes.GroundOf(w, h+1, n.Beside)
		fit := n.question.Fit(g.Area.W, g.Area.H-buttonRows, g.QueueStrip)
		switch {
		case !fit.Whole(): // no rows are left for the button below the options
		case n.typing, g.List == 0 && n.focused: // the question keeps its rows, and the button is in the footer for now
			fit.H++
			return shareRows(w, h, panes.GroundOf(w, h, n.Beside), fit, n)
		default:
			fit.H += buttonRows
			a := shareRows(w, h+1, g, fit, n)
			q, used := a.question, a.fit.H-a.fit.Free // the button is the last row that the question uses
			a.button = ink.Rect{X: q.X, Y: q.Y + used - 1, W: q.W - 1, H: 1}
			return a
		}
	}
	g := panes.GroundOf(w, h, n.Beside)
	return shareRows(w, h, g, n.question.Fit(g.Area.W, g.Area.H, g.QueueStrip), n)
}

// shareRows places everything in w×h cells, once the rows of the question are decided: fit.
func shareRows(w, h int, g panes.Ground, fit question.Fit, n needs) areas {
	if g.List > 0 {
		return shareWide(w, h, g, fit, n)
	}
	a := areas{divider: g.Divider, fit: fit}
	a.stackAreas(w)
	a.firstPeek = n.firstPeekRows(a)
	if n.focused && !n.Alone {
		a.giveToQueue(w, n)
	}
	a.giveToNeeded(w, n)
	a.giveToPeek()
	return a
}

// giveToNeeded gives rows that the question leaves empty to the agents that need the person in their own panes. One
// empty row stays below the question.
func (a *areas) giveToNeeded(w int, n needs) {
	a.needed = min(n.needed, max(a.fit.Free-1, 0))
	a.fit.H -= a.needed
	a.fit.Free -= a.needed
	a.stackAreas(w)
	a.queue.H += a.needed
}

// stackAreas places the question, the lower divider and the strip below each other, with the rows that the fit gives
// them.
func (a *areas) stackAreas(w int) {
	a.question = ink.Rect{Y: 1, W: w, H: a.fit.H}
	a.lower = ink.Rect{Y: 1 + a.fit.H, W: w, H: 1}
	a.queue = ink.Rect{Y: 2 + a.fit.H, W: w, H: a.fit.QueueStrip}
}

// enoughRows is the number of rows that suffice for a strip with the focus.
const enoughRows = 4

// giveToQueue gives rows of the question to the strip while the queue has the focus and has too few rows to move in.
// The strip gets as many as it needs, up to two thirds, and one more while its filter is typed. When the focus is back
// on the question, the question has its rows again.
func (a *areas) giveToQueue(w int, n needs) {
	typed := 0
	if n.finding {
		typed = 1
	}
	total := a.fit.H + a.fit.QueueStrip
	strip := min(max(n.Waiting, 1)+typed, total*2/3)
	if a.fit.QueueStrip >= min(n.Waiting, enoughRows)+typed || strip <= a.fit.QueueStrip {
		return
	}
	a.fit = n.question.Squeezed(a.fit, w, total-strip)
	a.fit.QueueStrip = strip
	a.stackAreas(w)
}

// shareWide places everything on a screen that has the queue left of the question.
func shareWide(w, h int, g panes.Ground, fit question.Fit, n needs) areas {
	a := areas{wide: true,
		listDivider: ink.Rect{W: g.List, H: 1},
		queue:       ink.Rect{Y: 1, W: g.List, H: h - 2},
		column:      ink.Rect{X: g.List, W: 1, H: h},
		divider:     g.Divider,
		question:    g.Area,
		fit:         fit,
		lower:       ink.Rect{Y: h - 1, W: w, H: 1},
	}
	if g.Right.Empty() {
		a.firstPeek = n.firstPeekRows(a)
		a.giveToPeek()
	} else {
		a.peek = g.Right
	}
	a.giveToSettings(n)
	a.giveToAnswers(n)
	return a
}

// giveToSettings gives the last rows of the left column to the settings, if each question still has a row there. While
// the settings have the focus they get a few rows in any case.
func (a *areas) giveToSettings(n needs) {
	const least = 3
	rows := min(a.queue.H-n.oneRowEach-1, n.settings)
	if n.settingsFocused {
		rows = max(rows, least)
	}
	if rows < least || a.queue.H-rows-1 < 2 {
		return
	}
	a.queue.H -= rows + 1
	a.settings = ink.Rect{X: a.queue.X, Y: a.queue.Y + a.queue.H, W: a.queue.W, H: rows + 1}
}

// giveToAnswers gives the rows above the settings to today's last answers, with a blank row above them. Empty rows stay
// between queue and answers, so that a growing queue takes those first.
func (a *areas) giveToAnswers(n needs) {
	rows := n.answers(a.queue.H - n.list(a.queue.H) - 2)
	if rows <= 0 {
		return
	}
	a.queue.H -= rows + 1
	a.answers = ink.Rect{X: a.queue.X, Y: a.queue.Y + a.queue.H, W: a.queue.W, H: rows + 1}
}

// The least and the most rows of the peek, with the line above it.
const (
	leastPeek = 3
	mostPeek  = 29
)

// emptyRows returns the rows that the question leaves empty, without the blank row below the question.
func (a *areas) emptyRows() ink.Rect {
	q := a.question
	free := max(a.fit.Free-1, 0)
	return ink.Rect{X: q.X, Y: q.Y + a.fit.H - free, W: q.W, H: free}
}

// firstPeekRows returns the rows that the peek had when the question came up: the first of those that the question left
// empty.
func (n needs) firstPeekRows(a areas) ink.Rect {
	if n.sameQuestion {
		return n.firstPeek
	}
	came := a.emptyRows()
	came.H = min(came.H, mostPeek)
	return came
}

// giveToPeek gives the peek those rows of firstPeek that are still free, after everything else has got its rows. The
// peek never moves to a row in which something else was shown.
func (a *areas) giveToPeek() {
	left := a.emptyRows()
	from := max(a.firstPeek.Y, left.Y)
	to := min(a.firstPeek.Y+a.firstPeek.H, left.Y+left.H)
	if to-from >= leastPeek {
		a.peek = ink.Rect{X: left.X, Y: from, W: left.W, H: to - from}
	}
}
