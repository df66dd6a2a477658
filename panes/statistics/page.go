// Package statistics is the page with charts about questions and answers, of the last days or of all time. The numbers
// are those of `choicetui log --stats`.
//
//	New, Enter ─► count ─► worker: a few parts of the archive ─► desk ─► took ─► the worker again, until all is read
//	Draw ◄─ view ◄─ the numbers so far
package statistics

import (
	"context"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Days is the number of days that the charts show, and that the statistics count unless the person asks for all time.
const Days = 30

// Page shows the statistics.
type Page struct {
	*tview.Box
	panes.NoField
	host  panes.Host
	rows  panes.Table
	all   bool // for all time, not for the last days
	stats queue.Stats
	read  int // archived sessions counted so far
	done  bool
	fault string // the reason why counting stopped
	top   int    // the first line on screen, as set last; the picture may have become shorter since
	stop  context.CancelFunc
}

// New returns the page for the last days, and begins to count. Each opening needs a new page.
func New(host panes.Host) *Page {
	p := &Page{Box: tview.NewBox(), host: host}
	p.rows = p.bind()
	p.startCount()
	return p
}

// bind returns the page's keys, each with what it does.
func (p *Page) bind() panes.Table {
	t := panes.Table{
		{Name: action.Enter, Do: action.Just(func() { p.all = !p.all; p.startCount() }),
			Needs: action.Unless(p.whyNotCount)},
		{Name: action.Back, Do: action.Just(func() { p.End(); p.host.Close() }), Now: action.Says("back", "")},
		{Name: action.History, Offered: action.Never}, {Name: action.Settings, Offered: action.Never},
		{Name: action.Chat, Offered: action.Never},
	}
	return append(t, panes.ScrollRows(p.scrolledTo, func(top int) { p.top = top },
		func() bool { return p.picture().below > 0 })...)
}

// Place returns the place of the statistics' keys.
func (p *Page) Place() action.Place { return action.PlaceStats }

// Table binds the keys of the statistics.
func (p *Page) Table() panes.Table { return p.rows }

// Footer names the days that Enter would count, and the keys.
func (p *Page) Footer() panes.Footer {
	words := p.host.Ink(nil).Glyphs.Enter + " shows all time"
	switch {
	case p.nothingCounted():
		words = ""
	case p.all:
		words = p.host.Ink(nil).Glyphs.Enter + " shows only the last " + say.Number(Days) + " days"
	}
	return panes.Footer{Line: say.Words(words), Hints: panes.Hints(p.host, action.PlaceStats, p.rows)}
}

// Draw draws the page, with the lines at its top and bottom.
func (p *Page) Draw(screen tcell.Screen) {
	c, r := p.host.Ink(screen), p.rect()
	p.view(c.Glyphs).draw(c, r)
	p.host.DrawLower(c, ink.Rect{X: r.X, Y: r.Y + r.H, W: r.W, H: 1})
}

// rect returns the rectangle of the page without its last row.
func (p *Page) rect() ink.Rect {
	x, y, w, h := p.GetRect()
	return ink.Rect{X: x, Y: y, W: w, H: h - 1}
}

// picture returns the lines of the page, and which of them are on screen.
func (p *Page) picture() picture {
	g := p.host.Ink(nil).Glyphs
	return p.view(g).layOut(g, p.rect())
}

// view returns what the page shows now.
func (p *Page) view(g ink.Glyphs) view {
	v := view{stats: p.stats, today: p.desk().Now(), top: p.top, all: p.all}
	v.name = "statistics " + g.Dot + " " + p.span()
	if v.right = say.Number(p.stats.Asked) + " questions"; p.stats.Asked == 1 {
		v.right = "1 question"
	}
	switch {
	case p.fault != "":
		v.empty = "! the history cannot be read: " + say.OneLine(p.fault)
	case !p.done && p.stats.Asked == 0:
		v.empty = "reading" + g.Ellipsis
	case p.nothingCounted():
		v.empty = "No questions yet."
	case p.stats.Asked == 0:
		v.empty = "Nothing was asked in " + p.span() + "."
	}
	if !p.done && p.fault == "" {
		v.right = "reading" + g.Ellipsis + " " + say.Number(p.read)
	}
	return v
}

func (p *Page) desk() *desk.Desk { return p.host.View().Desk() }

// nothingCounted reports whether nothing was ever asked.
func (p *Page) nothingCounted() bool { return p.done && p.stats.Asked == 0 && p.read == 0 }

// whyNotCount explains why Enter does not count other days: there are no questions to count.
func (p *Page) whyNotCount() string {
	if p.nothingCounted() {
		return "nothing to count yet"
	}
	return ""
}

// span names the time that is counted.
func (p *Page) span() string {
	if p.all {
		return "all time"
	}
	return "the last " + say.Number(Days) + " days"
}

// scrolledTo returns where the picture is scrolled to, for panes.ScrollRows. A page is the number of lines that are
// certainly on screen.
func (p *Page) scrolledTo() (top, page, last int) {
	on := p.picture()
	return on.top, max(p.rect().H-2, 1), on.top + on.below
}
