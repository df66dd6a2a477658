// Package empty is the part of the screen that is shown while nothing is pending. Before the first session it says how
// to connect an agent. Later it shows today's answers and the missed questions, which ended without the person. It
// shows times of day and not ages, so that it need not be drawn again.
//
//	before the first session ─► start: as much of how to connect as fits
//	later ─► day: today's answers, the last one, what was missed
package empty

import (
	"context"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Connect holds the name of an agent and the command that connects it.
type Connect struct{ Name, Command string }

// Options hold what the person is offered while nothing is pending. What is nil is not offered.
type Options struct {
	Connect  []Connect             // the first ones are copied by a key; the last is the command that shows all of them
	Hint     func() string         // shown in the Enter line
	SetUp    func(context.Context) // connects the agents of this machine, in the terminal
	Demo     func(context.Context) // plays the demo in the terminal
	Problem  func() string         // a trouble that the person must know: `! the queue cannot be read`
	Chats    func() bool           // reports whether an agent can be written to, so that the key for it is offered
	KeptLine func() string         // the unsent text to an agent; empty if no agent is known
}

// Room is the screen while nothing is pending.
type Room struct {
	*tview.Box
	panes.NoField
	host   panes.Host
	o      Options
	beside bool // the column with the queue, the settings and the last answers is left of the room
}

var _ panes.Room = (*Room)(nil)

// New returns the Room for a screen on which no question is pending.
func New(host panes.Host, o Options) *Room { return &Room{Box: tview.NewBox(), host: host, o: o} }

// Beside sets whether the column with the queue, the settings and the last answers is left of the room.
func (r *Room) Beside(on bool) { r.beside = on }

func (r *Room) view() *desk.View { return r.host.View() }

func (r *Room) desk() *desk.Desk { return r.host.View().Desk() }

// Place returns the place of its keys.
func (r *Room) Place() action.Place { return action.PlaceEmpty }

// hadSessions reports whether an agent has ever asked here.
func (r *Room) hadSessions() bool { return r.desk().Today().Known() }

// Table binds the keys here.
func (r *Room) Table() panes.Table {
	quit := "quit"
	if r.view().HandOff() != "" {
		quit = "leave"
	}
	return panes.Table{
		{Name: action.Quit, Now: action.Says(quit, "")},
		{Name: action.OpenOne, Do: action.Nth(r.sayConnectFirst), Needs: action.UnlessNth(r.whyNotCopied)},
		{Name: action.SetUp, Do: action.Just(func() { r.chooseConnect() }),
			Offered: action.If(func() bool { return r.whyNoSetup() == "" && !r.hadSessions() }),
			Needs:   action.Unless(r.whyNoSetup)},
		{Name: action.Demo, Do: action.Just(func() { r.host.Offer(startDemo(r.enter()), r.runInTerminal(r.o.Demo)) }),
			Offered: action.If(func() bool { return r.o.Demo != nil && !r.hadSessions() }),
			Needs:   action.Unless(r.whyNoDemo)},
		{Name: action.Back, Do: action.Just(func() { r.back() })},
		{Name: action.Pane, Offered: action.If(func() bool { return len(r.needed()) > 0 })},
		{Name: action.Area, Offered: action.If(func() bool { return r.beside })},
		{Name: action.Chat, Offered: action.If(func() bool { return r.o.Chats != nil && r.o.Chats() })},
	}
}

// startDemo describes the Enter that starts the demo.
func startDemo(enter string) say.Line {
	return say.Words(enter + " starts the demo").
		With(say.Nice(": an agent asks four questions, nothing is saved", ": nothing is saved", ""))
}

// needed returns the agents that need the person in their own panes.
func (r *Room) needed() []queue.Presence {
	if r.view().HandOff() != "" {
		return nil
	}
	return r.desk().Notices()
}

// back removes the missed questions and the notices of agents that need the person in their panes. If the screen was
// opened on one question and that has ended, the screen closes.
func (r *Room) back() {
	r.view().ForgetMissed()
	r.desk().PutAway(r.needed()...)
	r.view().FinishEnded()
}

// chooseConnect offers that the next Enter runs the setup, or that a digit copies the command of one agent. Without
// this offer a digit does nothing, because it may have been typed for another pane.
func (r *Room) chooseConnect() {
	key, digits := r.connectKey(), ""
	if n := r.copyableLines(); n > 0 {
		digits = r.host.Keys().FirstKeys(action.PlaceEmpty, action.OpenOne, n)
	}
	if r.o.SetUp == nil {
		r.host.Choose(copyLines(digits), r.chooseConnect, r.effectOf) // Enter makes the same offer again
		return
	}
	r.host.Choose(startSetup(r.enter(), key, digits), r.runInTerminal(r.o.SetUp), r.effectOf)
}

// startSetup describes the Enter that runs the setup; key runs it too. digits are the keys that copy the command of one
// agent instead; empty: there are none.
func startSetup(enter, key, digits string) say.Line {
	l := say.Words(enter).With(say.Nice(say.Keyed(" or ", key, ""), ""), say.Fixed(" runs choicetui setup"))
	if digits == "" {
		return l.With(say.Nice(": it shows every change before it makes it", ": it asks first", ""))
	}
	return l.Behind(say.Tail(copiesLine(digits)))
}

// copyLines names the keys that copy the command of one agent, for the case that the setup cannot run.
func copyLines(digits string) say.Line {
	return say.Line{}.With(say.Nice(copiesLine(digits)...))
}

// copiesLine says that a digit copies the command of one agent, longest form first.
func copiesLine(digits string) []string {
	return []string{digits + " copies that agent's line", digits + " copies a line", digits + " copies"}
}

// effectOf returns the function of a key that is pressed while chooseConnect makes its offer; nil: the key cancels the
// offer.
func (r *Room) effectOf(key string) func() {
	b := r.host.Keys().Lookup(action.PlaceEmpty, key)
	switch {
	case b == nil:
	case b.Name == action.SetUp && r.o.SetUp != nil:
		return r.runInTerminal(r.o.SetUp)
	case b.Name == action.OpenOne && r.nth(key) <= r.copyableLines():
		return func() { r.host.Copy(r.o.Connect[r.nth(key)-1].Command) }
	}
	return nil
}

// copyableLines returns how many commands can be copied: those that are on screen and have a key.
func (r *Room) copyableLines() int {
	n := 0
	for !r.hadSessions() && n < len(r.o.Connect) && r.host.Keys().KeyFor(action.PlaceEmpty, action.OpenOne, n+1) != "" {
		n++
	}
	return n
}

// sayConnectFirst says which key must be pressed before a key that copies a command.
func (r *Room) sayConnectFirst(n int) {
	key := r.host.Keys().KeyFor(action.PlaceEmpty, action.OpenOne, n)
	r.host.Say(r.connectKey() + " first, then " + key + " copies that line")
}

func (r *Room) connectKey() string { return r.host.Keys().KeyOf(action.PlaceEmpty, action.SetUp) }

// whyNotCopied explains why a key copies no command: no command has this key, or commands are not offered any more.
func (r *Room) whyNotCopied(n int) string {
	if n > r.copyableLines() || r.connectKey() == "" {
		return "nothing to copy: " + r.allWays() + " shows how agents are connected"
	}
	return ""
}

// nth returns the number of the command that a key stands for, counted from 1.
func (r *Room) nth(key string) int { return r.host.Keys().Nth(action.PlaceEmpty, action.OpenOne, key) }

// runInTerminal returns a function that lends the terminal to run.
func (r *Room) runInTerminal(run func(context.Context)) func() {
	return func() {
		if !r.host.Lend(run) {
			r.host.Say(say.TerminalLent)
		}
	}
}

// enter returns the sign for Enter.
func (r *Room) enter() string { return r.host.Ink(nil).Glyphs.Enter }

// allWays returns the command that shows how every agent is connected: the last one of Options.Connect.
func (r *Room) allWays() string {
	if n := len(r.o.Connect); n > 0 {
		return r.o.Connect[n-1].Command
	}
	return "choicetui help connect"
}

// whyNoSetup explains why neither the setup can run here nor a command be copied.
func (r *Room) whyNoSetup() string {
	if r.o.SetUp == nil && r.copyableLines() == 0 {
		return "agents cannot be connected from here"
	}
	return ""
}

// whyNoDemo explains why the demo cannot be played here.
func (r *Room) whyNoDemo() string {
	if r.o.Demo == nil {
		return "there is no demo here"
	}
	return ""
}

// Footer returns what the last rows of the screen show: Options.Hint, or the line that was typed to an agent and not
// sent; and the keys.
func (r *Room) Footer() panes.Footer {
	line := callWords(r.o.Hint)
	if line == "" {
		line = callWords(r.o.KeptLine)
	}
	return panes.Footer{Line: say.Words(line), Hints: panes.Hints(r.host, action.PlaceEmpty, r.Table())}
}

// Draw draws the room, with the line at its top.
func (r *Room) Draw(screen tcell.Screen) {
	x, y, w, h := r.GetRect()
	c, area := r.host.Ink(screen), ink.Rect{X: x, Y: y, W: w, H: h}
	if !r.desk().Loaded() {
		ink.DrawNamedDivider(c, area.Row(0), "reading the queue", "choicetui")
		return
	}
	r.drawDivider(c, area.Row(0))
	area.W = panes.Measured(area.W)
	below := r.drawNeeded(c, drawProblem(c, area, callWords(r.o.Problem)))
	if r.hadSessions() {
		r.day().draw(c, below)
		return
	}
	start{connect: r.o.Connect, setUp: r.o.SetUp != nil, keys: r.host.Keys()}.draw(c, below)
}

// drawDivider draws the line at the top of the room. It says that nothing is pending, unless the line over the queue
// beside it says so.
func (r *Room) drawDivider(c ink.Canvas, divider ink.Rect) {
	const name = "choicetui"
	switch {
	case r.beside:
		ink.DrawNamedDivider(c, divider, name, "")
	case divider.W < 34: // too narrow for both
		ink.DrawNamedDivider(c, divider, say.NothingPending(r.desk().Needed()), "")
	default:
		ink.DrawNamedDivider(c, divider, say.NothingPending(r.desk().Needed()), name)
	}
}

// drawProblem draws a problem that the person must know, below the line at the top, and returns the rest of the area.
func drawProblem(c ink.Canvas, r ink.Rect, problem string) ink.Rect {
	gap := 0
	if r.H >= 12 {
		gap = 1
	}
	y := r.Y + 1 + gap
	if problem != "" {
		for _, l := range ink.Wrap(problem, r.W-4) {
			if y < r.Y+r.H {
				c.Put(r.X+2, y, r.W-3, ink.Warn, l)
			}
			y++
		}
		y += gap
	}
	return ink.Rect{X: r.X, Y: y, W: r.W, H: max(r.Y+r.H-y, 0)}
}

// drawNeeded draws the agents that need the person in their own panes, and returns the rest of the area.
func (r *Room) drawNeeded(c ink.Canvas, area ink.Rect) ink.Rect {
	needed := r.needed()
	rows := min(len(needed), area.H-1)
	if rows <= 0 {
		return area
	}
	g, key := c.Glyphs, r.host.Keys().KeyOf(action.PlaceEmpty, action.Pane)
	head := ink.Line{{Text: say.Needed(len(needed)), Style: ink.Bold}}
	opens := ink.Line{{Text: " " + g.Dot + " ", Style: ink.Plain}, {Text: key, Style: ink.Key},
		{Text: " " + opensPane(len(needed)), Style: ink.Plain}}
	if key != "" && head.Width()+opens.Width() <= area.W-3 {
		head = append(head, opens...)
	}
	c.PutLine(area.X+2, area.Y, area.W-3, head.Cut(area.W-3, g.Ellipsis))
	for i, n := range needed[:rows] {
		at := ink.Rect{X: area.X + 4, Y: area.Y + 1 + i, W: area.W - 4, H: 1}
		ink.DrawNotice(c, at, n, say.NoticeSays(n), r.desk().Name(*n.Origin), ink.Plain)
	}
	taken := min(rows+2, area.H) // a blank row is below them
	return ink.Rect{X: area.X, Y: area.Y + taken, W: area.W, H: area.H - taken}
}

// opensPane describes the key that goes to the pane of one of n agents that need the person.
func opensPane(n int) string {
	if n == 1 {
		return "opens it"
	}
	return "opens the first"
}

// callWords calls a function of the options that returns words. A nil function returns none.
func callWords(f func() string) string {
	if f == nil {
		return ""
	}
	return f()
}
