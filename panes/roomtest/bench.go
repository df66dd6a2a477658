// Package roomtest tests a room of package panes alone. It has a desk on a store in memory, a host that stands in for
// the screen, keys that go through the key table to the room, and the screen as text.
package roomtest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Bench is a panes.Host with a desk. The test drives it step by step, without a terminal and without goroutines.
type Bench struct {
	*Rig
	Desk    *desk.Desk
	Chat    *desk.Chat
	Said    string     // the words of the last key
	Opened  panes.Room // the page opened last
	Closed  bool
	Copied  string
	Offered say.Line // the effect of the next Enter, if one is offered
	offered func()
	others  func(key string) func()
	view    *desk.View
	screen  tcell.SimulationScreen
	w, h    int
}

// New returns a bench of w×h cells. ways types lines to agents into terminals; nil: lines cannot be typed into
// terminals.
func New(t *testing.T, w, h int, ways desk.ChatWays, with ...func(*desk.Options)) *Bench {
	t.Helper()
	b := &Bench{Rig: NewRig(t), w: w, h: h}
	o := desk.Options{Go: func(f func()) { f() }, Services: b.Services()}
	o.Chat = ways
	for _, set := range with {
		set(&o)
	}
	b.Desk = desk.New(o)
	b.view = b.Desk.View(desk.ViewOptions{Points: true})
	b.Chat = desk.NewChat(b.view)
	b.Watch(b.Desk)
	b.screen = tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, b.screen.Init())
	b.screen.SetSize(w, h)
	b.Calm()
	return b
}

// Calm runs the desk's worker and its watch on the queue until nothing more happens.
func (b *Bench) Calm() {
	b.T.Helper()
	b.Drive(b.Desk, b.Desk.Drain)
}

// Pass moves the time on, and has the desk do what is due.
func (b *Bench) Pass(d time.Duration) {
	b.Clock.Pass(d)
	b.Desk.Tick()
	b.Calm()
}

// Ask puts a question into the queue, as the process that serves its agent would.
func (b *Bench) Ask(a queue.Ask, o queue.Origin) queue.Session {
	b.T.Helper()
	s := Create(b.T, b.Queue, a, o)
	b.Calm()
	return s
}

// AskGone puts a session into the queue whose caller's process is gone.
func (b *Bench) AskGone(a queue.Ask, o queue.Origin) queue.Session {
	b.T.Helper()
	s := CreateGone(b.T, b.Queue, a, o)
	b.Calm()
	return s
}

// SettleElsewhere answers through another surface.
func (b *Bench) SettleElsewhere(s queue.Session, surface, option string) {
	b.T.Helper()
	SettleElsewhere(b.T, b.Queue, s.ID, surface, option)
	b.Calm()
}

// Press gives a room one key after the other, as the key table writes them.
func (b *Bench) Press(r panes.Room, names ...string) {
	b.T.Helper()
	for _, name := range names {
		b.key(r, name)
	}
	b.Calm()
}

// Write types text rune by rune.
func (b *Bench) Write(r panes.Room, text string) {
	for _, c := range text {
		b.key(r, string(c))
	}
	b.Calm()
}

// TakeOffer carries out the offer if the key is Enter or one of the others, and clears it. It returns true if the key
// has no other effect.
func (b *Bench) TakeOffer(name string) bool {
	offered, others := b.offered, b.others
	if b.offered, b.others = nil, nil; offered == nil {
		return false
	}
	do := offered
	if name != "enter" {
		do = nil
		if others != nil {
			do = others(name)
		}
	}
	if do != nil {
		do()
	}
	return do != nil || name == "esc"
}

// key gives a room one key as the screen would: to an offer, to the room's table, or as text.
func (b *Bench) key(r panes.Room, name string) {
	b.Said = ""
	b.view.Pressed(b.Clock.Now())
	if b.TakeOffer(name) {
		return
	}
	bound := b.Keys().Lookup(r.Place(), name)
	if bound == nil {
		panes.Type(r, Event(name))
		return
	}
	row, ok := r.Table().Row(bound.Name)
	if !ok || row.Do == nil {
		return // an action of the screen
	}
	arg := action.Arg{}
	if bound.Counted {
		arg.N = b.Keys().Nth(r.Place(), bound.Name, name)
	}
	if why := row.Run(arg); why != "" {
		b.Said = why
		return
	}
	b.Desk.Refresh()
}

// Event returns a key as tcell gives it.
func Event(name string) *tcell.EventKey {
	named := map[string]tcell.Key{
		"enter": tcell.KeyEnter, "esc": tcell.KeyEscape, "tab": tcell.KeyTab,
		"backtab": tcell.KeyBacktab, "backspace": tcell.KeyBackspace2,
		"up": tcell.KeyUp, "down": tcell.KeyDown, "left": tcell.KeyLeft, "right": tcell.KeyRight,
		"pgup": tcell.KeyPgUp, "pgdn": tcell.KeyPgDn,
		"ctrl+c": tcell.KeyCtrlC, "ctrl+d": tcell.KeyCtrlD, "ctrl+g": tcell.KeyCtrlG,
		"ctrl+j": tcell.KeyCtrlJ, "ctrl+r": tcell.KeyCtrlR,
	}
	if k, ok := named[name]; ok {
		return tcell.NewEventKey(k, 0, tcell.ModNone)
	}
	if name == "space" {
		name = " "
	}
	return tcell.NewEventKey(tcell.KeyRune, []rune(name)[0], tcell.ModNone)
}

// Picture draws a room and returns the screen as text, without the two rows of the footer. A room that says how many rows
// it takes gets the lowest ones.
func (b *Bench) Picture(r panes.Room) string {
	b.screen.Clear()
	rows := b.h - 2
	if low, ok := r.(interface{ Rows(w, h int) int }); ok {
		rows = min(low.Rows(b.w, b.h), rows)
	}
	r.SetRect(0, b.h-2-rows, b.w, rows)
	r.Draw(b.screen)
	b.screen.Show()
	return Text(b.screen, b.h-2)
}

// Text returns the upper rows of a screen, one line a row.
func Text(screen tcell.SimulationScreen, rows int) string {
	cells, w, _ := screen.GetContents()
	var out strings.Builder
	for y := range rows {
		var row strings.Builder
		for x := range w {
			row.WriteString(string(cells[y*w+x].Runes))
		}
		out.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return out.String()
}

// EnterLine returns the Enter line of a room's footer.
func (b *Bench) EnterLine(r panes.Room) string { return ink.Fit(r.Footer().Line, b.w, ink.Unicode) }

// View returns the view. It and the methods that follow make the bench a panes.Host.
func (b *Bench) View() *desk.View { return b.view }

// Keys returns the default key table.
func (b *Bench) Keys() action.Map { return action.Keys }

// Question describes the question on view.
func (b *Bench) Question() action.At { return action.NewKeyboard(b.view, nobody{}).At() }

// nobody is a frontend that shows nothing.
type nobody struct{ action.Frontend }

// Facts returns no facts.
func (nobody) Facts() action.Facts { return action.Facts{} }

// Ink draws with the terminal's own colours.
func (b *Bench) Ink(screen tcell.Screen) ink.Canvas {
	return ink.Canvas{Screen: screen, Glyphs: ink.Unicode, Theme: ink.ThemeNamed("auto")}
}

// Size returns the size of the bench.
func (b *Bench) Size() (w, h int) { return b.w, b.h }

// Open notes the page.
func (b *Bench) Open(page panes.Room) { b.Opened, b.Closed = page, false }

// Close notes that the page is closed.
func (b *Bench) Close() { b.Opened, b.Closed = nil, true }

// Offer notes the line; the next Enter carries it out, and any other key clears it.
func (b *Bench) Offer(line say.Line, do func()) { b.Choose(line, do, nil) }

// Choose is like Offer, with further keys.
func (b *Bench) Choose(line say.Line, do func(), others func(key string) func()) {
	b.Offered, b.offered, b.others = line, do, others
}

// Say notes the words.
func (b *Bench) Say(words string) { b.Said = words }

// Waits returns the count of pending questions for the line at the top of a page.
func (b *Bench) Waits() ink.Line {
	if len(b.Desk.Waiting()) == 0 {
		return nil
	}
	return ink.PlainLine("1 waiting 4:12")
}

// DrawLower draws a line without words.
func (b *Bench) DrawLower(c ink.Canvas, r ink.Rect) { ink.DrawPlainDivider(c, r) }

// Lend returns false, because there is no terminal to lend.
func (b *Bench) Lend(func(context.Context)) bool { return false }

// Copy notes the text.
func (b *Bench) Copy(text string) { b.Copied, b.Said = text, "copied" }

// Footer returns a room's two lines at the bottom, in w cells.
func Footer(r panes.Room, w int) string {
	footer := r.Footer()
	var hints []ink.Hint
	for _, h := range footer.Hints {
		if h.Keys != "" { // unbound
			hints = append(hints, ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Rank: h.Rank()})
		}
	}
	return ink.Fit(footer.Line, w, ink.Unicode) + "\n" + ink.HintLine(hints, w).String() + "\n"
}
