package settings

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
)

func TestEveryExplanationFitsALineAndTwoOfTheNarrowPage(t *testing.T) {
	for _, at := range (&State{more: true}).pageRows() {
		about := config.Table[at].About()
		require.Len(t, ink.Wrap(about, 79), 1, about)
		require.LessOrEqual(t, len(ink.Wrap(about, 49)), 2, about)
	}
}

func TestTheCursorRowIsNeverColourAlone(t *testing.T) {
	for _, theme := range []string{ink.ThemeAuto, ink.ThemeDark, ink.ThemeLight, ink.ThemeMono} {
		s := tcell.NewSimulationScreen("UTF-8")
		require.NoError(t, s.Init())
		s.SetSize(40, 10)
		c := ink.Canvas{Screen: s, Glyphs: ink.Unicode, Theme: ink.ThemeNamed(theme)}
		view{rows: []int{0, 1, 2}, focus: true, cursor: 1}.draw(c, ink.Rect{W: 40, H: 10})
		s.Show()
		cells, w, _ := s.GetContents()
		require.Equal(t, "▸", string(cells[2*w].Runes))
		for x := range w {
			_, _, attrs := cells[2*w+x].Style.Decompose()
			require.NotZero(t, attrs&tcell.AttrReverse, "%s column %d", theme, x)
			if len(cells[2*w+x].Runes) > 0 && cells[2*w+x].Runes[0] != ' ' {
				require.Equal(t, c.Theme.Of(c.Theme.OnCursorRow(ink.Plain)), cells[2*w+x].Style, "%s column %d", theme, x)
			}
		}
	}
}

func TestASettingsValueIsShownAsPeopleSayIt(t *testing.T) {
	for _, c := range []struct{ key, raw, shown string }{
		{"timeout_seconds", "300", "5 min"},
		{"timeout_seconds", "90", "1:30"},
		{"timeout_seconds", "59", "59 s"},
		{"timeout_seconds", "86400", "24 h"},
		{"timeout_seconds", "3661", "1:01:01"},
		{"timeout_override", "null", "off"},
		{"timeout_action", `"none"`, "no answer"},
		{"notify.warn_seconds", "10", "10 s before"},
		{"notify.warn_seconds", "0", "off"},
		{"peek", "true", "on"},
		{"hidden_options", "[]", "none"},
		{"keys", `{"note":["N"],"text":[]}`, "2"},
		{"queue", `""`, "default location"},
		{"queue", `"/a\u202eb"`, "/a<U+202E>b"},
	} {
		at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == c.key })
		require.Equal(t, c.shown, settingValue(config.Table[at], json.RawMessage(c.raw)), c.key)
	}
}
