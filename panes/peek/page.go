package peek

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

// Page shows the last lines of what the agent was doing that fit on a page, and follows what is written.
type Page struct {
	*tview.Box
	room    *Room
	rows    panes.Table
	up      int           // the number of lines below those on screen
	find    string        // the words that the lines on the page contain; empty: all lines
	finding *editor.Field // the field of these words while they are being typed, else nil
}

// Open brings the page up. It tries again to read what could not be read before.
func (r *Room) Open() {
	r.on.fault = nil
	p := &Page{Box: tview.NewBox(), room: r}
	p.rows = p.bind()
	r.host.Open(p)
}

// bind returns the page's keys, each with what it does.
func (p *Page) bind() panes.Table {
	never := func() bool { return false } // these keys work here, but only the help lists them
	t := panes.Table{
		{Action: deed.Find, Do: func(string) { p.finding = editor.OneLine(p.find) },
			When: func() bool { return len(p.room.on.lines) > 0 }},
		{Action: deed.Enter, Do: func(string) { p.finding = nil }},
		{Action: deed.Back, Do: func(string) { p.back() }, Word: p.backWord},
		{Action: keys.ActPeek, Do: func(string) { p.room.host.Close() }}, {Action: keys.ActHistory, When: never},
		{Action: keys.ActSettings, When: never},
	}
	return append(t, panes.ScrollRows(func(a keys.Action) { p.up = p.scrolled(a) }, p.whyNotScroll,
		func() bool { return p.up > 0 })...)
}

// Place returns the place of its keys: the page, or the line that filters it.
func (p *Page) Place() keys.Place {
	if p.finding != nil {
		return keys.PlaceFind
	}
	return keys.PlacePeek
}

// Table binds the keys of both places.
func (p *Page) Table() panes.Table { return p.rows }

// Field returns the field for the words to filter by, while they are being typed.
func (p *Page) Field() *editor.Field { return p.finding }

// Typed filters the lines by the typed words.
func (p *Page) Typed() {
	if p.finding != nil {
		p.find, p.up = p.finding.Text(), 0
	}
}

// InputHandler takes text for the words to filter by.
func (p *Page) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return p.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) {
		if p.finding != nil {
			p.finding.Key(ev)
			p.Typed()
		}
	})
}

// PasteHandler takes pasted text for the words to filter by, on one line.
func (p *Page) PasteHandler() func(string, func(tview.Primitive)) {
	return p.WrapPasteHandler(func(text string, _ func(tview.Primitive)) {
		if p.finding != nil {
			p.finding.Paste(say.OneLine(text))
			p.Typed()
		}
	})
}

// back closes the line being typed, else shows all lines again, else leaves the page.
func (p *Page) back() {
	switch {
	case p.finding != nil:
		p.finding, p.find = nil, ""
	case p.find != "":
		p.find, p.up = "", 0
	default:
		p.room.host.Close()
	}
}

// backWord returns the word for the effect of back.
func (p *Page) backWord(keys.Word) keys.Word {
	if p.finding != nil || p.find != "" {
		return keys.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	}
	return keys.Word{Long: "back"}
}

// found returns how many lines contain the words, as text: "3 found".
func (p *Page) found() string { return fmt.Sprintf("%d found", len(p.matching())) }

// matching returns the lines that contain the words to filter by.
func (p *Page) matching() []say.BeforeLine {
	if p.find == "" {
		return p.room.on.lines
	}
	var list []say.BeforeLine
	for _, l := range p.room.on.lines {
		if strings.Contains(strings.ToLower(l.Text), strings.ToLower(p.find)) {
			list = append(list, l)
		}
	}
	return list
}

// Foot returns the keys of the page, because Enter does nothing there, or of the line that filters it.
func (p *Page) Foot() panes.Foot {
	f := panes.Foot{Hints: panes.Hints(p.room.host.Keys(), p.Place(), p.rows)}
	if g := p.room.host.Ink(nil).Glyphs; p.finding != nil {
		f.Line = say.Words(g.Enter + " done " + g.Dot + " " + p.found())
	}
	return f
}

// Draw draws the page, its upper and its lower rule included. The line that is typed takes the lower one.
func (p *Page) Draw(screen tcell.Screen) {
	x, y, w, h := p.GetRect()
	r, c := p.room, p.room.host.Ink(screen)
	right := r.asOf()
	if p.find != "" && p.finding == nil {
		right = ink.PlainLine("/" + say.OneLine(p.find) + " " + c.Glyphs.Dot + " " + p.found())
	}
	p.room.drawRule(c, ink.Rect{X: x, Y: y, W: w, H: 1}, right)
	if words := p.instead(); words != "" {
		for n, l := range ink.Wrap(words+".", max(w-4, 1)) {
			c.Put(x+2, y+2+n, w-3, ink.Plain, l)
		}
	}
	lines, most := p.lines(), p.most()
	last := len(lines) - p.below(len(lines))
	for n, l := range lines[max(last-most, 0):last] {
		drawLine(c, ink.Rect{X: x, Y: y + 1 + n, W: w, H: 1}, l)
	}
	if len(lines) > most {
		c.Put(x, y+h-2, w, ink.Plain, ink.OutOfSight(c.Glyphs, max(last-most, 0), len(lines)-last))
	}
	lower := ink.Rect{X: x, Y: y + h - 1, W: w, H: 1}
	if p.finding == nil {
		r.host.DrawLower(c, lower)
		return
	}
	c.Fill(lower, ink.Plain)
	used := c.Put(x, lower.Y, w, ink.Bold, "/ filter the lines: ")
	p.finding.Draw(c, ink.Rect{X: x + used, Y: lower.Y, W: max(w-used, 1), H: 1})
}

// instead returns the words that are shown while there are no lines of the agent.
func (p *Page) instead() string {
	switch r := p.room; {
	case len(r.on.lines) > 0:
		return ""
	case r.WhyNot() != "":
		return r.WhyNot()
	case r.on.fault != nil:
		return say.PaneTrouble(r.on.fault.Error())
	case r.looking || r.on.looked.IsZero():
		return "looking for what the agent was doing"
	}
	return say.BeforeUnknown
}

// lines returns the lines of the page, wrapped so that they can be read in full.
func (p *Page) lines() []say.BeforeLine {
	_, _, w, _ := p.GetRect()
	return wrapped(p.matching(), w-2)
}

// most returns how many lines the page shows. The row below them counts the others.
func (p *Page) most() int {
	_, _, _, h := p.GetRect()
	if rows := max(h-2, 1); len(p.lines()) <= rows {
		return rows
	}
	return max(h-3, 1)
}

// below returns how many of all lines are below those on screen.
func (p *Page) below(lines int) int { return min(max(p.up, 0), max(lines-p.most(), 0)) }

// scrolled returns how many lines are below those on screen after a motion.
func (p *Page) scrolled(a keys.Action) int {
	n, most := len(p.lines()), p.most()
	top := max(n-most, 0) - p.below(n)
	return p.belowTop(panes.Scrolled(top, a, most))
}

// belowTop returns how many lines are below those on screen when the first one has this index.
func (p *Page) belowTop(top int) int {
	last := max(len(p.lines())-p.most(), 0)
	return last - min(max(top, 0), last)
}

// whyNotScroll explains why a key that moves in the lines has nothing to do.
func (p *Page) whyNotScroll(a keys.Action) string {
	n := len(p.lines())
	last := max(n-p.most(), 0)
	return panes.WhyNotScrolled(last-p.below(n), last-p.scrolled(a), last)
}
