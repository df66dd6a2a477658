package app

import (
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// root is the one primitive tview knows: it hands keys, pastes and draws to the dashboard.
type root struct {
	*tview.Box
	d *Dashboard
}

func (r *root) Draw(screen tcell.Screen) { r.d.Draw(screen) }

func (r *root) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return r.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) { r.d.Key(ev) })
}

func (r *root) PasteHandler() func(string, func(tview.Primitive)) {
	return r.WrapPasteHandler(func(text string, _ func(tview.Primitive)) { r.d.Paste(text) })
}

// Draw draws the whole screen from the state.
func (d *Dashboard) Draw(screen tcell.Screen) {
	screen.HideCursor()
	w, h := screen.Size()
	d.size.w, d.size.h = w, h
	c := panes.Canvas{Screen: screen, Glyphs: d.glyphs, Theme: d.theme}
	a := panes.Layout(w, h, d.form, len(d.listed()), d.o.Attach != "")
	place := d.place()
	if d.theme.Paints() {
		c.Fill(panes.Rect{W: w, H: h}, panes.Plain)
	}
	switch {
	case a.TooSmall:
		d.drawTooSmall(c, w, h)
		return
	case d.page != nil:
		d.page.draw(c, panes.Rect{X: 0, Y: 0, W: w, H: h - 2})
	case d.form == nil:
		d.drawEmpty(c, w, h)
	default:
		d.drawWaiting(c, a, place)
	}
	if d.chat.open {
		d.drawChat(c, w, h)
	}
	panes.DrawFoot(c, a.Foot, d.foot(place))
	d.arm()
}

func (d *Dashboard) tooSmall() bool {
	return d.size.w > 0 && (d.size.w < panes.LeastWidth || d.size.h < panes.LeastHeight)
}

func (d *Dashboard) drawTooSmall(c panes.Canvas, w, h int) {
	words := fmt.Sprintf("choicetui needs %d×%d, this is %d×%d.", panes.LeastWidth, panes.LeastHeight, w, h)
	if n := len(d.waiting); n > 0 {
		words += fmt.Sprintf(" %s.", waits(n))
	}
	for y, l := range panes.Wrap(words, max(w, 1)) {
		if y < h {
			c.Put(0, y, w, panes.Plain, l)
		}
	}
}

func (d *Dashboard) drawEmpty(c panes.Canvas, w, h int) {
	today := d.day.today(d.now())
	v := panes.EmptyView{Connect: d.o.Connect, Answered: len(today), Median: median(today), Last: d.day.last,
		Known: d.day.known, Missed: d.missed, Problem: d.problem, ChatKey: d.chatKey(),
		DemoKey: d.keys.KeyOf(panes.PlaceEmpty, panes.ActDemo)}
	area := panes.Rect{X: 0, Y: 0, W: w, H: h - 3}
	if !d.loaded {
		panes.DrawNamedRule(c, area.Row(0), "reading the queue", "choicetui")
	} else {
		v.Draw(c, area)
	}
	name := d.emptyChat()
	panes.DrawNamedRule(c, panes.Rect{X: 0, Y: h - 3, W: w, H: 1}, name, d.last.fit(d.glyphs, w-panes.Width(name)-10))
}

func (d *Dashboard) drawWaiting(c panes.Canvas, a panes.Areas, place panes.Place) {
	now, f := d.now(), d.form
	s := f.Session.At(now)
	panes.DrawRule(c, a.Rule, panes.RuleView{Session: s, Now: now, Warn: d.warn(), Home: d.o.Home, Name: d.names.Of(s.Origin),
		Held: d.held[s.ID] && f.Typing() != panes.FieldNone, Gone: s.Gone(d.alive)})
	d.drawLower(c, a)
	if f.Confirming() {
		f.DrawConfirm(c, a.Question, panes.ConfirmView{Home: d.o.Home, Where: d.places[s.Origin.Pane]})
	} else {
		f.Draw(c, a.Question, a.Fit, place != panes.PlaceQueue && d.focus != areaSettings && (place != panes.PlaceFind || d.finding == nil))
	}
	list := d.listed()
	v := panes.QueueView{N: len(list), Entry: func(i int) panes.Entry { return d.entry(list[i]) }, Cursor: indexOf(list, s.ID),
		Now: now, Warn: d.warn(), Focus: d.focus == areaQueue, Missed: d.missed}
	if a.Wide {
		panes.DrawNamedRule(c, a.ListRule, waits(len(d.waiting)), "")
		a = a.WithSettings(v.ListRows(), d.focus == areaSettings)
		v.DrawList(c, a.Queue)
		for y := range a.Divider.H - 1 { // the lower rule is its last row
			c.Put(a.Divider.X, a.Divider.Y+y, 1, panes.Plain, c.Glyphs.Divider)
		}
		c.Put(a.Divider.X, a.Divider.Y, 1, panes.Plain, c.Glyphs.TeeDown)
		if mark, _, _ := c.Screen.Get(a.Divider.X, a.Lower.Y); mark == c.Glyphs.Rule { // words go first
			c.Put(a.Divider.X, a.Lower.Y, 1, panes.Plain, c.Glyphs.TeeUp)
		}
		d.drawSettings(c, a)
	} else {
		d.set.area = false
		v.DrawStrip(c, a.Queue)
	}
	d.drawAsk(c, panes.Rect{X: 0, Y: a.Foot.Y - 1, W: a.Foot.W, H: 1})
}

// drawLower draws the rule under the question: what waits, or what this form is, and the last event.
func (d *Dashboard) drawLower(c panes.Canvas, a panes.Areas) {
	name := d.lowerChat(a.Wide)
	switch {
	case d.o.Attach != "":
		name = "attach " + d.o.Attach + " · works once"
	case a.Fit.Strip == 0 && len(d.waiting) > 1 && !a.Wide:
		name += " · " + d.nextOther()
	case d.degraded:
		name += " · no notifications, polling"
	}
	if d.find != "" {
		name += " · /" + oneLine(d.find)
	}
	if d.problem != "" {
		name += " · ! " + oneLine(d.problem)
	}
	panes.DrawNamedRule(c, a.Lower, name, d.last.fit(d.glyphs, a.Lower.W-panes.Width(name)-8))
}

// nextOther says when the next other question is due, where the strip has no room.
func (d *Dashboard) nextOther() string {
	for _, w := range d.waiting {
		if w.ID != d.shown() {
			return "next " + panes.Left(w.Session, d.now(), d.warn())
		}
	}
	return ""
}

// drawAsk draws the one-line fields over the last row above the foot: why to cancel, what to find.
func (d *Dashboard) drawAsk(c panes.Canvas, r panes.Rect) {
	label, e := "", d.editor()
	switch {
	case d.finding != nil:
		label = "/ narrow the queue: "
	case d.form.Typing() == panes.FieldFind:
		label = "/ narrow the options: "
	case d.form.Typing() == panes.FieldReason:
		label = d.cancelKey() + " cancel “" + oneLine(d.form.Session.Ask.Title) + "” · why (may stay empty): "
		if panes.Width(label) > r.W/2 {
			label = d.cancelKey() + " cancel · why (may stay empty): "
		}
		if panes.Width(label) > r.W-16 { // what is typed needs room too
			label = d.cancelKey() + " cancel · why: "
		}
	default:
		return
	}
	c.Fill(r, panes.Plain)
	used := c.Put(r.X, r.Y, r.W, panes.Bold, label)
	e.Draw(c, panes.Rect{X: r.X + used, Y: r.Y, W: max(r.W-used, 1), H: 1})
}

// entry is one row of the queue.
func (d *Dashboard) entry(w queue.Waiting) panes.Entry {
	_, draft := d.drafts[w.ID]
	if f := d.forms[w.ID]; f != nil && f.Touched() {
		draft = true
	}
	e := panes.Entry{Waiting: w, Name: d.names.Of(w.Origin), Unseen: !d.seen[w.ID], Draft: draft}
	if f := d.forms[w.ID]; f != nil && f.Touched() {
		e.Done = f.Progress()
	}
	if w.Attached != nil {
		e.Where = d.places[w.Attached.Pane]
	}
	return e
}

// nameAgents notes who waits, so that two alike can be told apart.
func (d *Dashboard) nameAgents() {
	d.names = queue.Names{}
	for i := range d.waiting {
		d.names.Add(d.waiting[i].Origin)
	}
}

func (d *Dashboard) warn() time.Duration {
	return time.Duration(d.settings.Notify.WarnSeconds) * time.Second
}

func waits(n int) string {
	if n == 0 {
		return "nothing else waits"
	}
	if n == 1 {
		return "1 waits"
	}
	return fmt.Sprintf("%d wait", n)
}

// waitsShort stands in the rule of a page: `1 waits 4:12`.
func (d *Dashboard) waitsShort() string {
	if len(d.waiting) == 0 {
		return ""
	}
	return waits(len(d.waiting)) + " " + panes.Left(d.waiting[0].Session, d.now(), d.warn())
}
