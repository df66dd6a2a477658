package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestEnterLeavesAQuestionThatHasEnded(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("j")
	b.settleElsewhere(s, queue.SurfaceCLI, "lite")
	b.press("enter")
	require.Equal(t, s.ID, b.view.Up(), "it may have been meant to answer")
	b.clock.Pass(time.Second)
	require.Contains(t, b.footer(), "this question is closed: ⏎ continues")
	b.press("enter")
	require.Empty(t, b.view.Up())
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestEnterKeepsATextThatWasNotSentInSight(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.keysAt(100*time.Millisecond, "if it is cheap")
	b.settleElsewhere(s, queue.SurfaceCLI, "lite")
	b.press("enter")
	b.calm()
	b.calm()
	b.press("enter")
	require.Equal(t, s.ID, b.view.Up())
	require.Contains(t, b.footer(), "this question is closed: Esc continues")
}

// TestEnterOnAnEndedQuestionSendsNothing presses Enter as somebody does who did not see that the question ended, while
// another one comes up.
func TestEnterOnAnEndedQuestionSendsNothing(t *testing.T) {
	for _, pace := range []time.Duration{60 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond, 450 * time.Millisecond} {
		b := newBench(t, 80, 24)
		s := b.ask(database(), shop())
		b.calm()
		b.press("j")
		b.settleElsewhere(s, queue.SurfaceCLI, "lite")
		b.clock.Pass(pace)
		b.Key(event("enter"))
		next := b.ask(small("Deploy?", 300), shop())
		b.clock.Pass(pace)
		b.Key(event("enter"))
		b.settle()
		require.True(t, b.get(next.ID).Pending(), "%v", pace)
	}
}
