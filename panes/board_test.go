package panes

import (
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
