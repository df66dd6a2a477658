package screen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAnInterviewThatWaitsForTheTeamAloneSaysHowManyAreLeft(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {120, 40}} {
		b := newTeamBench(t, size[0], size[1])
		o := shop()
		o.Dialect, o.Thread = queue.DialectInterview, "charter"
		b.ask(database(), o)
		b.calm()
		for _, key := range []string{"w", "enter", "enter", "enter"} {
			b.press(key)
			b.calm()
		}
		require.NotContains(t, b.picture(), "finish the interview")
		b.finishing = 3
		require.Contains(t, b.picture(), "1 of 3 with the team; decide them to finish the interview", size)
	}
}
