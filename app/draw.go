package app

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
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
	d.size.w, d.size.h, d.fuse = w, h, 0
	c := ink.Canvas{Screen: screen, Glyphs: d.glyphs, Theme: d.theme}
	a := panes.Layout(w, h, d.form, len(d.waiting), d.o.Attach != "")
	if d.focus == areaQueue && d.o.Attach == "" {
		a = a.WithQueue(d.form, len(d.waiting), d.finding != nil)
	}
	place := d.place()
	if d.theme.Paints() {
		c.Fill(ink.Rect{W: w, H: h}, ink.Plain)
	}
	switch {
	case a.TooSmall:
		d.drawTooSmall(c, w, h)
		return
	case d.page != nil:
		d.page.draw(c, ink.Rect{X: 0, Y: 0, W: w, H: h - 2})
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

func (d *Dashboard) drawTooSmall(c ink.Canvas, w, h int) {
	words := fmt.Sprintf("choicetui needs %d×%d, this is %d×%d.", panes.LeastWidth, panes.LeastHeight, w, h)
	if len(d.waiting) > 0 {
		words += fmt.Sprintf(" %s.", d.waitWords())
	}
	for y, l := range ink.Wrap(words, max(w, 1)) {
		if y < h {
			c.Put(0, y, w, ink.Plain, l)
		}
	}
}

func (d *Dashboard) drawEmpty(c ink.Canvas, w, h int) {
	today := d.day.today(d.now())
	v := panes.EmptyView{Connect: d.o.Connect, Keys: d.keys, Answered: len(today), Median: median(today), Last: d.day.lastWords(d.now()),
		Known: d.day.known, Missed: d.missedElsewhere(), Problem: d.troubleIn(whole), ChatKey: d.missedKey(),
		DemoKey: d.keys.KeyOf(keys.PlaceEmpty, keys.ActDemo)}
	area := ink.Rect{X: 0, Y: 0, W: w, H: h - 3}
	if !d.loaded {
		ink.DrawNamedRule(c, area.Row(0), "reading the queue", "choicetui")
	} else {
		v.Draw(c, area)
	}
	name := d.emptyChat()
	ink.DrawNamedRule(c, ink.Rect{X: 0, Y: h - 3, W: w, H: 1}, name, d.last.fit(d.glyphs, w-ink.Width(name)-10))
}

func (d *Dashboard) drawWaiting(c ink.Canvas, a panes.Areas, place keys.Place) {
	now, f := d.now(), d.form
	s := f.Session.At(now)
	d.fuse = panes.DrawRule(c, a.Rule, panes.RuleView{Session: s, Now: now, Warn: d.warn(), Home: d.o.Home, Name: d.names.Of(s.Origin),
		Held: d.held[s.ID] && f.Typing() != panes.FieldNone, Gone: s.Gone(d.alive)})
	if f.Confirming() {
		f.DrawConfirm(c, a.Question, panes.ConfirmView{Home: d.o.Home, Where: d.places[s.Origin.Pane]})
	} else {
		f.Draw(c, a.Question, a.Fit, place != keys.PlaceQueue && d.focus != areaSettings && (place != keys.PlaceFind || d.finding == nil))
	}
	list := d.listed()
	v := panes.QueueView{N: len(list), Entry: func(i int) panes.Entry { return d.entry(list[i]) }, Cursor: indexOf(list, s.ID),
		Now: now, Warn: d.warn(), Focus: d.focus == areaQueue, Missed: d.missedElsewhere(), None: d.nothingFound()}
	if a.Wide {
		d.drawBeside(c, a, v)
	} else {
		d.set.area = false
		d.drawBelow(c, a, v)
	}
	d.drawAsk(c, ink.Rect{X: 0, Y: a.Foot.Y - 1, W: a.Foot.W, H: 1})
}

// drawBeside draws what is left of the question: queue and settings, and the rule below all.
func (d *Dashboard) drawBeside(c ink.Canvas, a panes.Areas, v panes.QueueView) {
	name := d.waitWords()
	if d.find != "" {
		name = d.found(a.ListRule.W)[0]
	}
	ink.DrawNamedRule(c, a.ListRule, name, "")
	a = a.WithSettings(v.ListRows(), d.focus == areaSettings)
	d.drawLower(c, a, d.nextHidden(v, a.Queue.H, true))
	v.DrawList(c, a.Queue)
	for y := range a.Divider.H - 1 { // the lower rule is its last row
		c.Put(a.Divider.X, a.Divider.Y+y, 1, ink.Plain, c.Glyphs.Divider)
	}
	c.Put(a.Divider.X, a.Divider.Y, 1, ink.Plain, c.Glyphs.TeeDown)
	if mark, _, _ := c.Screen.Get(a.Divider.X, a.Lower.Y); mark == c.Glyphs.Rule { // words go first
		c.Put(a.Divider.X, a.Lower.Y, 1, ink.Plain, c.Glyphs.TeeUp)
	}
	d.drawSettings(c, a)
}

// drawBelow draws the strip and the rule over it. The line that narrows the queue stands in the last row.
func (d *Dashboard) drawBelow(c ink.Canvas, a panes.Areas, v panes.QueueView) {
	if d.finding != nil {
		a.Queue.H = max(a.Queue.H-1, 0)
	}
	d.drawLower(c, a, d.nextHidden(v, a.Queue.H, false))
	v.DrawStrip(c, a.Queue)
}

// drawLower draws the rule under the question: what waits, or what this form is, and the last event.
func (d *Dashboard) drawLower(c ink.Canvas, a panes.Areas, next string) {
	name := "attach " + d.o.Attach + " · works once"
	if len(d.trouble()) > 0 {
		name = "attach " + d.o.Attach + " · " + d.troubleIn(a.Lower.W-26)
	}
	if d.o.Attach == "" {
		name = d.lowerName(a.Wide, next, a.Lower.W-4)
	}
	ink.DrawNamedRule(c, a.Lower, name, d.last.fit(d.glyphs, a.Lower.W-ink.Width(name)-8))
}

// lowerName is what waits, in room cells: what is said of chat goes first.
func (d *Dashboard) lowerName(wide bool, next string, room int) string {
	rest := []string{next}
	switch {
	case len(d.trouble()) > 0:
		rest = append(rest, d.troubleIn(room-16))
	case d.degraded:
		rest = append(rest, "no notifications, polling")
	}
	var name string
	for _, head := range d.lowerHeads(wide, room) {
		parts := slices.DeleteFunc(append(head, rest...), func(s string) bool { return s == "" })
		if name = strings.Join(parts, " "+d.glyphs.Dot+" "); ink.Width(name) <= room {
			break
		}
	}
	return name
}

// lowerHeads are the ways to say what waits and that chat is closed, longest first.
func (d *Dashboard) lowerHeads(wide bool, room int) [][]string {
	count, narrowed := d.waitWords(), d.find != "" && !wide
	if narrowed {
		count = d.found(room)[0]
	}
	var heads [][]string
	for _, chat := range d.lowerChat() {
		if wide && chat == chatClosed {
			heads = append(heads, []string{chat + ": " + count})
		} else {
			heads = append(heads, []string{count, chat})
		}
	}
	if narrowed {
		heads = append(heads, []string{d.found(room)[1]})
	}
	return heads
}

// nextHidden says when the soonest other question is due, where it has no row in an area of so many rows.
func (d *Dashboard) nextHidden(v panes.QueueView, rows int, list bool) string {
	next, ok := d.nextOther()
	if !ok || v.Shows(indexOf(d.listed(), next.ID), rows, list) {
		return ""
	}
	return "next " + say.TimeLeft(next.Session, d.now(), d.warn())
}

// nextOther is the soonest question beside the one on screen that hurries.
func (d *Dashboard) nextOther() (queue.Waiting, bool) {
	for _, w := range d.waiting {
		if w.ID != d.shown() {
			return w, w.Standing == queue.StandingOpen
		}
	}
	return queue.Waiting{}, false
}

// drawAsk draws the one-line fields over the last row above the foot: why to cancel, what to find.
func (d *Dashboard) drawAsk(c ink.Canvas, r ink.Rect) {
	label, e := "", d.editor()
	switch {
	case d.finding != nil:
		label = "/ narrow the queue: "
	case d.form.Typing() == panes.FieldFind:
		label = "/ narrow the options: "
	case d.form.Typing() == panes.FieldReason:
		label = d.cancelKey() + " cancel “" + say.OneLine(d.form.Session.Ask.Title) + "” · why (may stay empty): "
		if ink.Width(label) > r.W/2 {
			label = d.cancelKey() + " cancel · why (may stay empty): "
		}
		if ink.Width(label) > r.W-16 { // what is typed needs room too
			label = d.cancelKey() + " cancel · why: "
		}
	default:
		return
	}
	c.Fill(r, ink.Plain)
	used := c.Put(r.X, r.Y, r.W, ink.Bold, label)
	e.Draw(c, ink.Rect{X: r.X + used, Y: r.Y, W: max(r.W-used, 1), H: 1})
}

// entry is one row of the queue.
func (d *Dashboard) entry(w queue.Waiting) panes.Entry {
	_, draft := d.drafts[w.ID]
	if f := d.forms[w.ID]; f != nil {
		draft = f.Drafted()
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

// waitWords are how many wait, and how many of them for nobody: the one count of all that wait, on every screen.
func (d *Dashboard) waitWords() string {
	n, gone := len(d.waiting), 0
	for gone < n && d.waiting[n-1-gone].Standing == queue.StandingGone { // they come last
		gone++
	}
	switch {
	case gone == 0:
		return waits(n)
	case n == 1:
		return waits(n) + ", gone"
	}
	return fmt.Sprintf("%s, %d gone", waits(n), gone)
}

// waitsShort stands in the rule of a page: `1 waits 4:12`.
func (d *Dashboard) waitsShort() string {
	if len(d.waiting) == 0 {
		return ""
	}
	return d.waitWords() + " " + say.TimeLeft(d.waiting[0].Session, d.now(), d.warn())
}
