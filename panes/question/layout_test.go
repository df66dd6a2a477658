package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
)

// areas are where a screen puts the question.
type areas struct {
	rule     ink.Rect
	question ink.Rect
	list     int // cells of the queue left of it
	fit      Fit
}

// layout shares a w×h screen in which so many wait. The queue never has the focus here.
func layout(w, h int, r *Room, waiting int, alone bool) areas {
	v := r.view()
	g := panes.GroundOf(w, h-2, panes.Beside{Waiting: waiting, Over: v != nil && v.over(), Alone: alone})
	a := areas{rule: g.Rule, question: g.Area, list: g.List, fit: r.Fit(g.Area.W, g.Area.H, g.Strip)}
	a.question.H = a.fit.H
	return a
}
