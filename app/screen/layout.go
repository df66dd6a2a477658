package screen

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/question"
)

// The least terminal that can show a question safely.
const (
	leastWidth  = 30
	leastHeight = 10
	wideFrom    = 100
)

// areas is where everything of the waiting screen goes: rules, question, queue, settings. It is a pure function of the
// size and the state, see share.
type areas struct {
	wide     bool
	rule     ink.Rect // over the question; wide: over its column
	listRule ink.Rect // wide only: over the queue
	question ink.Rect
	fit      question.Fit
	queue    ink.Rect // the strip, or the list when wide
	divider  ink.Rect // wide only: one column
	settings ink.Rect // wide only, below the list; its first row is its rule
	lower    ink.Rect // the rule over the strip; wide: over the foot
}

// listWidth is the width of the queue left of the question.
func listWidth(w int) int {
	switch {
	case w < wideFrom:
		return 0
	case w >= 160:
		return 50
	}
	return 40
}

// needs is what the waiting screen has to share rows among.
type needs struct {
	question fitter // nil: nothing waits
	over     bool   // the one on view is over
	waiting  int    // how many wait, the one on view included while it is pending
	alone    bool   // one session only (attach), without a queue
	focused  bool   // the queue has the focus
	finding  bool   // a line narrows the queue
	listRows int    // rows that it takes as a list where it has all it wants
	inside   bool   // the settings beside the question have the focus
	settings int    // rows that they take where they have all they want
}

// fitter is what sharing rows asks of the question.
type fitter interface {
	Fit(w, total, strip int) question.Fit
	Confirming() bool
	ConfirmStrip(w, total, strip int) int
	Squeezed(whole question.Fit, w, rows int) question.Fit // while the queue has most rows
}

// share shares w×h cells: a whole screen without the foot.
func share(w, h int, n needs) areas {
	if list := listWidth(w); list > 0 && !n.alone && (n.question != nil || n.waiting > 0) {
		return shareWide(w, h, list, n)
	}
	a := areas{rule: ink.Rect{W: w, H: 1}}
	total, strip, others := h-2, 0, n.waiting-1
	if n.over { // all that wait are others
		others = n.waiting
	}
	if others > 0 && !n.alone {
		strip = min(n.waiting, (h+2)/3)
	}
	confirming := n.question != nil && n.question.Confirming()
	if confirming {
		strip = n.question.ConfirmStrip(w, total, strip)
	}
	a.fit = question.Fit{H: total - strip, Strip: strip}
	if n.question != nil && !confirming {
		a.fit = n.question.Fit(w, total, strip)
	}
	a.place(w)
	if n.focused && !n.alone {
		a.giveToQueue(w, n)
	}
	return a
}

// place puts question, rule and strip below each other, as the fit has them.
func (a *areas) place(w int) {
	a.question = ink.Rect{Y: 1, W: w, H: a.fit.H}
	a.lower = ink.Rect{Y: 1 + a.fit.H, W: w, H: 1}
	a.queue = ink.Rect{Y: 2 + a.fit.H, W: w, H: a.fit.Strip}
}

// enoughRows is how many rows a queue with the focus is content with.
const enoughRows = 4

// giveToQueue gives rows of the form to the strip while the queue has the focus, if it has too few to move in: as many
// as it needs, up to two thirds, and one more for what is typed to narrow it. The form comes back as it was.
func (a *areas) giveToQueue(w int, n needs) {
	if n.question == nil {
		return
	}
	typed := 0
	if n.finding {
		typed = 1
	}
	total := a.fit.H + a.fit.Strip
	strip := min(max(n.waiting, 1)+typed, total*2/3)
	if a.fit.Strip >= min(n.waiting, enoughRows)+typed || strip <= a.fit.Strip {
		return
	}
	if n.question.Confirming() {
		a.fit = question.Fit{H: total - strip}
	} else {
		a.fit = n.question.Squeezed(a.fit, w, total-strip)
	}
	a.fit.Strip = strip
	a.place(w)
}

func shareWide(w, h, list int, n needs) areas {
	a := areas{wide: true,
		listRule: ink.Rect{W: list, H: 1},
		queue:    ink.Rect{Y: 1, W: list, H: h - 2},
		divider:  ink.Rect{X: list, W: 1, H: h},
		rule:     ink.Rect{X: list + 1, W: w - list - 1, H: 1},
		question: ink.Rect{X: list + 2, Y: 1, W: w - list - 2, H: h - 2},
		lower:    ink.Rect{Y: h - 1, W: w, H: 1},
	}
	if n.question != nil {
		a.fit = n.question.Fit(a.question.W, a.question.H, 0)
	}
	a.giveToSettings(n)
	return a
}

// giveToSettings gives the rows under the queue that it does not need to the settings; a few stay while they have the
// focus.
func (a *areas) giveToSettings(n needs) {
	const least = 3
	rows := min(a.queue.H-n.listRows-1, n.settings)
	if n.inside {
		rows = max(rows, least)
	}
	if rows < least || a.queue.H-rows-1 < 2 {
		return
	}
	a.queue.H -= rows + 1
	a.settings = ink.Rect{X: a.queue.X, Y: a.queue.Y + a.queue.H, W: a.queue.W, H: rows + 1}
}
