package app

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// page takes the place of question and queue: help, settings, history. It keeps the screen when a question arrives;
// its rule says that one waits, and Esc brings it up. Everything happens on the event loop.
type page interface {
	place() keys.Place // whose keys it takes, also while text is typed in it
	draw(c ink.Canvas, r ink.Rect)
	foot() panes.FootView
	act(a keys.Action, key string) // Esc included: close the page or go one level back in it
	editor() *editor.Field         // the text being typed in it, nil for none
	typed()                        // that text has changed
}

// open brings a page up. What was typed into the question is saved.
func (d *Dashboard) open(p page) {
	d.saveDraft()
	d.leaveHistory(p)
	d.page = p
	d.spread(true)
}

// close leaves the page for the question or the queue; keys wait a moment there, as after any change of screen.
func (d *Dashboard) close() {
	d.page = nil
	d.spread(false)
	d.guard.appear(d.now())
}

// scrolled is where a list's first row goes with a motion; page is the rows it shows. The pane keeps it in bounds.
func scrolled(top int, a keys.Action, page int) int {
	switch a {
	case keys.ActUp:
		return top - 1
	case keys.ActDown:
		return top + 1
	case keys.ActPageUp:
		return top - page
	case keys.ActPageDown:
		return top + page
	case keys.ActHalfUp:
		return top - page/2
	case keys.ActHalfDown:
		return top + page/2
	case keys.ActFirst:
		return 0
	case keys.ActLast:
		return 1 << 20
	}
	return top
}
