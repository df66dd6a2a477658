package ink

import (
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"
)

// cellsOf draws a word in a style with a theme and returns its first cell's style as the terminal gets it.
func cellsOf(t *testing.T, theme string, style tcell.Style) (fg, bg tcell.Color, attrs tcell.AttrMask) {
	t.Helper()
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, s.Init())
	s.SetSize(10, 1)
	Canvas{Screen: s, Glyphs: Unicode, Theme: ThemeNamed(theme)}.Put(0, 0, 10, style, "word")
	s.Show()
	cells, _, _ := s.GetContents()
	return cells[0].Style.Decompose()
}

func TestAutoKeepsTheTerminalsOwnColours(t *testing.T) {
	fg, bg, _ := cellsOf(t, ThemeAuto, Plain)
	require.Equal(t, [2]tcell.Color{tcell.ColorDefault, tcell.ColorDefault}, [2]tcell.Color{fg, bg})
	fg, _, _ = cellsOf(t, ThemeAuto, Good)
	require.Equal(t, tcell.ColorGreen, fg, "out of the palette the person chose")
	require.False(t, ThemeNamed(ThemeAuto).Paints())
	require.False(t, ThemeNamed("no such").Paints())
}

func TestMonoHasNoColourAndSaysItWithAttributes(t *testing.T) {
	require.False(t, ThemeNamed(ThemeMono).Paints())
	for _, style := range []tcell.Style{Plain, Good, Danger, Danger.Bold(true).Reverse(true)} {
		fg, bg, attrs := cellsOf(t, ThemeMono, style)
		require.Equal(t, [2]tcell.Color{tcell.ColorDefault, tcell.ColorDefault}, [2]tcell.Color{fg, bg})
		_, _, was := style.Decompose()
		require.Equal(t, was, attrs&was, "what it had stays")
		if style != Plain {
			require.NotZero(t, attrs&tcell.AttrBold)
		}
	}
}

func TestDarkAndLightBringBothColoursOfEveryCellAndKeepAttributes(t *testing.T) {
	for _, theme := range []string{ThemeDark, ThemeLight} {
		require.True(t, ThemeNamed(theme).Paints())
		for _, style := range []tcell.Style{Plain, Bold, Dim, Good, Danger, Plain.Reverse(true), Title, Key,
			Hue(0).Of(Plain), Hue(1).Of(Plain), Hue(2).Of(Plain), Hue(3).Of(Plain), Hue(4).Of(Plain), Hue(5).Of(Plain)} {
			fg, bg, attrs := cellsOf(t, theme, style)
			_, _, was := style.Decompose()
			require.Equal(t, was, attrs)
			require.NotEqual(t, tcell.ColorDefault, fg)
			require.NotEqual(t, tcell.ColorDefault, bg)
			require.Greater(t, contrast(fg, bg), 4.5, "%s %v on %v", theme, fg, bg)
		}
	}
}

// contrast returns the ratio of WCAG 2: 4.5 is what text needs.
func contrast(a, b tcell.Color) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c tcell.Color) float64 {
	r, g, b := c.TrueColor().RGB()
	channel := func(v int32) float64 {
		f := float64(v) / 255
		return f * f * (f + 0.2) / 1.2 // near enough to the curve of sRGB
	}
	return 0.2126*channel(r) + 0.7152*channel(g) + 0.0722*channel(b)
}

func TestOnEightColoursTheThemesStayReadable(t *testing.T) {
	eight := make([]tcell.Color, 8)
	for i := range eight {
		eight[i] = tcell.PaletteColor(i)
	}
	for _, p := range []colours{dark, light} {
		bg := tcell.FindColor(p.bg, eight)
		require.NotEqual(t, bg, tcell.FindColor(p.fg, eight))
		for _, fg := range p.of {
			require.NotEqual(t, bg, tcell.FindColor(fg, eight))
		}
	}
	require.Equal(t, tcell.PaletteColor(0), tcell.FindColor(dark.bg, eight))
	require.Equal(t, tcell.PaletteColor(0), tcell.FindColor(light.fg, eight))
}

func TestTheCursorRowHasItsOwnColoursOrIsReversed(t *testing.T) {
	for _, theme := range []string{ThemeAuto, ThemeDark, ThemeLight, ThemeMono} {
		for _, style := range []Style{Label, Good, Dim, HueNamed("shop").Of(Plain)} {
			few := ThemeNamed(theme).On(16).OnCursorRow(style)
			fg, bg, attrs := few.Decompose()
			require.Equal(t, tcell.ColorDefault, fg, "no other colour")
			require.Equal(t, tcell.ColorDefault, bg)
			require.NotZero(t, attrs&tcell.AttrReverse)
			require.Zero(t, attrs&tcell.AttrDim)
			fg, bg, attrs = ThemeNamed(theme).On(256).OnCursorRow(style).Decompose()
			if theme == ThemeMono {
				require.NotZero(t, attrs&tcell.AttrReverse)
				continue
			}
			require.Equal(t, cursorRowText, fg)
			require.Equal(t, cursorRowGround, bg)
			require.Zero(t, attrs&(tcell.AttrReverse|tcell.AttrDim))
		}
	}
}

func TestATerminalWithoutColoursIsMonoAndOneOfEightHasNoDarkBlue(t *testing.T) {
	none := ThemeNamed(ThemeAuto).On(0)
	_, _, attrs := none.OnCursorRow(Label).Decompose()
	require.NotZero(t, attrs&tcell.AttrReverse)
	require.Equal(t, Plain, ThemeNamed(ThemeAuto).On(8).Of(Hue(1).Of(Plain)))
	require.True(t, ThemeNamed(ThemeDark).On(8).Paints())
	for h := range len(hues) {
		require.Equal(t, Plain, none.Of(Hue(h).Of(Plain)), "no agent's name is bold")
	}
}

func TestSixAgentsHaveColoursThatDifferAndNoneIsRed(t *testing.T) {
	for colours, want := range map[int]int{16: 4, 256: 6} {
		for _, theme := range []string{ThemeAuto, ThemeDark, ThemeLight} {
			if colours == 16 && theme != ThemeAuto {
				continue
			}
			seen := map[tcell.Color]bool{}
			for h := range len(hues) + 2 {
				fg, _, _ := ThemeNamed(theme).On(colours).Of(Hue(h).Of(Plain)).Decompose()
				r, g, b := fg.RGB()
				require.False(t, fg != tcell.ColorDefault && r > 2*g && r > 2*b, "%s %v", theme, fg)
				seen[fg] = true
			}
			fg, _, _ := ThemeNamed(theme).On(colours).Of(Plain).Decompose()
			delete(seen, fg)
			require.Len(t, seen, want, theme)
		}
	}
}

func TestAgentsColoursCanBeReadOnBlackAndOnWhite(t *testing.T) {
	for h := range len(hues) {
		fg, _, _ := ThemeNamed(ThemeAuto).On(256).Of(Hue(h).Of(Plain)).Decompose()
		for _, bg := range []int{16, 231} {
			require.Greater(t, contrast(fg, tcell.PaletteColor(bg)), 2.9, "%v on %d", fg, bg)
		}
	}
}
