package peek

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Page shows the last lines of what the agent was doing that fit on a page, and follows what is written.
type Page struct {
	*tview.Box
	panes.Filter
	room *Room
	rows panes.Table
	up   int // the number of lines below those on screen
}

// Open brings the page up. It tries again to read what could not be read before.
func (r *Room) Open() {
	r.on.fault, r.on.shot.NoPane = nil, false
	p := &Page{Box: tview.NewBox(), room: r}
	p.rows = p.bind()
	r.host.Open(p)
}

// bind returns the page's keys, each with what it does.
func (p *Page) bind() panes.Table {
	p.Found, p.Changed = func() int { return len(p.matching()) }, func() { p.up = 0 }
	closePage := p.room.host.Close
	t := append(p.Rows(action.If(func() bool { return len(p.room.on.lines) > 0 }), closePage),
		// Only the help lists these keys.
		action.Row{Name: action.Peek, Do: action.Just(func() { closePage() })},
		action.Row{Name: action.History, Offered: action.Never},
		action.Row{Name: action.Settings, Offered: action.Never})
	return append(t, panes.ScrollRows(p.scrolledTo, p.scrollTo, func() bool { return p.up > 0 })...)
}

// Place returns the place of the page's keys, or of the words that narrow it.
func (p *Page) Place() action.Place { return p.In(action.PlacePeek) }

// Table binds the keys of both places.
func (p *Page) Table() panes.Table { return p.rows }

// matching returns the lines that contain the words to filter by.
func (p *Page) matching() []say.BeforeLine {
	if p.Words == "" {
		return p.room.on.lines
	}
	var list []say.BeforeLine
	for _, l := range p.room.on.lines {
		if strings.Contains(strings.ToLower(l.Text), strings.ToLower(p.Words)) {
			list = append(list, l)
		}
	}
	return list
}

// Footer names the keys, and how many lines match while words are being typed.
func (p *Page) Footer() panes.Footer { return p.Filter.Footer(p.room.host, p.Place(), p.rows) }

// Draw draws the page, its upper and its lower divider included. The line that is typed takes the lower one.
func (p *Page) Draw(screen tcell.Screen) {
	x, y, w, h := p.GetRect()
	r, c := p.room, p.room.host.Ink(screen)
	p.room.drawDivider(c, ink.Rect{X: x, Y: y, W: w, H: 1}, p.Right(c.Glyphs, r.asOf()))
	if words := p.instead(); words != "" {
		for n, l := range ink.Wrap(say.Sentence(words), max(w-4, 1)) {
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
	if !p.DrawField(c, lower, "/ filter the lines: ") {
		r.host.DrawLower(c, lower)
	}
}

// instead returns the words that are shown while there are no lines of the agent.
func (p *Page) instead() string {
	switch r := p.room; {
	case len(r.on.lines) > 0:
		return ""
	case r.WhyNot() != "":
		return r.WhyNot()
	case r.on.fault != nil:
		return say.ErrBeforeUnknown.Error() + ": " + r.on.fault.Error()
	case r.looking || r.on.looked.IsZero():
		return "looking for what the agent was doing"
	}
	return say.ErrBeforeUnknown.Error()
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

// scrolledTo returns where the lines are scrolled to, for panes.ScrollRows.
func (p *Page) scrolledTo() (top, page, last int) {
	n, most := len(p.lines()), p.most()
	last = max(n-most, 0)
	return last - p.below(n), most, last
}

// scrollTo scrolls to a line.
func (p *Page) scrollTo(top int) {
	_, _, last := p.scrolledTo()
	p.up = last - min(max(top, 0), last)
}
