package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

func TestEachRoleHasItsOneStyleOnTheScreen(t *testing.T) {
	b := newBench(t, 80, 24)
	five(b)
	b.clock.Pass(time.Second)
	first := func(words string) tcell.Style { return b.styles(words)[0] }
	require.Equal(t, ink.Title, first("Which database?"))
	require.Equal(t, ink.Label, first("SQLite"))
	require.Equal(t, ink.Plain, first("One file"), "a description")
	require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Plain), first("▸1 ●"))
	require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Label), first("PostgreSQL"))
	require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Good), first("● PostgreSQL"), "it is chosen")
	require.Equal(t, ink.Plain, first("○ SQLite"))
	require.Equal(t, b.look.theme.On(256).OnCursorRow(ink.Star), first("★"))
	require.Equal(t, ink.Button, first("⏎ Send"))
	require.Equal(t, ink.Button, first("Send PostgreSQL"))
	require.Equal(t, ink.Key, first("x cancel"))
	require.Equal(t, ink.Plain, first("cancel"))
	require.Equal(t, b.look.theme.On(256).Of(ink.HueOf(shop()).Of(ink.Plain)), first("shop · claude · ~/src"))
	require.Equal(t, ink.Dim, first("~/src/shop"))
	require.Equal(t, b.look.theme.On(256).Of(ink.HueOf(infra()).Of(ink.Plain)), first("infra · codex"))
	require.Equal(t, ink.Bold, first("0:41"), "the last minute")
	require.Equal(t, ink.Plain, first("9:11"))
}

func TestAnAgentsNameHasItsColourOnEveryPage(t *testing.T) {
	b := newBench(t, 120, 40)
	for ago, agent := range map[time.Duration]queue.Origin{time.Hour: shop(), 2 * time.Hour: infra()} {
		b.past(ago, database(), agent, time.Minute, queue.Settle{Answer: chose("pg")}, true)
	}
	b.ask(small("Rename the flag?", 300), infra())
	name := b.look.theme.On(256).Of(ink.HueOf(infra()).Of(ink.Plain))
	require.Equal(t, name, b.styles("infra · codex")[0])
	b.press("h")
	require.Equal(t, name, b.styles("infra ")[0])
}

func TestAQuestionThatTimedOutShowsNothingAsChosen(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.press("n")
	b.write("only if it stays cheap")
	require.NotEmpty(t, b.rowWith("● PostgreSQL"))
	b.clock.Pass(10 * time.Minute)
	b.tick()
	b.settle()
	b.press("esc")
	require.NotEmpty(t, b.rowWith("Timed out: no answer"), b.picture())
	require.NotEmpty(t, b.rowWith("○ PostgreSQL"), b.picture())
	require.Equal(t, ink.Label, b.styles("PostgreSQL")[0], "no cursor that Enter would take")
}

func TestTheClockStandsWithinOneMeasureOfTheTextOnAVeryWideScreen(t *testing.T) {
	b := newBench(t, 300, 80)
	b.ask(database(), shop())
	b.clock.Pass(20 * time.Second)
	row := []rune(b.rowWith("~/src/shop", "4:40"))
	require.NotEmpty(t, row)
	at := strings.Index(string(row), "4:40")
	require.LessOrEqual(t, len([]rune(string(row)[:at])), panes.ListWidth(300)+1+100, "the queue's column, the divider, the measure")
	require.Equal(t, "─", string(row[len(row)-1]), "the rule goes on")
}

func TestAQuestionInItsLastMinuteIsNamedAtTheRuleWhileAnotherIsRead(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size[0], size[1])
		b.ask(database(), shop())
		b.ask(small("Deploy 2.4.1?", 62), infra())
		b.clock.Pass(time.Second)
		if size[1] >= 20 { // where it has a row
			require.NotContains(t, b.picture(), "next 1:01", size)
		}
		b.clock.Pass(time.Second)
		require.Equal(t, ink.Bold, b.styles("next 1:00")[5], size)
		b.clock.Pass(51 * time.Second)
		require.Equal(t, ink.Warn.Reverse(true), b.styles("next !0:09")[5], size)
	}
}

func TestWhatWasSentIsGreenAndItsAgentHasItsColour(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.ask(small("Deploy 2.4.1?", 300), infra())
	b.calm()
	b.press("enter")
	b.clock.Pass(10 * time.Second)
	require.Equal(t, ink.Good, b.styles("✓ PostgreSQL")[0], b.picture())
	require.Equal(t, b.look.theme.On(256).Of(ink.HueOf(shop()).Of(ink.Plain)), b.styles("→ shop")[2])
}

func TestTheTerminalsStandInIsSaidAlsoWhileAQuestionWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	b.sayOfTerminal("TERM=wezterm is not known here: drawn as xterm-256color")
	b.ask(database(), shop())
	require.Equal(t, "TERM=wezterm is not known here: drawn as xterm-256color", b.said())
	b.ask(small("Deploy?", 600), infra())
	b.press("J")
	require.Empty(t, b.said(), "a key takes it away")
}

func TestTheTerminalsCursorIsOnTheCursorRowOrInTheField(t *testing.T) {
	b := newBench(t, 80, 24)
	row := func() string {
		lines := strings.Split(b.picture(), "\n")
		if _, y, shown := b.screen.GetCursor(); shown {
			return lines[y]
		}
		return "hidden"
	}
	b.ask(database(), shop())
	b.clock.Pass(time.Second)
	b.ask(roomtest.ApproveTest(), infra())
	require.Contains(t, row(), "▸1 ● PostgreSQL")
	b.press("down")
	require.Contains(t, row(), "▸2 ● SQLite")
	b.press("n")
	b.write("typed")
	require.Contains(t, row(), "typed")
	b.press("esc", "tab")
	require.Regexp(t, "^▸ .* Which database", row())
	b.press("tab", "J")
	require.Equal(t, "hidden", row(), "nothing of an approval is chosen")
}
