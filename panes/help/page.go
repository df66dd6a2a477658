// Package help is the page that lists all keys. It begins with the keys of the place that it was opened from. After `/`
// it lists only the rows with the typed words. It is in front of another page, or of question and queue, until Esc or
// the key that opened it.
//
//	keys.Map ─► rows ─► narrowed by what is typed ─► lines at the page's width ─► Draw, from the top line on
package help

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Page shows the list of keys.
type Page struct {
	*tview.Box
	panes.Filter
	host panes.Host
	from keys.Place
	rows panes.Table
	top  int // the first line on screen; the list may have become shorter since
}

// New returns the page, opened from a place. Each opening needs a new page.
func New(host panes.Host, from keys.Place) *Page {
	p := &Page{Box: tview.NewBox(), host: host, from: from}
	never := func() bool { return false }
	p.Found, p.Changed = p.found, func() { p.top = 0 }
	// The last four keys work here, but only the list itself shows them, not the foot.
	p.rows = append(p.Rows(nil, host.Close),
		panes.Row{Action: keys.ActHelp, Do: func(string) { host.Close() }, When: never},
		panes.Row{Action: keys.ActChat, When: never}, panes.Row{Action: keys.ActHistory, When: never},
		panes.Row{Action: keys.ActSettings, When: never})
	for _, a := range []keys.Action{deed.Up, deed.Down, keys.ActPageUp, keys.ActPageDown, deed.First, deed.Last} {
		row := panes.Row{Action: a, Do: func(string) { p.scroll(a) }}
		if a == keys.ActPageDown {
			row.Hint = p.scrollHint
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// Place returns the place of the help's keys, or of the words that narrow it.
func (p *Page) Place() keys.Place { return p.In(keys.PlaceHelp) }

// Table binds the keys of both places.
func (p *Page) Table() panes.Table { return p.rows }

// scroll scrolls the list. A page is the number of lines that are certainly on screen.
func (p *Page) scroll(a keys.Action) {
	r := rect(p.Box)
	p.top = panes.Scrolled(p.view().layOut(r).top, a, max(r.H-2, 1))
}

// Foot names the keys, and how many rows match while words are being typed.
func (p *Page) Foot() panes.Foot { return p.Filter.Foot(p.host, p.Place(), p.rows) }

// scrollHint joins the keys that move in the list in one hint.
func (p *Page) scrollHint(h keys.Hint) keys.Hint {
	key := func(a keys.Action) string { return p.host.Keys().KeyOf(keys.PlaceHelp, a) }
	lines, pages := key(deed.Up)+key(deed.Down), key(keys.ActPageUp)+" "+key(keys.ActPageDown)
	h.Keys = strings.TrimSpace(lines + " " + pages)
	return h.Say(keys.Word{Long: "scroll"})
}

// found returns how many rows contain the searched words, as text: "3 found".
func (p *Page) found() int {
	_, n := p.view().rows()
	return n
}

// Draw draws the page, with the line at its top. While words are typed their line takes the last row.
func (p *Page) Draw(screen tcell.Screen) {
	c, r, v := p.host.Ink(screen), rect(p.Box), p.view()
	v.right = p.Right(c.Glyphs, p.host.Waits())
	if p.DrawField(c, r.Row(r.H-1), "/ filter the keys: ") {
		r.H--
	}
	v.draw(c, r)
}

func (p *Page) view() view { return view{keys: p.host.Keys(), from: p.from, top: p.top, find: p.Words} }

func rect(b *tview.Box) ink.Rect {
	x, y, w, h := b.GetRect()
	return ink.Rect{X: x, Y: y, W: w, H: h}
}
