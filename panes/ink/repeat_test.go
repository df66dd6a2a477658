package ink

import (
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"
)

func TestARuleIsDrawnAsItsGlyphsOneByOneAreAndMeasuredOnce(t *testing.T) {
	for name, g := range map[string]Glyphs{"unicode": Unicode, "ascii": ASCII} {
		one, all := tcell.NewSimulationScreen("UTF-8"), tcell.NewSimulationScreen("UTF-8")
		for _, s := range []tcell.SimulationScreen{one, all} {
			require.NoError(t, s.Init())
			s.SetSize(40, 3)
		}
		c := Canvas{Screen: one, Glyphs: g}
		for x := range 30 {
			c.Put(5+x, 1, 1, Danger, g.Fuse)
		}
		c.Screen = all
		c.Repeat(Rect{X: 5, Y: 1, W: 30, H: 1}, Danger, g.Fuse)
		one.Show()
		all.Show()
		want, _, _ := one.GetContents()
		got, _, _ := all.GetContents()
		require.Equal(t, want, got, name)
	}
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, s.Init())
	c := Canvas{Screen: discard{s}, Glyphs: Unicode}
	few := testing.AllocsPerRun(100, func() { DrawPlainRule(c, Rect{W: 10, H: 1}) })
	many := testing.AllocsPerRun(100, func() { DrawPlainRule(c, Rect{W: 200, H: 1}) })
	require.Equal(t, few, many, "a long rule takes no more than a short one")
}

// discard is a screen that keeps nothing of what is drawn.
type discard struct{ tcell.Screen }

func (discard) SetContent(int, int, rune, []rune, tcell.Style) {}
