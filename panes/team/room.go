// Package team is the room of asking teammates: the line of names below the question, and the page of what they will
// read, of the choice once they are asked, and of the review of what they said. How far that is, is the desk's.
//
//	w on a question ─► desk.Teamwork.Begin ─► Room: the line of names ─ Enter ─► Page: the letter, the choice
//	f ─► Fetch ─► Page: fetching, summing up, the review ─ a, e, d ─► the line of a reason ─► the desk's outbox
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
)

// Options hold what the room can do beyond its host.
type Options struct {
	// Edit gives a text to the person's editor and returns the saved text. nil: no editor.
	Edit func(ctx context.Context, text string) (string, error)
}

// Room is the line that is typed about the team, over the last row above the foot. It is open while the desk says so
// and no page is.
type Room struct {
	*tview.Box
	host  panes.Host
	o     Options
	line  line
	table panes.Table
	page  *Page // nil: none is open
}

// New returns the room of a host's seat.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o}
	r.line = line{host: host}
	r.table = panes.Table{
		{Action: keys.ActEnter, Do: func(string) { r.line.enter() }, WhyNot: panes.Because(r.line.whyNotEnter)},
		{Action: keys.ActBack, Do: func(string) { r.team().EndTyping() }, Word: panes.Says("back", "")},
	}
	host.Seat().Desk().Subscribe(r.hear)
	return r
}

func (r *Room) team() *desk.Teamwork { return r.host.Seat().Team }

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
		r.heardAt(e.Seat, say.TeamClosed(e.Session))
	case desk.TeamRegrouped:
		r.heardAt(e.Seat, say.TeamRegrouped(e.Session))
	case desk.TeamTrouble:
		r.host.Say(say.TeamFailed(e.Err))
	}
}

// failed says that a step did not work. The reason is shown on the page, or under the title of the question.
func (r *Room) failed(err error) string {
	switch {
	case !say.TeamLong(err):
		return say.TeamWhyNot(err, say.FaceScreen)
	case r.page != nil:
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
	c := r.team().On()
	switch open := c != nil && c.OnPage(); {
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

// Asks reports whether the line is open below the question.
func (r *Room) Asks() bool { return r.page == nil && r.line.open() }

// Place is the line's.
func (r *Room) Place() keys.Place { return keys.PlaceTeamLine }

// Table binds the keys of the line.
func (r *Room) Table() panes.Table { return r.table }

// Field returns the line being typed; nil: none is.
func (r *Room) Field() *editor.Field {
	if !r.Asks() {
		return nil
	}
	return r.line.edited()
}

// Typed tells the desk the line's new text.
func (r *Room) Typed() { r.line.typed() }

// Foot says what Enter does with the line.
func (r *Room) Foot() panes.Foot {
	return panes.Foot{Line: r.line.enterLine(), Hints: panes.Hints(r.host.Keys(), keys.PlaceTeamLine, r.table)}
}

// InputHandler gives a key to the line.
func (r *Room) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return r.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) { r.line.key(ev) })
}

// PasteHandler gives pasted text to the line.
func (r *Room) PasteHandler() func(string, func(tview.Primitive)) {
	return r.WrapPasteHandler(func(text string, _ func(tview.Primitive)) { r.line.paste(text) })
}

// DrawAsk draws the line over the last row above the foot, if it is open.
func (r *Room) DrawAsk(c ink.Canvas, row ink.Rect) {
	if r.Asks() {
		r.line.draw(c, row)
	}
}

// Due returns when the clock next changes something about the team on screen: how long the agent has for its summary,
// or for how long the team is waited for. Zero: it changes nothing.
func (r *Room) Due(now time.Time) time.Time {
	if c := r.team().On(); c != nil && c.Stage == desk.TeamSumming {
		return now.Truncate(time.Second).Add(time.Second)
	}
	_, next := r.team().Reminded()
	return next
}
