package question

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// host is the bench with the person's own keys, Enter's sign among them.
type host struct {
	*roomtest.Bench
	own    action.Map
	glyphs ink.Glyphs
	board  *action.Keyboard
}

func (h *host) Keys() action.Map { return h.own }

func (h *host) Question() action.At { return h.board.At() }

func (h *host) Ink(screen tcell.Screen) ink.Canvas {
	c := h.Bench.Ink(screen)
	c.Glyphs = h.glyphs
	return c
}

// bench is the room on a screen of its own, as the screen shows it: its divider, its rows, the line typed over the row
// above the footer, and the footer.
type bench struct {
	*host
	t      *testing.T
	room   *Room
	screen tcell.SimulationScreen
	w, h   int
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	return newBenchWith(t, w, h)
}

// newBenchWith is newBench with other options of the desk.
func newBenchWith(t *testing.T, w, h int, options ...func(*desk.Options)) *bench {
	t.Helper()
	b := &bench{host: &host{roomtest.New(t, w, h, nil, options...), action.Keys, ink.Unicode, nil}, t: t, w: w, h: h}
	b.room = New(b.host, Options{Home: "/home/me", ToPane: true, Wide: func() bool { return panes.ListWidth(b.w) > 0 },
		Refused: func(_ desk.Press, why error) { b.Said = why.Error() },
		Stands:  func() bool { return true }, SetHides: b.setHides})
	b.host.board = b.room.Keyboard()
	b.host.board.Serve(keyed{b})
	b.screen = tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, b.screen.Init())
	b.screen.SetSize(0, 0) // else every cell of the size that Init made is copied, which takes long under -race
	b.screen.SetSize(w, h)
	return b
}

// set puts other settings in force.
func (b *bench) set(change func(*config.Settings)) {
	s := b.Desk.Settings().Clone()
	change(&s)
	b.Desk.SetSettings(s)
}

func (b *bench) setHides(entry config.HiddenOption, hide bool, done func(error)) {
	b.set(func(s *config.Settings) {
		s.HiddenOptions = slices.DeleteFunc(s.HiddenOptions, func(h config.HiddenOption) bool { return h == entry })
		if hide {
			s.HiddenOptions = append(s.HiddenOptions, entry)
		}
	})
	done(nil)
}

// rebind puts the person's own keys over the table.
func (b *bench) rebind(own map[string][]string) {
	var problems []string
	b.own, problems = action.New(own, ink.Width)
	require.Empty(b.t, problems)
	b.glyphs = ink.Unicode
	if key := b.own.KeyOf(action.PlaceQuestion, action.Enter); key != "Enter" {
		b.glyphs.Enter = key
	}
}

// runs says which processes run beside the agents' bridge.
func (b *bench) runs(roles map[string]string) {
	list := []queue.Presence{{Instance: "bridge", Role: queue.RoleBridge}}
	for instance, role := range roles {
		list = append(list, queue.Presence{Instance: instance, Role: role})
	}
	b.Desk.Take(queue.Changes{Presence: true}, list)
}

func (b *bench) ask(a queue.Ask, o queue.Origin) queue.Session {
	b.t.Helper()
	return b.Ask(a, o)
}

// press gives keys as the screen does: through the guard, to the room's table, else to the text being typed.
func (b *bench) press(names ...string) {
	b.t.Helper()
	for _, name := range names {
		b.key(name)
	}
	b.Calm()
}

func (b *bench) key(name string) {
	b.Said = ""
	b.View().Pressed(b.Clock.T)
	b.room.Keyboard().Overtake(name, b.Clock.T)
	if b.TakeOffer(name) {
		return
	}
	place, field := b.room.Place(), b.room.Field()
	bound := b.own.Lookup(place, name)
	if bound == nil {
		b.Said = b.own.Moved(place, name)
		switch {
		case field == nil:
			b.View().Guard.Stray(b.Clock.T)
		case b.Said == "":
			panes.Type(b.room, roomtest.Event(name))
		}
		return
	}
	if bound.Name == action.Enter {
		b.pass(enterAfter)
	}
	in := action.Input{Action: bound.Name, Key: name, Name: action.Written(name), Letter: action.IsLetter(name)}
	if bound.Counted {
		in.Arg.N = b.own.Nth(place, bound.Name, name)
	}
	b.room.Keyboard().Act(in, b.Clock.T)                  // a letter that waits is not kept waiting
	if b.room.Field() != nil && place != b.room.Place() { // what is written then is meant for it
		b.View().Guard.Begin(form.FieldNone, desk.NotByLetter, b.Clock.T)
	}
	b.Desk.Refresh()
}

// keyed tells the keyboard what the room has, and what the screen would have for it.
type keyed struct{ *bench }

func (k keyed) Keys() action.Map                        { return k.own }
func (k keyed) Place() action.Place                     { return k.room.Place() }
func (k keyed) TypesFirst() bool                        { return k.room.TypesFirst() }
func (k keyed) Deletes(key string) bool                 { return k.room.Deletes(key) }
func (k keyed) NoKey(action.Place, string, *action.Row) {}

func (k keyed) Field() any {
	if k.room.Field() != nil {
		return k.room
	}
	return nil
}

func (k keyed) Own(a action.Name) (action.Row, bool) {
	row, _ := k.room.Table().Row(a)
	return row, true
}

func (k keyed) Else(a action.Name) action.Row {
	field := k.room.Field()
	do, found := map[action.Name]func(){action.Next: func() { k.step(1) }, action.Previous: func() { k.step(-1) },
		action.UndoTyping: func() { field.Undo(); k.room.Typed() },
		action.RedoTyping: func() { field.Redo(); k.room.Typed() }}[a]
	if !found {
		return action.Row{}
	}
	return action.Row{Name: a, Do: action.Just(do)}
}

func (b *bench) write(text string) {
	for _, c := range text {
		panes.Type(b.room, tcell.NewEventKey(tcell.KeyRune, c, tcell.ModNone))
	}
	b.Calm()
}

func (b *bench) paste(text string) { panes.Paste(b.room, text) }

// enterAfter is how long after another key Enter is pressed: later than in a paste.
const enterAfter = 60 * time.Millisecond

// calm lets the guard pass.
func (b *bench) calm() { b.Clock.Pass(desk.Settle) }

func (b *bench) pass(d time.Duration) { b.Clock.Pass(d) }

// step brings another question of the queue up.
func (b *bench) step(n int) {
	require.True(b.t, b.View().Step(n))
	b.View().BroughtUp()
}

// arrange has the room arranged as the screen does before each frame.
func (b *bench) arrange() areas {
	a := layout(b.w, b.h, b.room, len(b.Desk.Waiting()), b.Desk.Attach() != "")
	b.room.Arrange(a.divider, a.question, a.fit)
	return a
}

// picture returns the screen as text, one line a row: what is not the question's is left empty.
func (b *bench) picture() string {
	b.draw()
	b.screen.Show()
	return roomtest.Text(b.screen, b.h)
}

// draw draws without showing or reading it, for a test that looks at a later picture: what is drawn may scroll.
func (b *bench) draw() {
	b.screen.Clear()
	b.screen.HideCursor()
	c := b.Ink(b.screen)
	b.arrange()
	b.room.Draw(b.screen)
	b.drawAsk()
	footer := b.room.Footer()
	c.Put(0, b.h-2, b.w, ink.Bold, ink.Fit(footer.Line, b.w, c.Glyphs))
	c.Put(0, b.h-1, b.w, ink.Plain, ink.HintLine(cellHints(footer.Hints), b.w).String())
}

// drawAsk draws the line being typed where the screen has it.
func (b *bench) drawAsk() {
	area := ink.Rect{W: b.w, H: b.h - 2}
	if panes.ListWidth(b.w) > 0 {
		area = panes.GroundOf(b.w, b.h-2, panes.Beside{}).Area
	}
	b.room.DrawAsk(b.Ink(b.screen), ink.Rect{Y: b.h - 3, W: b.w, H: 1}, area)
}

func cellHints(hints []action.Hint) []ink.Hint {
	out := make([]ink.Hint, len(hints))
	for i, h := range hints {
		out[i] = ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Rank: h.Rank()}
	}
	return out
}

// footer returns the Enter line, or what the last key said in its place.
func (b *bench) footer() string {
	if b.Said != "" {
		return b.Said
	}
	return strings.Split(b.picture(), "\n")[b.h-2]
}

// stored returns a session as its caller would read it.
func (b *bench) stored(id string) queue.Session {
	b.t.Helper()
	return roomtest.Stored(b.t, b.Queue, id)
}

var sizes = [][2]int{{30, 10}, {34, 12}, {40, 12}, {50, 20}, {60, 20}, {80, 24}, {120, 40}, {200, 60}}

// size gives the screen another size.
func (b *bench) size(w, h int) {
	b.w, b.h = w, h
	b.screen.SetSize(w, h)
}

// The questions and agents of every room.
var (
	database   = roomtest.Database
	endpoints  = roomtest.Endpoints
	small      = roomtest.Small
	authRework = roomtest.AuthRework
	dropTable  = roomtest.DropTable
	marked     = roomtest.Marked
	migration  = roomtest.Migration
	three      = roomtest.Three
	one        = roomtest.One
	shop       = roomtest.Shop
	infra      = roomtest.Infra
	web        = roomtest.Web
)

func five(b *bench) {
	b.ask(database(), shop())
	b.pass(time.Minute)
	b.ask(small("Deploy 2.4.1 to production?", 42), infra())
	b.ask(endpoints(), shop())
	b.ask(small("Name the design-token package", 14*60+30), web())
	b.ask(small("Which auth provider?", 2*3600+60), web())
}

// areas are where a screen puts the question.
type areas struct {
	divider  ink.Rect
	question ink.Rect
	list     int // cells of the queue left of it
	fit      Fit
}

// layout shares a w×h screen in which so many wait. The queue never has the focus here.
func layout(w, h int, r *Room, waiting int, alone bool) areas {
	v := r.display()
	g := panes.GroundOf(w, h-2, panes.Beside{Waiting: waiting, Over: v != nil && v.over(), Alone: alone})
	a := areas{divider: g.Divider, question: g.Area, list: g.List, fit: r.Fit(g.Area.W, g.Area.H, g.QueueStrip)}
	a.question.H = a.fit.H
	return a
}
