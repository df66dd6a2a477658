// Package team is the part of the screen for asking teammates about a question: a line below the question, and a page
// on which the team is asked and on which the person reviews what they said. The state is a widen.Consult, here called
// the consultation; the actions are in package action.
//
//	w on a question ─► action ─► desk.Teamwork ─► widen.Consult ─► Page: who, what they read, until they reply
//	f ─► Page: fetching, summing up, the review ─ a, e, d ─► the line of a reason ─► the desk's outbox
//	desk.TeamNews ─► the page comes up or goes
package team

import (
	"context"
	"time"

	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// Options hold what the room can do beyond its host.
type Options struct {
	// Edit gives a text to the person's editor and returns the saved text. nil: no editor.
	Edit     func(ctx context.Context, text string) (string, error)
	Keyboard func() *action.Keyboard // carries out the person's actions
}

// Room is the line that the person types about the team, such as a reason, over the last row above the footer. It is
// open while the consultation has such a line and no page is open.
type Room struct {
	*tview.Box
	host  panes.Host
	o     Options
	table panes.Table
	page  *Page // nil: the page is not open

	field *editor.Field // the field of the line that is typed, below the question or on the page
	of    lineOf
}

// lineOf identifies a line about the team: of which question, and for what.
type lineOf struct {
	session string
	line    widen.Line
}

// New returns the Room for lines about the team that the person types at the host's view.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o}
	r.table = panes.Table{{Name: action.Enter},
		{Name: action.Back, Now: action.Says("back", "")},
		{Name: action.Area, Offered: action.Never}, {Name: action.AreaBack}}
	d := host.View().Desk()
	desk.Hear(d, r.followView)
	desk.Hear(d, r.hearNews)
	desk.Hear(d, func(e desk.TeamTrouble) { host.Say(say.TeamFailed(e.Err)) })
	return r
}

// begun returns the consultation about the question on view; nil: none was begun.
func (r *Room) begun() *widen.Consult { return r.host.View().Team.Begun }

// consult returns the consultation about the question on view, for the page and the line, which are open only where one
// was begun.
func (r *Room) consult() *widen.Consult { return r.host.View().Team.On() }

// followView opens or closes the page after another question has come on view.
func (r *Room) followView(e desk.Shown) {
	if e.View == r.host.View() {
		r.field, r.of = nil, lineOf{}
		r.follow()
	}
}

// hearNews opens and closes the page, and says what happened.
func (r *Room) hearNews(e desk.TeamNews) {
	if e.View != r.host.View() {
		return
	}
	words := r.wordsOf(e)
	if r.follow(); words != "" {
		r.host.Say(words)
	}
}

// wordsOf puts news of the consultation into words. A long reason of a failure is shown on the page or under the title
// of the question, and not in these words.
func (r *Room) wordsOf(e desk.TeamNews) string {
	switch {
	case !say.TeamLong(e.Err):
		return say.TeamNews(e, say.OnScreen)
	case r.page != nil && r.consult().OnPage():
		return ""
	}
	return say.TeamNotNow
}

// follow opens or closes the page, as the consultation about the question on view needs it.
func (r *Room) follow() {
	c := r.begun()
	switch open := c != nil && c.OnPage(); {
	case open && r.page == nil:
		r.page = newPage(r)
		r.host.Open(r.page)
	case open:
		r.page.followStage()
	case r.page != nil:
		r.page.gone, r.page = true, nil
		r.host.Close()
	}
}

// openField returns the field of the line that is open; nil: no line is. When a line is opened again, its field gets
// the present text of the consultation.
func (r *Room) openField() *editor.Field {
	c := r.begun()
	if c == nil {
		return nil
	}
	switch of := (lineOf{r.host.View().Up(), c.Line()}); {
	case of.line == widen.NoLine:
		r.field, r.of = nil, lineOf{}
	case r.field == nil || r.of != of:
		r.field, r.of = editor.OneLine(c.Text(of.line)), of
	}
	return r.field
}

// Asks reports whether the line is open below the question.
func (r *Room) Asks() bool { return r.page == nil && r.openField() != nil }

// Place returns the place of the line's keys.
func (r *Room) Place() action.Place { return action.PlaceTeamLine }

// Table binds the keys of the line.
func (r *Room) Table() panes.Table { return r.table }

// Field returns the line being typed; nil: none is.
func (r *Room) Field() *editor.Field {
	if !r.Asks() {
		return nil
	}
	return r.openField()
}

// Typed gives the consultation the line's new text, and holds the clock while the person types.
func (r *Room) Typed() {
	if field := r.openField(); field != nil {
		r.consult().Type(field.Text())
		r.host.View().HoldClock()
	}
}

// Footer says what Enter does with the line.
func (r *Room) Footer() panes.Footer {
	return panes.Footer{Line: r.enterLine(), Hints: panes.Hints(r.host, action.PlaceTeamLine, r.table)}
}

// enterLine says what Enter does with the reason that is typed in the line.
func (r *Room) enterLine() say.Line {
	view, c, in := r.host.View(), r.consult(), r.speech()
	switch _, asked := view.Guard.Doubts(true); {
	case asked:
		return say.Words(say.PressAgain(r.host.Keys().KeyOf(action.PlaceTeamLine, action.Enter)))
	case c.Line() == widen.LineDeferral:
		return say.TeamDeferEnter(c.WhyNot((*widen.Consult).Enter) == nil, view.Session().Widen != nil, in)
	case view.Team.AsksWhy():
		ask := view.Session().Ask
		return say.TeamSends(say.TeamPicked(ask, view.Form().Answer()), false, true, in)
	}
	return say.TeamAccepts(c, in)
}

// leastTyped is the least number of cells that a label leaves for typing.
const leastTyped = 16

// DrawAsk draws the line over the last row above the footer, if it is open.
func (r *Room) DrawAsk(c ink.Canvas, row ink.Rect) {
	if r.Asks() {
		r.drawLine(c, row)
	}
}

// drawLine draws the line for a reason into a row.
func (r *Room) drawLine(c ink.Canvas, row ink.Rect) {
	labels := say.TeamRationaleLabels()
	if r.consult().Line() == widen.LineDeferral {
		labels = deferLabels(r.host.View().Session().Widen != nil, r.speech())
	}
	if field := r.openField(); field != nil {
		field.DrawBehind(c, row, ink.Longest(labels, row.W-leastTyped))
	}
}

// deferLabels returns the labels of the reason for deferring, longest first; required: a reason must be given.
func deferLabels(required bool, in say.Speech) []string {
	why := in.Keys.KeyOf(action.PlaceQuestion, action.Defer) + " put it off · why"
	if !required {
		return []string{why + " it has to wait (optional): ", why + ": "}
	}
	return []string{why + " it has to wait: ", why + ": "}
}

// Due returns when the passing of time next changes something about the team on screen: how long the agent has for its
// summary, or how long the person has waited for the team. Zero: it changes nothing.
func (r *Room) Due(now time.Time) time.Time {
	if c := r.begun(); c != nil && c.Stage == widen.Summing {
		return now.Truncate(time.Second).Add(time.Second)
	}
	_, next := r.host.View().Team.Reminded()
	return next
}

// speech returns the wording of this screen for package say.
func (r *Room) speech() say.Speech {
	g := r.host.Ink(nil).Glyphs
	cut := func(text string, cells int) string { return ink.Cut(text, cells, g.Ellipsis) }
	return say.Speech{Frontend: say.OnScreen, Keys: r.host.Keys(), Enter: g.Enter, Down: g.Down, Cut: cut,
		Untold: !r.host.View().Team.TellsAnswer()}
}
