// Package alike is the last page of a round. In a round the person looks through similar approvals one by one, in the
// room of the question, and marks what to answer. This page lists them before they are sent together. desk.Round knows
// which approvals they are, and which of them are sent.
//
//	the key ─► desk.Round.Begin ─► question: mark, Enter, mark, Enter … ─► Page ─ Enter ─► desk.Round.Send
//	desk.RoundMoved ─► the page comes up or goes
package alike

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Opener shows the page at the end of a round, and removes it when the round is over.
type Opener struct {
	host panes.Host
	page *Page // nil while no page is open
}

// New returns an Opener that shows the last page of each round that the person goes through at the host.
func New(host panes.Host) *Opener {
	o := &Opener{host: host}
	desk.Hear(host.View().Desk(), func(e desk.RoundMoved) {
		if e.View == host.View() {
			o.follow()
		}
	})
	return o
}

// follow opens or closes the page, as the present round needs it.
func (o *Opener) follow() {
	switch open := o.host.View().Round.Reviewing(); {
	case open && o.page == nil:
		o.page = newPage(o)
		o.host.Open(o.page)
	case !open && o.page != nil:
		o.page = nil
		o.host.Close()
	}
}

// Page lists the approvals that are sent together.
type Page struct {
	*tview.Box
	panes.NoField
	opener *Opener
	rows   panes.Table
	top    int // the first row of the list on screen
}

// newPage returns the page, scrolled to its first row.
func newPage(o *Opener) *Page {
	p := &Page{Box: tview.NewBox(), opener: o}
	p.rows = p.bind()
	w, h := o.host.Size()
	p.Box.SetRect(0, 0, w, max(h-2, 1)) // until the layout sets the size
	return p
}

func (p *Page) round() *desk.Round { return p.opener.host.View().Round }

// length returns the number of listed approvals.
func (p *Page) length() int { _, of := p.round().At(); return of }

// End ends the round without sending anything, because another page replaces this one.
func (p *Page) End() {
	if p.opener.page == p {
		p.opener.page = nil
		p.round().Leave()
	}
}

// Place returns the place of the page's keys.
func (p *Page) Place() action.Place { return action.PlaceRound }

// Table binds the keys of the page.
func (p *Page) Table() panes.Table { return p.rows }

// Footer says what Enter sends, and which keys the page has.
func (p *Page) Footer() panes.Footer {
	return panes.Footer{Line: say.RoundSends(desk.CountRound(p.round().Entries()), p.speech()),
		Hints: panes.Hints(p.opener.host, action.PlaceRound, p.rows)}
}

func (p *Page) speech() say.Speech {
	return say.Speech{Frontend: say.OnScreen, Keys: p.opener.host.Keys(), Enter: p.opener.host.Ink(nil).Glyphs.Enter}
}

// bind returns the page's keys, each with what it does.
func (p *Page) bind() panes.Table {
	which := func(h action.Hint) action.Hint {
		h.Keys = p.opener.host.Keys().FirstKeys(action.PlaceRound, action.ChangeOne, p.length())
		return h
	}
	t := panes.Table{
		{Name: action.Enter, Effect: func(action.At) desk.Effect { return desk.Sending },
			Do: action.Just(func() { p.send() }), Needs: action.Unless(p.whyNotSent)},
		{Name: action.Back, Do: action.Just(func() { p.leave() }), Now: action.Says("leave, nothing is sent", "leave")},
		{Name: action.ChangeOne, Do: action.Nth(func(n int) { p.round().GoTo(n) }), Now: action.Hinted(which),
			Needs: action.UnlessNth(p.whyNotGoTo)},
	}
	for _, a := range []action.Name{action.Up, action.Down, action.First, action.Last} {
		t = append(t, panes.ScrollRow(a, p.scrolledTo, func(top int) { p.top = top }))
	}
	return t
}

// whyNotSent explains why Enter sends nothing: no approval of the round would be sent.
func (p *Page) whyNotSent() string {
	if desk.CountRound(p.round().Entries()).Sends() == 0 {
		return say.RoundNothing
	}
	return ""
}

// send sends the answers to all approvals of the round that the person marked after seeing them in full.
func (p *Page) send() {
	sent := p.round().Send()
	p.opener.host.Say("sent: " + say.RoundCounts(desk.CountRound(sent)))
}

// leave ends the round without sending anything.
func (p *Page) leave() {
	p.round().Leave()
	p.opener.host.Say(say.RoundLeft)
}

// whyNotGoTo explains why a digit key does not go back to an approval: no approval has this number, or it ended.
func (p *Page) whyNotGoTo(n int) string {
	list := p.round().Entries()
	if n > 0 && (n > len(list) || list[n-1].Ended) {
		return say.RoundGone
	}
	return ""
}

// scrolledTo returns where the list is scrolled to, for panes.ScrollRow.
func (p *Page) scrolledTo() (top, page, last int) {
	top, shown := p.window()
	return top, 1, p.length() - shown
}

// notes returns the lines below the list about approvals that are not in it.
func (p *Page) notes() (lines []string) {
	_, _, w, _ := p.GetRect()
	for _, words := range say.RoundNotes(p.round().Aside(), p.round().Later()) {
		lines = append(lines, ink.Wrap(words, max(w-2, 8))...)
	}
	return lines
}

// window returns which rows of the list are on screen: the first one, and how many.
func (p *Page) window() (first, shown int) {
	_, _, _, h := p.GetRect()
	return panes.Window(p.top, p.length(), max(h-2-len(p.notes()), 1))
}

// Draw draws the page, with the lines at its top and bottom.
func (p *Page) Draw(screen tcell.Screen) {
	x, y, w, h := p.GetRect()
	host, c := p.opener.host, p.opener.host.Ink(screen)
	list := p.round().Entries()
	if len(list) == 0 {
		return // the round is over and the page is about to close
	}
	name := say.RoundName + " " + c.Glyphs.Dot + " " + host.View().Desk().Name(list[0].Session.Origin)
	ink.DrawDivider(c, ink.Rect{X: x, Y: y, W: w, H: 1}, ink.PlainLine(name), host.Waits())
	from, fits := p.window()
	at := y + 1
	names := p.requestWidth(list, w)
	for n, e := range list[from : from+fits] {
		p.drawRow(c, ink.Rect{X: x, Y: at, W: w, H: 1}, names, from+n+1, rowOf(e))
		at++
	}
	if len(list) > fits {
		words := ink.OutOfSight(c.Glyphs, from, len(list)-from-fits)
		c.Put(x, at, w-1, ink.Plain, ink.Cut(words, w-1, c.Glyphs.Ellipsis))
		at++
	}
	notes := p.notes()
	if at+len(notes) < y+h-1 {
		at++
	}
	for _, l := range notes {
		c.Put(x+1, at, w-2, ink.Plain, l)
		at++
	}
	host.DrawLower(c, ink.Rect{X: x, Y: y + h - 1, W: w, H: 1})
}

// rowOf puts an approval into words.
func rowOf(e desk.RoundEntry) say.RoundRow {
	if e.Counts {
		return say.RoundRowOf(e.Session, &e.Answer, e.Ended)
	}
	return say.RoundRowOf(e.Session, nil, e.Ended)
}

// before is the number of cells before the text of a row, for its key and its sign.
const before = 5

// requestWidth returns the width of the column with the requests. Short answers leave it more of the w cells.
func (p *Page) requestWidth(list []desk.RoundEntry, w int) int {
	names, answers := 8, 0
	for _, e := range list {
		row := rowOf(e)
		names, answers = max(names, ink.Width(row.What)), max(answers, ink.Width(row.Answer))
	}
	room := panes.Measured(w) - before - 3
	return max(8, min(names, room-min(answers, room/2)))
}

// drawRow draws an approval: its key, the request, and the answer that is sent.
func (p *Page) drawRow(c ink.Canvas, r ink.Rect, names, n int, row say.RoundRow) {
	sign, style := c.Glyphs.RadioOff, ink.Dim
	if row.Sent {
		sign, style = c.Glyphs.RadioOn, ink.Bold
	}
	c.Put(r.X+1, r.Y, 2, ink.Key, p.opener.host.Keys().KeyFor(action.PlaceRound, action.ChangeOne, n))
	c.Put(r.X+3, r.Y, 3, ink.Plain, sign)
	x, end := r.X+before, r.X+r.W-1
	c.Put(x, r.Y, names, ink.Plain, ink.Cut(row.What, names, c.Glyphs.Ellipsis))
	x += names + 2
	c.Put(x, r.Y, end-x, style, ink.Cut(row.Answer, end-x, c.Glyphs.Ellipsis))
}
