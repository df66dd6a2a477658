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

// helpPage is the key table, the place it was opened from first.
type helpPage struct {
	d     *Dashboard
	under page // what comes back with Esc; nil: question or queue
	view  panes.HelpView
}

func (p *helpPage) place() panes.Place    { return panes.PlaceHelp }
func (p *helpPage) editor() *panes.Editor { return nil }
func (p *helpPage) typed()                {}

func (p *helpPage) draw(c panes.Canvas, r panes.Rect) {
	p.view.Right = p.d.waitsShort()
	p.view.Top = p.view.Draw(c, r)
}

func (p *helpPage) foot() panes.FootView {
	return panes.FootView{Keys: []panes.Hint{p.d.escHint(panes.PlaceHelp, "back"), {Keys: p.d.scrollKeys(panes.PlaceHelp), Word: "scroll", Rank: 1}}}
}

func (p *helpPage) act(a panes.Action, _ string) {
	if a == panes.ActBack {
		if p.d.page = p.under; p.under == nil {
			p.d.close()
		}
		return
	}
	p.view.Top = scrolled(p.view.Top, a, max(p.d.size.h-4, 1))
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
