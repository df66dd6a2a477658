// Package help is the page that lists the keys of the place that it was opened from. After `/` it lists all keys, and
// only the rows with the words that are typed. It is in front of another page, or of question and queue, until Esc or
// the key that opened it.
//
//	action.Map ─► rows ─► narrowed by what is typed ─► lines at the page's width ─► Draw, from the top line on
package help

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Page shows the list of keys.
type Page struct {
	*tview.Box
	panes.Filter
	host panes.Host
	from action.Place
	rows panes.Table
	all  bool // all keys are listed
	top  int  // the first line on screen; the list may have become shorter since
}

// New returns the page, opened from a place. Each opening needs a new page.
func New(host panes.Host, from action.Place) *Page {
	p := &Page{Box: tview.NewBox(), host: host, from: from}
	p.Found, p.Changed = p.found, func() { p.top = 0 }
	// The last four keys work here, but only the list itself shows them, not the footer.
	p.rows = append(p.findRows(),
		action.Row{Name: action.Help, Do: action.Just(func() { host.Close() }), Offered: action.Never},
		action.Row{Name: action.Chat, Offered: action.Never}, action.Row{Name: action.History, Offered: action.Never},
		action.Row{Name: action.Settings, Offered: action.Never})
	for _, a := range []action.Name{action.Up, action.Down, action.PageUp, action.PageDown, action.First, action.Last} {
		row := action.Row{Name: a, Do: action.Just(func() { p.scroll(a) })}
		if a == action.PageDown {
			row.Now, row.Offered = action.Hinted(p.scrollHint), action.If(p.scrolls)
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// findRows binds the keys of the words: from the first one on, all keys are listed.
func (p *Page) findRows() panes.Table {
	rows := p.Rows(nil, p.host.Close)
	for i, row := range rows {
		if row.Name != action.Find {
			continue
		}
		rows[i].Now = action.Named(func(w action.Word) action.Word {
			if !p.all {
				w = action.Word{Long: "all keys"}
			}
			return w
		})
		rows[i].Do = func(at action.At, arg action.Arg) action.Effect {
			p.all, p.top = true, 0
			return row.Do(at, arg)
		}
	}
	return rows
}

// Place returns the place of the help's keys, or of the words that narrow it.
func (p *Page) Place() action.Place { return p.In(action.PlaceHelp) }

// Table binds the keys of both places.
func (p *Page) Table() panes.Table { return p.rows }

// scroll scrolls the list. A page is the number of lines that are certainly on screen.
func (p *Page) scroll(a action.Name) {
	r := rect(p.Box)
	p.top = panes.Scrolled(p.display().layOut(r).top, a, max(r.H-2, 1))
}

// Footer names the keys, and how many rows match while words are being typed.
func (p *Page) Footer() panes.Footer { return p.Filter.Footer(p.host, p.Place(), p.rows) }

// scrolls reports whether not all lines fit the page.
func (p *Page) scrolls() bool {
	r := rect(p.Box)
	return len(p.display().layOut(r).lines) >= r.H
}

// scrollHint joins the keys that move in the list in one hint.
func (p *Page) scrollHint(h action.Hint) action.Hint {
	key := func(a action.Name) string { return p.host.Keys().KeyOf(action.PlaceHelp, a) }
	lines, pages := key(action.Up)+key(action.Down), key(action.PageUp)+" "+key(action.PageDown)
	h.Keys = strings.TrimSpace(lines + " " + pages)
	return h.Say(action.Word{Long: "scroll"})
}

// found returns how many rows contain the searched words, as text: "3 found".
func (p *Page) found() int {
	_, n := p.display().rows()
	return n
}

// Draw draws the page, with the line at its top. While words are typed their line takes the last row.
func (p *Page) Draw(screen tcell.Screen) {
	c, r, v := p.host.Ink(screen), rect(p.Box), p.display()
	v.right = p.Right(c.Glyphs, p.host.Waits())
	if p.DrawField(c, r.Row(r.H-1), "/ filter the keys: ") {
		r.H--
	}
	v.draw(c, r)
}

func (p *Page) display() display {
	return display{keys: p.host.Keys(), from: p.from, all: p.all, top: p.top, find: p.Words}
}

func rect(b *tview.Box) ink.Rect {
	x, y, w, h := b.GetRect()
	return ink.Rect{X: x, Y: y, W: w, H: h}
}
