// Package team is the room of asking teammates: a line below the question, and the page on which they are asked and on
// which what they said is reviewed. How far that is, a widen.Consult says; its actions are of package deed.
//
//	w on a question ─► deed ─► desk.Teamwork ─► widen.Consult ─► Page: who, what they read, until they reply
//	f ─► Page: fetching, summing up, the review ─ a, e, d ─► the line of a reason ─► the desk's outbox
//	desk.TeamMoved ─► the page comes up or goes
package team

import (
	"context"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/widen"
)

// Options hold what the room can do beyond its host.
type Options struct {
	// Edit gives a text to the person's editor and returns the saved text. nil: no editor.
	Edit func(ctx context.Context, text string) (string, error)
	Hand func() *deed.Hand // of the seat
}

// Room is the line that is typed about the team, over the last row above the foot. It is open while the consultation
// on view has one and no page is open.
type Room struct {
	*tview.Box
	host  panes.Host
	o     Options
	table panes.Table
	page  *Page // nil: none is open

	field *editor.Field // of the line that is typed, here or on the page
	of    lineOf
}

// lineOf identifies a line of a question.
type lineOf struct {
	session string
	line    widen.Line
}

// New returns the room of a host's seat.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o}
	r.table = panes.Table{{Action: deed.Enter, Deed: true},
		{Action: deed.Back, Deed: true, Word: panes.Says("back", "")},
		{Action: deed.Area, Deed: true, When: func() bool { return false }}, {Action: deed.AreaBack, Deed: true}}
	host.Seat().Desk().Subscribe(r.hear)
	return r
}

func (r *Room) consult() *widen.Consult { return r.host.Seat().Team.On() }

// hear takes over what the desk tells: pages come up and go, and what went wrong is said.
func (r *Room) hear(e desk.Event) {
	seat := r.host.Seat()
	switch e := e.(type) {
	case desk.Shown:
		if e.Seat == seat {
			r.follow()
		}
	case desk.TeamMoved:
		r.heardAt(e.Seat, "")
	case desk.TeamFailed:
		r.heardAt(e.Seat, r.failed(e.Err))
	case desk.TeamClosed:
		r.heardAt(e.Seat, say.TeamClosed(e.Session, say.FaceScreen))
	case desk.TeamRegrouped:
		r.heardAt(e.Seat, say.TeamRegrouped(e.Session))
	case desk.TeamTrouble:
		r.host.Say(say.TeamFailed(e.Err))
	}
}

// failed says that a step failed. The reason is shown on the page, or under the title of the question.
func (r *Room) failed(err error) string {
	switch {
	case !say.TeamLong(err):
		return say.TeamWhyNot(err, say.FaceScreen)
	case r.page != nil && r.consult().OnPage():
		return ""
	}
	return say.TeamNotNow
}

// heardAt follows what happened at a seat, and says it.
func (r *Room) heardAt(at *desk.Seat, words string) {
	if at != r.host.Seat() {
		return
	}
	if r.follow(); words != "" {
		r.host.Say(words)
	}
}

// follow keeps the page open while the consultation about the question on view covers the question.
func (r *Room) follow() {
	switch open := r.consult().OnPage(); {
	case open && r.page == nil:
		r.page = newPage(r)
		r.host.Open(r.page)
	case open:
		r.page.turn()
	case r.page != nil:
		r.page.gone, r.page = true, nil
		r.host.Close()
	}
}

// edited returns the field of the line that is open; nil: none is. A line that was left is filled again from its text,
// which may have changed since.
func (r *Room) edited() *editor.Field {
	c := r.consult()
	switch of := (lineOf{r.host.Seat().Up(), c.Line()}); {
	case of.line == widen.NoLine:
		r.field, r.of = nil, lineOf{}
	case r.field == nil || r.of != of:
		r.field, r.of = editor.OneLine(c.Text(of.line)), of
	}
	return r.field
}

// Asks reports whether the line is open below the question.
func (r *Room) Asks() bool { return r.page == nil && r.edited() != nil }

// Place returns the place in which the line's keys are looked up.
func (r *Room) Place() keys.Place { return keys.PlaceTeamLine }

// Table binds the keys of the line.
func (r *Room) Table() panes.Table { return r.table }

// Field returns the line being typed; nil: none is.
func (r *Room) Field() *editor.Field {
	if !r.Asks() {
		return nil
	}
	return r.edited()
}

// Typed tells the consultation the line's new text, and holds the clock for it.
func (r *Room) Typed() {
	if field := r.edited(); field != nil {
		r.consult().Type(field.Text())
		r.host.Seat().HoldClock()
	}
}

// Foot says what Enter does with the line.
func (r *Room) Foot() panes.Foot {
	return panes.Foot{Line: r.enterLine(), Hints: panes.Hints(r.host.Keys(), keys.PlaceTeamLine, r.table)}
}

// enterLine says what Enter does with the line of a reason.
func (r *Room) enterLine() say.Line {
	seat, c, in := r.host.Seat(), r.consult(), r.speech()
	switch _, asked := seat.Guard.RanOn(); {
	case asked:
		return say.Words(say.PressAgain(r.host.Keys().KeyOf(keys.PlaceTeamLine, deed.Enter)))
	case c.Line() == widen.LineDeferral:
		return say.TeamDeferEnter(c.MayDefer() == nil, seat.Session().Widen != nil, in)
	case seat.Team.AsksWhy():
		ask := seat.Session().Ask
		return say.TeamSends(say.TeamPicked(ask, seat.Form().Answer()), false, true, in)
	}
	return say.TeamAccepts(c, in)
}

// InputHandler gives a key to the line.
func (r *Room) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return r.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) { r.key(ev) })
}

func (r *Room) key(ev *tcell.EventKey) {
	if field := r.edited(); field != nil {
		field.Key(ev)
		r.Typed()
	}
}

// PasteHandler gives pasted text to the line.
func (r *Room) PasteHandler() func(string, func(tview.Primitive)) {
	return r.WrapPasteHandler(func(text string, _ func(tview.Primitive)) { r.paste(text) })
}

func (r *Room) paste(text string) {
	if field := r.edited(); field != nil {
		field.Paste(say.OneLine(text))
		r.Typed()
	}
}

// leastTyped is the least width of a row that stays for typing.
const leastTyped = 16

// DrawAsk draws the line over the last row above the foot, if it is open.
func (r *Room) DrawAsk(c ink.Canvas, row ink.Rect) {
	if r.Asks() {
		r.drawLine(c, row)
	}
}

// drawLine draws the line of a reason into a row.
func (r *Room) drawLine(c ink.Canvas, row ink.Rect) {
	labels := say.TeamRationaleLabels()
	if r.consult().Line() == widen.LineDeferral {
		labels = deferLabels(r.host.Seat().Session().Widen != nil, r.speech())
	}
	if field := r.edited(); field != nil {
		field.DrawBehind(c, row, ink.Longest(labels, row.W-leastTyped))
	}
}

// deferLabels returns the labels of the reason for deferring, longest first; required: a reason must be given.
func deferLabels(required bool, in say.Speech) []string {
	key := in.Keys.KeyOf(keys.PlaceQuestion, deed.Defer)
	if !required {
		return []string{key + " put it off · why it has to wait (optional): ", key + " put it off · why: "}
	}
	return []string{key + " put it off · why it has to wait: ", key + " put it off · why: "}
}

// Due returns when the clock next changes something about the team on screen: how long the agent has for its summary,
// or for how long the team is waited for. Zero: it changes nothing.
func (r *Room) Due(now time.Time) time.Time {
	if r.consult().Stage == widen.Summing {
		return now.Truncate(time.Second).Add(time.Second)
	}
	_, next := r.host.Seat().Team.Reminded()
	return next
}

// speech returns the screen's way to word things.
func (r *Room) speech() say.Speech {
	g := r.host.Ink(nil).Glyphs
	cut := func(text string, cells int) string { return ink.Cut(text, cells, g.Ellipsis) }
	return say.Speech{Face: say.FaceScreen, Keys: r.host.Keys(), Enter: g.Enter, Down: g.Down, Cut: cut}
}
