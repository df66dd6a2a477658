package panes

import (
	"github.com/choicetui/choicetui/panes/ink"
)

// The least terminal that can show a question safely.
const (
	LeastWidth  = 30
	LeastHeight = 10
	wideFrom    = 100
)

// Areas is where everything goes: rules, question, queue and the two lines of the foot. It is a pure function
// of the size and the state, see Layout.
type Areas struct {
	TooSmall bool
	Wide     bool
	Rule     ink.Rect // over the question; wide: over its column
	ListRule ink.Rect // wide only: over the queue
	Question ink.Rect
	Fit      Fit
	Queue    ink.Rect // the strip, or the list when wide
	Divider  ink.Rect // wide only: one column
	Settings ink.Rect // wide only, below the list: its rule is the row above it; see WithSettings
	Lower    ink.Rect // the rule over the strip; wide: over the foot
	Foot     ink.Rect // two rows
}

// ListWidth is the width of the queue left of the question.
func ListWidth(w int) int {
	switch {
	case w < wideFrom:
		return 0
	case w >= 160:
		return 50
	}
	return 40
}

// Layout shares a w×h screen. form is the question on screen, nil for none; waiting is how many questions wait, that
// one included while it is pending; alone: one session only (attach), without a queue.
func Layout(w, h int, form *Form, waiting int, alone bool) Areas {
	a := Areas{TooSmall: w < LeastWidth || h < LeastHeight, Foot: ink.Rect{X: 0, Y: h - 2, W: w, H: 2}}
	if a.TooSmall {
		return a
	}
	if list := ListWidth(w); list > 0 && !alone && (form != nil || waiting > 0) {
		a.Wide = true
		a.ListRule = ink.Rect{X: 0, Y: 0, W: list, H: 1}
		a.Queue = ink.Rect{X: 0, Y: 1, W: list, H: h - 4}
		a.Divider = ink.Rect{X: list, Y: 0, W: 1, H: h - 2}
		a.Rule = ink.Rect{X: list + 1, Y: 0, W: w - list - 1, H: 1}
		a.Question = ink.Rect{X: list + 2, Y: 1, W: w - list - 2, H: h - 4}
		a.Lower = ink.Rect{X: 0, Y: h - 3, W: w, H: 1}
		if form != nil {
			a.Fit = form.Fit(a.Question.W, a.Question.H, 0)
		}
		return a
	}
	a.Rule = ink.Rect{X: 0, Y: 0, W: w, H: 1}
	total, strip, others := h-4, 0, waiting-1
	if form != nil && form.Session.Outcome != nil { // over: all that wait are others
		others = waiting
	}
	if others > 0 && !alone {
		strip = min(waiting, h/3)
	}
	if form != nil && form.Confirming() {
		strip = form.confirmStrip(w, total, strip)
	}
	a.Fit = Fit{H: total - strip, Strip: strip}
	if form != nil && !form.Confirming() {
		a.Fit = form.Fit(w, total, strip)
	}
	a.Question = ink.Rect{X: 0, Y: 1, W: w, H: a.Fit.H}
	a.Lower = ink.Rect{X: 0, Y: 1 + a.Fit.H, W: w, H: 1}
	a.Queue = ink.Rect{X: 0, Y: 2 + a.Fit.H, W: w, H: a.Fit.Strip}
	return a
}

// enoughRows is how many rows a queue with the focus is content with.
const enoughRows = 4

// WithQueue gives rows of the form to the strip while the queue has the focus, if it has too few to move in: as many
// as it needs, up to two thirds. line: one more, for what is typed to narrow it. The form keeps its title, and comes
// back as it was.
func (a Areas) WithQueue(form *Form, waiting int, line bool) Areas {
	if a.TooSmall || a.Wide || form == nil {
		return a
	}
	typed := 0
	if line {
		typed = 1
	}
	total := a.Fit.H + a.Fit.Strip
	strip := min(max(waiting, 1)+typed, total*2/3)
	if a.Fit.Strip >= min(waiting, enoughRows)+typed || strip <= a.Fit.Strip {
		return a
	}
	a.Fit = Fit{H: total - strip}
	if !form.Confirming() {
		was := form.frozen
		a.Fit = form.Fit(a.Question.W, total-strip, 0)
		form.frozen = was
		if room := a.Fit.H - len(form.heading(a.Question.W, true)); room-a.Fit.Prompt < leastOptions { // too few to choose from
			a.Fit.Prompt = max(room, 0)
		}
	}
	a.Fit.Strip = strip
	a.Question.H = a.Fit.H
	a.Lower.Y = a.Question.Y + a.Fit.H
	a.Queue = ink.Rect{X: a.Queue.X, Y: a.Lower.Y + 1, W: a.Queue.W, H: strip}
	return a
}

// WithSettings gives the rows under the queue that it does not need to the settings, at most SettingsRows. queue is
// how many rows the queue's list takes, which comes first; focus: keys go to the settings, so that a few rows stay.
func (a Areas) WithSettings(queue int, focus bool) Areas {
	const least = 3
	rows := min(a.Queue.H-queue-1, SettingsRows)
	if focus {
		rows = max(rows, least)
	}
	if !a.Wide || rows < least || a.Queue.H-rows-1 < 2 {
		return a
	}
	a.Queue.H -= rows + 1
	a.Settings = ink.Rect{X: a.Queue.X, Y: a.Queue.Y + a.Queue.H + 1, W: a.Queue.W, H: rows}
	return a
}
