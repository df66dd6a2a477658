// Package list draws the queue and binds its keys. The queue is a strip of a few rows below the question, or on a wide
// screen a list left of it. Its content comes from the view of the screen at the desk (queue/desk): the order of the
// questions, the question on view, and the missed questions, which ended without the person.
//
//	view.Listed ─► view ─► window: which questions have a row ─► one row each in the strip, one or two in the list
//	motions ─► view.Step, ShowAt ─► the question comes on view, behind the guard
//	/ ─► the line that narrows ─► view.Narrow
//	keys of the question beside it ─► the rows of its table
package list

import (
	"fmt"
	"strings"

	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Options connect the queue with its surroundings.
type Options struct {
	Where    func(pane string) string // the place of a tmux pane, such as 2:1; empty if it is not known
	Leave    func()                   // gives the focus back to the question
	Question func() panes.Table       // the table of the question on view, because some of its keys work here too
	Focused  func() bool              // reports whether keys go to the queue
	ToPane   func(queue.Origin)       // brings up an agent's own pane, or explains why it cannot
}

// Room shows the queue.
type Room struct {
	*tview.Box
	host    panes.Host
	o       Options
	wide    bool          // the queue is a list left of the question, not a strip
	strip   int           // the number of rows of the strip for agents that need the person in their own panes
	notice  string        // the agent, by instance, whose row has the cursor; empty: the row of a question has it
	finding *editor.Field // the line that narrows the queue; nil while it is closed
	from    string        // the session that was on view when the line was opened
}

var _ panes.Room = (*Room)(nil)

// New returns the Room that draws the queue, as the view of the host sees it.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o}
	desk.Hear(host.View().Desk(), r.hear)
	return r
}

// hear adapts cursor and filter when another question comes on view.
func (r *Room) hear(e desk.Shown) {
	if e.View == r.view() {
		r.notice = ""
		r.followView(e.ID)
	}
}

func (r *Room) view() *desk.View { return r.host.View() }

func (r *Room) desk() *desk.Desk { return r.host.View().Desk() }

// Place returns the place of the queue, or of the line that narrows it.
func (r *Room) Place() action.Place {
	if r.Typing() {
		return action.PlaceFind
	}
	return action.PlaceQueue
}

// Table binds the keys here.
func (r *Room) Table() panes.Table {
	if r.Typing() {
		return panes.Table{
			{Name: action.Enter, Do: action.Just(func() { r.endFind() })},
			{Name: action.Back, Do: action.Just(func() { r.dropFind() }),
				Now: action.Says(say.ShowAll, say.ShowAllShort)},
		}
	}
	several := func() bool { return len(r.desk().Waiting()) > 1 }
	wide := func() bool { return r.wide }
	t := panes.Table{
		r.stepRow(action.Up, -1),
		r.stepRow(action.Down, 1),
		r.motionRow(action.First, func() bool { return r.view().ShowAt(0) }),
		r.motionRow(action.Last, func() bool { return r.view().ShowAt(len(r.view().Listed()) - 1) }),
		{Name: action.Enter, Do: action.Just(func() { r.openPicked() })},
		{Name: action.OpenOne, Do: action.Nth(r.goToOne), Needs: action.UnlessNth(r.whyNotOne)},
		{Name: action.Find, Do: action.Just(func() { r.startFind() }), Offered: action.If(several)},
		{Name: action.Back, Do: action.Just(func() { r.back() })},
		{Name: action.Next, Offered: action.If(several)},
		{Name: action.Area, Offered: action.If(func() bool { return several() || r.wide })},
		// While the queue is a strip only the help lists these, because the footer has no room for them.
		{Name: action.Settings, Offered: action.If(wide)},
		{Name: action.History, Offered: action.If(wide)},
		{Name: action.Chat, Offered: action.Never},
	}
	t = append(t, r.questionRows()...)
	if n := r.noticeUnderCursor(); n.Instance != "" {
		t = append(r.bindNotice(n), t...)
	}
	return t
}

// bindNotice returns the rows that come first in the table while the cursor is on an agent that needs the person in its
// own terminal pane.
func (r *Room) bindNotice(n queue.Presence) panes.Table {
	open := action.Just(func() { r.o.ToPane(*n.Origin) })
	return panes.Table{
		{Name: action.Enter, Do: open},
		{Name: action.Pane, Do: open},
		{Name: action.Cancel, Do: action.Just(func() { r.desk().PutAway(n) }), Now: action.Says("put away", ""),
			Effect: func(action.At) desk.Effect { return desk.Elsewhere }},
	}
}

// stepRow returns the row of a key that moves the cursor by n: among the questions, and below them among the agents
// that need the person.
func (r *Room) stepRow(a action.Name, n int) action.Row {
	row := r.motionRow(a, func() bool { return r.view().StepWithin(n) })
	among := row.Do
	row.Do = func(at action.At, arg action.Arg) action.Effect {
		if r.stepNeeded(n) {
			return action.Effect{}
		}
		return among(at, arg)
	}
	return row
}

// motionRow returns the row of a key that shows another question.
func (r *Room) motionRow(a action.Name, move func() bool) action.Row {
	return action.Row{Name: a, Needs: action.Unless(r.whyNoMotion), Do: action.Just(func() {
		if move() {
			r.view().BroughtUp()
		}
	})}
}

// whyNoMotion explains why a key cannot show another question: none matches the words that narrow the queue.
func (r *Room) whyNoMotion() string {
	if len(r.view().Listed()) == 0 {
		return say.NothingFound(r.view().Find())
	}
	return ""
}

// questionRows returns the rows of the question on view that work here too, because it is shown beside the list.
func (r *Room) questionRows() (t panes.Table) {
	question := r.o.Question()
	for _, a := range []action.Name{action.More, action.Less, action.PageDown, action.PageUp, action.Full,
		action.Cancel, action.Pane, action.UndoLast} {
		row, bound := question.Row(a)
		if !bound {
			row = action.Row{Name: a, Offered: action.Never}
		}
		t = append(t, row)
	}
	return t
}

// openPicked gives the focus to the question under the cursor.
func (r *Room) openPicked() {
	if len(r.view().Listed()) > 0 || r.view().Find() == "" {
		r.o.Leave()
		r.view().BroughtUp()
	}
}

// goToOne moves the cursor to the question whose number in the listed queue is the digit. Enter then gives it the
// focus.
func (r *Room) goToOne(n int) {
	if r.view().ShowAt(n - 1) {
		r.view().BroughtUp()
	}
}

// whyNotOne explains why a digit key goes to no question: the queue is shorter.
func (r *Room) whyNotOne(n int) string {
	if n > len(r.view().Listed()) {
		return say.NoSuchQuestion(n)
	}
	return ""
}

// back shows all questions again if the queue is narrowed, else it gives the focus back to the question.
func (r *Room) back() {
	r.notice = ""
	if r.view().Find() != "" {
		r.view().ShowAll()
		return
	}
	r.o.Leave()
}

// Footer tells what Enter would do, and the keys.
func (r *Room) Footer() panes.Footer {
	place := r.Place()
	if r.Typing() {
		return panes.Footer{Line: say.Words(r.findLine()), Hints: panes.Hints(r.host, place, r.Table())}
	}
	line := say.Words(r.queueLine())
	line.Leads = strings.HasPrefix(line.Pieces[0].Forms[0], opens)
	return panes.Footer{Line: line, Hints: panes.Hints(r.host, place, r.Table())}
}

// opens begins the words for an Enter that opens the question under the cursor.
const opens = "Open "

// queueLine says what Enter does in the queue.
func (r *Room) queueLine() string {
	list, g, m := r.view().Listed(), r.host.Ink(nil).Glyphs, r.host.Keys()
	switch {
	case r.noticeUnderCursor().Instance != "":
		return g.Enter + " go to its pane"
	case indexOf(list, r.view().Up()) >= 0:
		return opens + say.Title(r.view().Session().Ask)
	case len(list) > 0:
		first := m.KeyOf(action.PlaceQueue, action.First)
		return g.Enter + " back to what is on screen " + g.Dot + " " + first + " shows the first"
	case r.view().Find() != "":
		return say.NothingFound(r.view().Find()) + ": " + m.KeyOf(action.PlaceQueue, action.Back) + " shows all"
	}
	return g.Enter + " back to what is on screen"
}

// findLine says what Enter does while the words that narrow the queue are typed, and how many questions match.
func (r *Room) findLine() string {
	n, g := len(r.view().Listed()), r.host.Ink(nil).Glyphs
	if n == 0 {
		return "nothing matches " + g.Dot + " " + g.Enter + " shows all again"
	}
	return fmt.Sprintf("%s done %s %d of %d match", g.Enter, g.Dot, n, len(r.desk().Waiting()))
}

// indexOf returns the index of a question in a list; -1: it is not there.
func indexOf(list []queue.Waiting, id string) int {
	for i := range list {
		if list[i].ID == id {
			return i
		}
	}
	return -1
}

// Typing reports whether the line that narrows the queue is open.
func (r *Room) Typing() bool { return r.finding != nil }

// Field returns the field for the text that narrows the queue, while it is being typed.
func (r *Room) Field() *editor.Field { return r.finding }

// Typed narrows the queue to the questions that match the line.
func (r *Room) Typed() {
	if r.finding != nil {
		r.view().Narrow(r.finding.Text(), r.from)
	}
}

// startFind opens the line that narrows the queue.
func (r *Room) startFind() { r.finding, r.from = editor.OneLine(r.view().Find()), r.view().Up() }

// endFind closes the line. The queue stays narrowed, unless nothing matches.
func (r *Room) endFind() {
	if len(r.view().Listed()) == 0 {
		r.dropFind()
	}
	r.finding = nil
}

// dropFind closes the line and lists all questions again.
func (r *Room) dropFind() {
	r.view().Narrow("", r.from)
	r.finding = nil
}

// followView adapts the filter when another question comes on view. If nothing matches any more, all questions are
// listed again, unless the words are being typed. While no question is on view there is no queue to narrow.
func (r *Room) followView(id string) {
	switch {
	case id == "":
		r.finding = nil
	case !r.Typing() && len(r.view().Listed()) == 0:
		r.view().ShowAll()
	}
}

// DrawFind draws the line that narrows the queue over a row of the screen.
func (r *Room) DrawFind(c ink.Canvas, row ink.Rect) {
	r.finding.DrawBehind(c, row, "/ filter the queue: ")
}
