package screen

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestWhoSentAnAnswerThatDidNotCountIsToldWhatItWas(t *testing.T) {
	for _, size := range [][2]int{{30, 10}, {60, 20}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		b.rig.Disk.Err = errors.New("the server is away")
		s := b.ask(database(), shop())
		b.calm()
		b.press("enter")
		b.rig.Disk.Err = nil
		_, err := b.o.Queue.Do(b.t.Context(), s.ID, queue.Command{By: queue.ByHuman, Person: "ana",
			Surface: queue.SurfaceDashboard, Do: queue.Settle{Answer: chose("lite")}})
		require.NoError(t, err)
		b.clock.Pass(desk.RetryIn)
		b.tick()
		b.settle()
		if size[0] == 30 {
			require.NotEmpty(t, b.rowWith("too late"), b.picture())
			continue
		}
		require.NotEmpty(t, b.rowWith("! Answered: SQLite", "by ana"), b.picture())
		require.NotEmpty(t, b.rowWith("You had sent “PostgreSQL”."), b.picture())
		require.Equal(t, ink.Danger.Bold(true), b.styles("! Answered")[0], "it is no ordinary end")

		b.clock.Pass(time.Hour)
		b.tick()
		b.settle()
		require.Empty(t, b.shown(), b.picture())
		if size[0] == 120 {
			require.NotEmpty(t, b.rowWith("! too late, answered by ana: "), b.picture())
		}
	}
}
