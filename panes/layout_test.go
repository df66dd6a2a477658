package panes

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

func TestTheGroundOfAQuestionIsWhatTheQueueLeavesIt(t *testing.T) {
	narrow := ink.Rect{Y: 1, W: 60, H: 16}
	wide := ink.Rect{X: 42, Y: 1, W: 78, H: 36}
	for name, c := range map[string]struct {
		w, h   int
		beside Beside
		area   ink.Rect
		list   int
		strip  int
	}{
		"alone in the queue":       {60, 18, Beside{Waiting: 1}, narrow, 0, 0},
		"another waits":            {60, 18, Beside{Waiting: 2}, narrow, 0, 2},
		"many wait":                {60, 18, Beside{Waiting: 50}, narrow, 0, 6},
		"over, and another waits":  {60, 18, Beside{Waiting: 1, Over: true}, narrow, 0, 1},
		"handed off":               {60, 18, Beside{Waiting: 5, Alone: true}, narrow, 0, 0},
		"a list beside it":         {120, 38, Beside{Waiting: 5}, wide, 40, 0},
		"handed off on a wide one": {120, 38, Beside{Waiting: 5, Alone: true}, wide, 40, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g := GroundOf(c.w, c.h, c.beside)
			require.Equal(t, c.area, g.Area)
			require.Equal(t, c.list, g.List)
			require.Equal(t, c.strip, g.QueueStrip)
			require.Equal(t, ink.Rect{X: max(g.Area.X-1, 0), W: g.Divider.W, H: 1}, g.Divider)
			require.Equal(t, c.w, g.Divider.X+g.Divider.W)
		})
	}
}
