package app

import (
	"github.com/choicetui/choicetui/panes"
)

// page takes the place of question and queue: help, settings, history. It keeps the screen when a question arrives;
// its rule says that one waits, and Esc brings it up. Everything happens on the event loop.
type page interface {
	place() panes.Place // whose keys it takes, also while text is typed in it
	draw(c panes.Canvas, r panes.Rect)
	foot() panes.FootView
	act(a panes.Action, key string) // Esc included: close the page or go one level back in it
	editor() *panes.Editor          // the text being typed in it, nil for none
	typed()                         // that text has changed
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
func scrolled(top int, a panes.Action, page int) int {
	switch a {
	case panes.ActUp:
		return top - 1
	case panes.ActDown:
		return top + 1
	case panes.ActPageUp:
		return top - page
	case panes.ActPageDown:
		return top + page
	case panes.ActHalfUp:
		return top - page/2
	case panes.ActHalfDown:
		return top + page/2
	case panes.ActFirst:
		return 0
	case panes.ActLast:
		return 1 << 20
	}
	return top
}
