package screen

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/empty"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

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
	chose      = roomtest.Chose
	event      = roomtest.Event
)

var update = flag.Bool("update", false, "write the golden screens anew")

// noon is the time of every fixture; screens show local times, so tests run in UTC.
var noon = roomtest.Noon

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// bench is a screen on a memory store, driven by hand: no terminal, no goroutines.
type bench struct {
	*Screen
	rig      *roomtest.Rig
	t        testing.TB
	clock    *roomtest.Clock
	settings *roomtest.Settings
	screen   tcell.SimulationScreen
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	return newBenchWith(t, w, h, func(*Options) {})
}

func newBenchWith(t testing.TB, w, h int, change func(*Options)) *bench {
	t.Helper()
	rig := roomtest.NewRig(t)
	screen := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, screen.Init())
	screen.SetSize(0, 0) // else every cell of the size that Init made is copied, which is most of a bench under -race
	screen.SetSize(w, h)
	o := Options{Connect: []empty.Connect{
		{Name: "Claude Code", Command: "claude mcp add --scope user choicetui -- choicetui mcp"},
		{Name: "Codex", Command: "codex mcp add choicetui -- choicetui mcp"},
		{Name: "Gemini CLI", Command: "gemini mcp add -s user choicetui choicetui mcp"},
		{Name: "Antigravity", Command: "agy mcp add choicetui choicetui mcp"},
		{Name: "others", Command: "choicetui help connect"},
	}, SetUp: func(context.Context) {}, Demo: func(context.Context) {}}
	o.Services = rig.Services()
	o.Home, o.GoToPane = "/home/me", func(context.Context, queue.Origin) error { return nil }
	change(&o)
	rig.Queue = o.Queue
	b := &bench{Screen: New(o, ink.Unicode), rig: rig, t: t, clock: rig.Clock, settings: rig.Settings, screen: screen}
	rig.Watch(b.desk)
	b.frame.SetRect(0, 0, w, h)
	return b
}

// runs has a process run, and ends has it end.
func (b *bench) runs(instance, role string) {
	b.rig.Runs(b.desk, queue.Presence{Instance: instance, Role: role})
}
func (b *bench) ends(instance string) { b.rig.Ends(b.desk, instance) }

// settle runs the worker and the watch until nothing more happens.
func (b *bench) settle() {
	b.t.Helper()
	b.rig.Drive(b.desk, b.drainDesk)
	b.view.Guard.Drawn(b.now()) // a frame follows at once
}

// ask puts a session into the queue as its bridge would.
func (b *bench) ask(a queue.Ask, o queue.Origin) queue.Session {
	b.t.Helper()
	s := roomtest.Create(b.t, b.o.Queue, a, o)
	b.settle()
	return s
}

// Key gives one key to whoever takes it, as tview does. It was read just now, however long a busy machine took to come
// here.
func (b *bench) Key(ev *tcell.EventKey) {
	if ev = b.keyboard.takeKeyOf(ev, b.now()); ev != nil {
		b.frame.InputHandler()(ev, nil)
	}
	b.view.Guard.Drawn(b.now()) // a frame follows at once
}

// Paste gives pasted text to whoever takes it, as tview does.
func (b *bench) Paste(text string) { b.frame.PasteHandler()(text, nil) }

// press gives keys one after the other, as the key table writes them, and settles.
func (b *bench) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		if k == "enter" {
			b.clock.Pass(enterAfter)
		}
		b.board.Overtake("", b.now()) // whatever was pressed before, this is no repeat of a held key
		b.Key(event(k))
		// A letter that acts by itself, or a digit, and nothing behind it.
		if due := b.rooms.question.Keyboard().Due(); !due.IsZero() {
			b.keyboard.actLate(due)
		}
	}
	b.settle()
}

// enterAfter is how long after another key Enter is pressed: later than in a paste.
const enterAfter = 60 * time.Millisecond

// reached fails with a picture unless keys go to a place.
func (b *bench) reached(place action.Place) {
	b.t.Helper()
	if b.room().Place() != place {
		require.Equal(b.t, place, b.room().Place(), b.picture())
	}
}

// write types text rune by rune, as a person does who saw that a field is open.
func (b *bench) write(text string) {
	b.view.Guard.Begin(form.FieldNone, desk.NotByLetter, b.now())
	for _, r := range text {
		b.Key(tcell.NewEventKey(tcell.KeyRune, r, tcell.ModNone))
	}
	b.settle()
}

// draw draws the screen, as tview does.
func (b *bench) draw() {
	b.lay()
	b.screen.Clear()
	b.frame.Draw(b.screen)
	b.screen.Show()
	b.view.Guard.Drawn(b.now())
}

// lay shares the rows as before a draw, and draws nothing.
func (b *bench) lay() {
	w, h := b.screen.Size()
	b.frame.SetRect(0, 0, w, h)
	b.Screen.beforeDraw(b.screen)
	b.alarm.set(b.now, time.Time{}, nil)
}

// picture returns the screen as text, one line a row.
func (b *bench) picture() string {
	b.draw()
	_, h := b.screen.Size()
	return roomtest.Text(b.screen, h)
}

// said returns the message as shown in divider and footer.
func (b *bench) said() string {
	b.lay()
	w, _ := b.screen.Size()
	p := b.frame.ground.splitMessage(w)
	return strings.TrimSpace(p.divider + " " + p.keys)
}

func (b *bench) footer() string {
	lines := strings.Split(b.picture(), "\n")
	if at := b.frame.buttonRect(); !at.Empty() {
		words, _, _ := strings.Cut(string([]rune(lines[at.Y])[at.X:]), "   ") // without the keys beside it
		return words
	}
	_, h := b.screen.Size()
	return lines[h-2]
}

// same compares text with a file of the repository, or with -update writes the file.
func (b *bench) same(file, got string) {
	b.t.Helper()
	file = filepath.Join("..", "..", file)
	if *update {
		require.NoError(b.t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(b.t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(b.t, err, "go test ./app/screen -update writes it")
	require.Equal(b.t, string(want), got)
}

// room returns the thing on screen that keys go to.
func (b *bench) room() panes.Room { return b.frame.room() }

// form returns the answer in the making on view.
func (b *bench) form() *form.Form { return b.view.Form() }

// title returns the title of the question on view.
func (b *bench) title() string { return b.view.Session().Ask.Title }

// now returns the test's time.
func (b *bench) now() time.Time { return b.clock.Now() }

// shown returns the id on view.
func (b *bench) shown() string                    { return b.view.Up() }
func splitLines(s string) func(func(string) bool) { return strings.SplitSeq(s, "\n") }

// typed is everything that the person wrote into the form on view.
func (b *bench) typed() string { return strings.Join(b.form().Typed(), "\n\n") }

// newSettings has the settings file, as it is now, in force.
func (b *bench) newSettings() { b.desk.SetSettings(b.o.Settings.Settings()) }

// sessions returns the live ones by id.
func (b *bench) sessions() map[string]queue.Session {
	all := map[string]queue.Session{}
	b.desk.Sessions(func(s queue.Session) { all[s.ID] = s })
	return all
}

// get reads a session from the store as the caller would.
func (b *bench) get(id string) queue.Session {
	b.t.Helper()
	return roomtest.Stored(b.t, b.o.Queue, id)
}

// calm lets the guard rest.
func (b *bench) calm() { b.clock.Pass(desk.Settle) }

// rowWith returns the first line of the screen that holds all of these words.
func (b *bench) rowWith(words ...string) string {
	for l := range splitLines(b.picture()) {
		all := true
		for _, w := range words {
			all = all && strings.Contains(l, w)
		}
		if all {
			return l
		}
	}
	return ""
}

// past puts a settled session into the archive, or leaves it live, as if it had happened so long ago.
func (b *bench) past(ago time.Duration, a queue.Ask, o queue.Origin, took time.Duration, do queue.Action, archived bool) queue.Session {
	b.t.Helper()
	return roomtest.Past(b.t, b.o.Queue, ago, a, o, took, do, archived)
}

// many archives n sessions, one a minute, the newest just now.
func (b *bench) many(n int) {
	b.t.Helper()
	roomtest.Many(b.t, b.o.Queue, n)
	b.settle()
}

// beside is another screen of the same size at the same queue.
func (b *bench) beside(instance string) *bench {
	b.t.Helper()
	w, h := b.screen.Size()
	other := newBenchWith(b.t, w, h, func(o *Options) { o.Queue, o.Instance = b.o.Queue, instance })
	other.clock = b.clock
	for _, each := range []*bench{b, other} {
		each.runs("me", queue.RoleDashboard)
		each.runs(instance, queue.RoleDashboard)
	}
	other.settle()
	return other
}

// newBenchOnFile returns a bench on a real settings file that holds text; empty if there is none yet.
func newBenchOnFile(t *testing.T, w, h int, text string, change ...func(*Options)) *bench {
	t.Helper()
	path := filepath.Join(t.TempDir(), "choicetui", "config.json")
	if text != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return newBenchWith(t, w, h, func(o *Options) {
		o.Settings = config.Open(path)
		for _, f := range change {
			f(o)
		}
	})
}

// rewrite has somebody else write the settings file.
func (b *bench) rewrite(text string) {
	b.t.Helper()
	file := b.o.Settings.(*config.File)
	require.NoError(b.t, os.MkdirAll(filepath.Dir(file.Path()), 0o700))
	require.NoError(b.t, os.WriteFile(file.Path(), []byte(text), 0o600))
	file.Reload()
	b.newSettings()
}

// fileText returns what the settings file says.
func (b *bench) fileText() string {
	b.t.Helper()
	text, err := os.ReadFile(b.o.Settings.Path())
	require.NoError(b.t, err)
	return string(text)
}

// to moves the cursor of the settings to a setting.
func (b *bench) to(key string) {
	b.t.Helper()
	b.calm()
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == key })
	b.press(append([]string{"g"}, slices.Repeat([]string{"down"}, at)...)...)
	require.Contains(b.t, b.picture(), "▸ "+config.Table[at].Label)
}

// tick, nextTick and arm are the clock's.
func (b *bench) tick() {
	b.Screen.tick()
	b.view.Guard.Drawn(b.now()) // a frame follows at once
}
func (b *bench) nextTick() time.Time { return b.Screen.nextTick() }
func (b *bench) arm()                { b.Screen.armAlarm() }
