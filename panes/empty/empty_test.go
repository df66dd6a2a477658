package empty_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/empty"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// TestMain has clock times on screen as the fixtures have them.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// bench is the empty screen of a terminal of so many cells, without the rule below it and what stands left of it.
type bench struct {
	*roomtest.Bench
	left   int // cells of what stands left of it
	o      empty.Options
	own    action.Map              // in place of the key table
	view   *desk.View              // in place of the one that has read the queue
	played []func(context.Context) // what the terminal was lent to
}

func newBench(t *testing.T, w, h int) *bench {
	left := 0
	if list := panes.ListWidth(w); list > 0 {
		left = list + 1
	}
	return &bench{Bench: roomtest.New(t, w-left, h-1, nil), left: left, o: empty.Options{Connect: []empty.Connect{
		{Name: "Claude Code", Command: "claude mcp add --scope user choicetui -- choicetui mcp"},
		{Name: "Codex", Command: "codex mcp add choicetui -- choicetui mcp"},
		{Name: "Gemini CLI", Command: "gemini mcp add -s user choicetui choicetui mcp"},
		{Name: "Antigravity", Command: "agy mcp add choicetui choicetui mcp"},
		{Name: "others", Command: "choicetui help connect"},
	}, SetUp: func(context.Context) {}, Demo: func(context.Context) {}}}
}

func (b *bench) Keys() action.Map {
	if b.own != nil {
		return b.own
	}
	return b.Bench.Keys()
}

func (b *bench) View() *desk.View {
	if b.view != nil {
		return b.view
	}
	return b.Bench.View()
}

func (b *bench) Lend(use func(context.Context)) bool {
	b.played = append(b.played, use)
	return true
}

func (b *bench) room() *empty.Room {
	r := empty.New(b, b.o)
	r.Beside(b.left > 0)
	return r
}

func (b *bench) picture() string { return b.Picture(b.room()) }

// day answers a question and misses another one, as in the golden screens.
func (b *bench) day() {
	b.T.Helper()
	b.Ask(ask("Which database?", 300), queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Agent: "a1"})
	b.Pass(11 * time.Second)
	b.View().Form().Enter()
	require.NoError(b.T, b.View().Send())
	b.Calm()
	b.Pass(time.Minute)
	b.Ask(ask("Rename the flag?", 20),
		queue.Origin{Client: "gemini-cli-mcp-client", Cwd: "/home/me/src/web", Agent: "a3"})
	b.Pass(40 * time.Second)
	b.Pass(40 * time.Second)
	b.Desk.Refresh()
	require.Empty(b.T, b.View().Up())
}

func ask(title string, seconds int) queue.Ask {
	q := queue.Question{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1,
		Options: []queue.Option{{ID: "pg", Label: "PostgreSQL", Recommended: true}, {ID: "b", Label: "SQLite"}}}
	return queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: "Two ways are open.", Questions: []queue.Question{q},
		TimeoutSeconds: seconds, OnTimeout: queue.OnTimeoutNone}
}

func TestUntilTheQueueWasReadNothingIsSaidOfIt(t *testing.T) {
	b := newBench(t, 40, 12)
	require.Contains(t, b.picture(), "─ nothing is waiting ─")
	fresh := desk.New(desk.Options{Services: desk.Services{Queue: b.Queue, Settings: config.Open(filepath.Join(t.TempDir(), "config.json"))}})
	b.view = fresh.View(desk.ViewOptions{})
	require.Equal(t, "─ reading the queue ──────── choicetui ─", strings.TrimSpace(b.picture()))
}

func TestADigitCopiesTheLineOfItsAgentOnlyBehindTheKeyThatConnects(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Press(b.room(), "2")
	require.Empty(t, b.Copied, "a digit alone may have been typing")
	require.Equal(t, "c first, then 2 copies that line", b.Said)
	b.Press(b.room(), "c")
	require.Equal(t, "⏎ or c runs choicetui setup · 1-5 copies that agent's line", ink.Fit(b.Offered, 80, ink.Unicode))
	b.Press(b.room(), "2")
	require.Equal(t, "codex mcp add choicetui -- choicetui mcp", b.Copied)
	require.Empty(t, b.played)
	b.Copied = ""
	for _, between := range [][]string{{"esc"}, {"j"}, {"d"}, {"h"}, {"1"}} {
		b.Press(b.room(), "c")
		b.Press(b.room(), between...)
		b.Copied = ""
		b.Press(b.room(), "2")
		require.Empty(t, b.Copied, "%v leaves the choice", between)
	}
	require.Empty(t, b.played)
	b.day()
	b.Press(b.room(), "1")
	require.Equal(t, "nothing to copy: choicetui help connect shows how agents are connected", b.Said)
	b.Press(b.room(), "c", "1")
	require.Empty(t, b.Copied, "no line is on screen any more")
}

func TestWhatTheKeyThatConnectsOffersFitsASmallPane(t *testing.T) {
	for w, want := range map[int]string{30: "⏎ or c runs choicetui setup", 40: "⏎ runs choicetui setup · 1-5 copies",
		50: "⏎ runs choicetui setup · 1-5 copies a line"} {
		b := newBench(t, w, 12)
		b.Press(b.room(), "c")
		require.Equal(t, want, ink.Fit(b.Offered, w, ink.Unicode))
	}
}

func TestTheDemoIsPlayedInTheTerminal(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Press(b.room(), "d")
	require.Empty(t, b.played, "a letter by itself starts nothing")
	b.Press(b.room(), "enter")
	require.Len(t, b.played, 1)
	b.Press(b.room(), "d", "j", "enter")
	require.Len(t, b.played, 1, "any other key leaves it undone")
	b.o.Demo = nil
	b.Press(b.room(), "d")
	require.Len(t, b.played, 1)
	require.Equal(t, "there is no demo here", b.Said)
	require.NotContains(t, roomtest.Footer(b.room(), 80), "demo")
}

func TestAgentsAreConnectedInTheTerminalOnceEnterAgrees(t *testing.T) {
	b := newBench(t, 80, 24)
	b.o.Demo = nil
	b.Press(b.room(), "c")
	require.Empty(t, b.played, "a letter by itself starts nothing")
	b.Press(b.room(), "enter")
	require.Len(t, b.played, 1)
	b.Press(b.room(), "c", "j", "enter")
	require.Len(t, b.played, 1, "any other key leaves it undone")
	b.Press(b.room(), "c", "c")
	require.Len(t, b.played, 2, "the same key again is Enter")
	b.o.SetUp = nil
	b.Press(b.room(), "c")
	require.Equal(t, "1-5 copies that agent's line", ink.Fit(b.Offered, 80, ink.Unicode))
	b.Press(b.room(), "enter", "1")
	require.Contains(t, b.Copied, "claude mcp add")
	b.o.Connect = nil
	b.Press(b.room(), "c")
	require.Equal(t, "agents cannot be connected from here", b.Said)
	require.NotContains(t, roomtest.Footer(b.room(), 80), "c connect")
}

func TestEscForgetsWhatWasMissed(t *testing.T) {
	b := newBench(t, 80, 24)
	b.day()
	require.Contains(t, b.picture(), "! 1 timed out unanswered")
	b.Press(b.room(), "esc")
	require.NotContains(t, b.picture(), "unanswered")
}

func TestWhatIsWrongStandsAboveAllElse(t *testing.T) {
	const rule, problem = "─ nothing is waiting ─────────\n", "  ! the queue cannot be\n  read: permission denied\n"
	for h, want := range map[int]string{10: rule + problem + "  Today  1", 24: rule + "\n" + problem + "\n  Today  1"} {
		b := newBench(t, 30, h)
		b.o.Problem = func() string { return "! the queue cannot be read: permission denied" }
		b.day()
		require.True(t, strings.HasPrefix(b.picture(), want), b.picture())
	}
}

func TestAHintTakesThePlaceOfWhatWasTyped(t *testing.T) {
	b := newBench(t, 80, 24)
	b.o.KeptLine = func() string { return "› kept words" }
	require.Contains(t, roomtest.Footer(b.room(), 80), "› kept words\n")
	b.o.Hint = func() string { return "the demo plays here" }
	require.Contains(t, roomtest.Footer(b.room(), 80), "the demo plays here\n")
	require.NotContains(t, roomtest.Footer(b.room(), 80), "kept")
}

func TestAHandOffFormIsLeftNotQuit(t *testing.T) {
	b := newBench(t, 80, 24)
	require.Contains(t, roomtest.Footer(b.room(), 80), "q quit")
	b.view = desk.New(desk.Options{Attach: "abc", Services: desk.Services{Queue: b.Queue,
		Settings: config.Open(filepath.Join(t.TempDir(), "config.json"))}}).View(desk.ViewOptions{})
	require.Contains(t, roomtest.Footer(b.room(), 80), "q leave")
}

func TestKeysOfOnesOwnStandBeforeTheirLines(t *testing.T) {
	b := newBench(t, 80, 24)
	b.own, _ = action.New(map[string][]string{"open_one": {"!", "@"}}, ink.Width)
	require.Contains(t, b.picture(), "   !  Claude Code   claude mcp add")
	require.Contains(t, b.picture(), "c, then its key, copies that line.")
	b.own, _ = action.New(map[string][]string{"open_one": {"alt+q"}}, ink.Width)
	require.Contains(t, b.picture(), "      Claude Code   claude mcp add", "it does not fit before the line")
	require.NotContains(t, b.picture(), " copy ")
	b.own, _ = action.New(map[string][]string{"set_up": nil}, ink.Width)
	require.NotContains(t, b.picture(), " copy ", "no key connects agents")
	b.Press(b.room(), "1")
	require.Empty(t, b.Copied)
	require.Contains(t, b.Said, "nothing to copy")
}

func TestWhereNothingCanSetUpTheScreenDoesNotOfferIt(t *testing.T) {
	b := newBench(t, 80, 24)
	require.Contains(t, b.picture(), "c  connect all agents on this machine")
	b.o.SetUp = nil
	require.NotContains(t, b.picture(), "connect all agents")
}
