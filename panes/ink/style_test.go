package ink

import (
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheLastMinuteIsBoldAndTheLastSecondsAreReversed(t *testing.T) {
	const warn = 10 * time.Second
	for left, want := range map[time.Duration]Style{61 * time.Second: Plain, time.Minute: Bold, 11 * time.Second: Bold,
		warn: Warn.Reverse(true), 0: Warn.Reverse(true)} {
		require.Equal(t, want, Time(left, warn), left)
	}
	require.Equal(t, Warn.Reverse(true), Time(80*time.Second, 90*time.Second), "where somebody wants to know earlier")
}

func TestAnAgentsNameKeepsItsColourWhateverElseItIs(t *testing.T) {
	shop := queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Agent: "a1", PID: 1}
	again := queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Agent: "a2", PID: 2, Branch: "main"}
	require.Equal(t, HueOf(shop), HueOf(again))
	require.Equal(t, HueOf(shop), HueNamed("shop · claude"))
	seen := map[Hue]bool{}
	for _, dir := range []string{"shop", "web", "infra", "docs", "api", "site", "blog", "lab"} {
		seen[HueOf(queue.Origin{Client: "codex", Cwd: "/src/" + dir})] = true
	}
	require.LessOrEqual(t, len(seen), len(hues)+1)
	require.Equal(t, Plain, Hue(len(hues)).Of(Plain), "the others have none")
}

func TestANameHasItsColourWithinWords(t *testing.T) {
	h := HueNamed("shop · claude")
	require.Equal(t, Line{{"chat · ", Bold}, {"shop · claude", h.Of(Bold)}, {"", Bold}},
		h.Within("chat · shop · claude", "shop · claude", Bold))
	require.Equal(t, Line{{"chat closed", Plain}}, h.Within("chat closed", "shop · claude", Plain))
	require.Equal(t, Line{{"chat closed", Plain}}, h.Within("chat closed", "", Plain))
}

func TestARuleIsDrawnAsItsGlyphsOneByOneAreAndMeasuredOnce(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": Unicode, "ascii": ASCII} {
		one, all := tcell.NewSimulationScreen("UTF-8"), tcell.NewSimulationScreen("UTF-8")
		for _, s := range []tcell.SimulationScreen{one, all} {
			require.NoError(t, s.Init())
			s.SetSize(40, 3)
		}
		c := Canvas{Screen: one, Glyphs: g}
		for x := range 30 {
			c.Put(5+x, 1, 1, Danger, g.Countdown)
		}
		c.Screen = all
		c.Repeat(Rect{X: 5, Y: 1, W: 30, H: 1}, Danger, g.Countdown)
		one.Show()
		all.Show()
		want, _, _ := one.GetContents()
		got, _, _ := all.GetContents()
		require.Equal(t, want, got, name)
	}
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, s.Init())
	c := Canvas{Screen: discard{s}, Glyphs: Unicode}
	few := testing.AllocsPerRun(100, func() { DrawPlainDivider(c, Rect{W: 10, H: 1}) })
	many := testing.AllocsPerRun(100, func() { DrawPlainDivider(c, Rect{W: 200, H: 1}) })
	require.Equal(t, few, many, "a long rule takes no more than a short one")
}

// discard is a screen that keeps nothing of what is drawn.
type discard struct{ tcell.Screen }

func (discard) SetContent(int, int, rune, []rune, tcell.Style) {}

func TestAKeyTooLongForItsColumnIsLeftOut(t *testing.T) {
	require.Equal(t, "^G", KeyCell("^G"))
	require.Equal(t, "F5", KeyCell("F5"))
	require.Empty(t, KeyCell("Alt-q"))
}
