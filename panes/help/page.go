// Package help is the page that lists all keys. It begins with the keys of the place that it was opened from. After `/`
// it lists only the rows with the typed words. It is in front of another page, or of question and queue, until Esc or
// the key that opened it.
//
//	keys.Map ─► rows ─► narrowed by what is typed ─► lines at the page's width ─► Draw, from the top line on
package help

import (
	"fmt"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Page shows the list of keys.
type Page struct {
	*tview.Box
	host    panes.Host
	from    keys.Place
	rows    panes.Table
	find    string        // the words that narrow the list
	finding *editor.Field // the field of these words while they are being typed, else nil
	top     int           // the first line on screen; the list may have become shorter since
}

// New returns the page, opened from a place. Each opening needs a new page.
func New(host panes.Host, from keys.Place) *Page {
	p := &Page{Box: tview.NewBox(), host: host, from: from}
	never := func() bool { return false }
	p.rows = panes.Table{
		{Action: deed.Find, Do: func(string) { p.finding = editor.OneLine(p.find) }},
		{Action: deed.Enter, Do: func(string) { p.finding = nil }},
		{Action: deed.Back, Do: func(string) { p.back() }, Word: p.backWord},
		// These keys work here, but only the list itself shows them, not the foot.
		{Action: keys.ActHelp, Do: func(string) { p.host.Close() }, When: never},
		{Action: keys.ActChat, When: never}, {Action: keys.ActHistory, When: never},
		{Action: keys.ActSettings, When: never},
	}
	for _, a := range []keys.Action{deed.Up, deed.Down, keys.ActPageUp, keys.ActPageDown, deed.First, deed.Last} {
		row := panes.Row{Action: a, Do: func(string) { p.scroll(a) }}
		if a == keys.ActPageDown {
			row.Hint = p.scrollHint
		}
		p.rows = append(p.rows, row)
	}
	return p
}

// Place returns the place of the list, or of the line that narrows it.
func (p *Page) Place() keys.Place {
	if p.finding != nil {
		return keys.PlaceFind
	}
	return keys.PlaceHelp
}

// Table binds the keys of both places.
func (p *Page) Table() panes.Table { return p.rows }

// Field returns the field for the words that narrow the list, while they are being typed.
func (p *Page) Field() *editor.Field { return p.finding }

// Typed narrows the list by the typed words.
func (p *Page) Typed() {
	if p.finding != nil {
		p.find, p.top = p.finding.Text(), 0
	}
}

// back closes the line being typed, else shows the whole list again, else leaves the page.
func (p *Page) back() {
	switch {
	case p.finding != nil:
		p.finding, p.find = nil, ""
	case p.find != "":
		p.find, p.top = "", 0
	default:
		p.host.Close()
	}
}

// scroll scrolls the list. A page is the number of lines that are certainly on screen.
func (p *Page) scroll(a keys.Action) {
	r := rect(p.Box)
	p.top = panes.Scrolled(p.view().layOut(r).top, a, max(r.H-2, 1))
}

// Foot returns the keys that narrow and scroll the list.
func (p *Page) Foot() panes.Foot {
	f := panes.Foot{Hints: panes.Hints(p.host.Keys(), p.Place(), p.rows)}
	if g := p.host.Ink(nil).Glyphs; p.finding != nil {
		f.Line = say.Words(g.Enter + " done " + g.Dot + " " + p.found())
	}
	return f
}

// backWord returns the word for the effect of back.
func (p *Page) backWord(keys.Word) keys.Word {
	if p.finding != nil || p.find != "" {
		return keys.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	}
	return keys.Word{Long: "back"}
}

// scrollHint joins the keys that move in the list in one hint.
func (p *Page) scrollHint(h keys.Hint) keys.Hint {
	key := func(a keys.Action) string { return p.host.Keys().KeyOf(keys.PlaceHelp, a) }
	lines, pages := key(deed.Up)+key(deed.Down), key(keys.ActPageUp)+" "+key(keys.ActPageDown)
	h.Keys = strings.TrimSpace(lines + " " + pages)
	return h.Say(keys.Word{Long: "scroll"})
}

// found returns how many rows contain the searched words, as text: "3 found".
func (p *Page) found() string {
	_, n := p.view().rows()
	return fmt.Sprintf("%d found", n)
}

// Draw draws the page, with the line at its top. While words are typed their line takes the last row.
func (p *Page) Draw(screen tcell.Screen) {
	c, r, v := p.host.Ink(screen), rect(p.Box), p.view()
	v.right = p.host.Waits()
	if p.find != "" && p.finding == nil {
		v.right = ink.PlainLine("/" + say.OneLine(p.find) + " " + c.Glyphs.Dot + " " + p.found())
	}
	if p.finding != nil {
		r.H--
		line := r.Row(r.H)
		c.Fill(line, ink.Plain)
		used := c.Put(line.X, line.Y, line.W, ink.Bold, "/ filter the keys: ")
		p.finding.Draw(c, ink.Rect{X: line.X + used, Y: line.Y, W: max(line.W-used, 1), H: 1})
	}
	v.draw(c, r)
}

func (p *Page) view() view { return view{keys: p.host.Keys(), from: p.from, top: p.top, find: p.find} }

func rect(b *tview.Box) ink.Rect {
	x, y, w, h := b.GetRect()
	return ink.Rect{X: x, Y: y, W: w, H: h}
}
