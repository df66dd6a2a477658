package question

import "github.com/choicetui/choicetui/panes/ink"

// areas are where a screen puts the question, as the screen's own layout does it.
type areas struct {
	wide     bool
	rule     ink.Rect
	question ink.Rect
	fit      Fit
}

// layout shares a w×h screen in which so many wait.
func layout(w, h int, r *Room, waiting int, alone bool) (a areas) {
	if list := listWidth(w); list > 0 && !alone {
		a.wide = true
		a.rule = ink.Rect{X: list + 1, Y: 0, W: w - list - 1, H: 1}
		a.question = ink.Rect{X: list + 2, Y: 1, W: w - list - 2, H: h - 4}
		a.fit = r.Fit(a.question.W, a.question.H, 0)
		return a
	}
	a.rule = ink.Rect{X: 0, Y: 0, W: w, H: 1}
	total, strip, others := h-4, 0, waiting-1
	if v := r.view(); v != nil && v.over() { // all that wait are others
		others = waiting
	}
	if others > 0 && !alone {
		strip = min(waiting, h/3)
	}
	if r.Confirming() {
		strip = r.ConfirmStrip(w, total, strip)
	}
	a.fit = r.Fit(w, total, strip)
	a.question = ink.Rect{X: 0, Y: 1, W: w, H: a.fit.H}
	return a
}

func listWidth(w int) int {
	switch {
	case w < 100:
		return 0
	case w >= 160:
		return 50
	}
	return 40
}
