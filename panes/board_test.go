package panes

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// board is a screen to draw on.
func board(t testing.TB, w, h int) (ink.Canvas, tcell.SimulationScreen) {
	t.Helper()
	s := tcell.NewSimulationScreen("UTF-8")
	require.NoError(t, s.Init())
	s.SetSize(w, h)
	return ink.Canvas{Screen: s, Glyphs: ink.Unicode}, s
}

func row(s tcell.SimulationScreen, y int) string {
	s.Show()
	cells, w, _ := s.GetContents()
	var b strings.Builder
	for _, c := range cells[y*w : (y+1)*w] {
		b.WriteString(string(c.Runes))
	}
	return strings.TrimRight(b.String(), " ")
}
