package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// lose removes a session from under the dashboard, as whoever removes the queue's directory does.
func (b *bench) lose(s queue.Session) {
	b.t.Helper()
	b.rig.Memory.Lose(s.ID)
	b.settle()
}

func TestALostQuestionIsShownAsGoneAndGivesWay(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	require.Contains(t, b.picture(), "Send PostgreSQL")
	b.lose(s)
	require.Contains(t, b.picture(), "! Gone: no longer in the queue")
	require.Contains(t, b.footer(), "this question is closed")
	require.Empty(t, b.sessions())
	b.clock.Pass(20 * time.Second)
	b.desk.Refresh()
	require.NotContains(t, b.picture(), "Which database?", "it gives way like any that is over")
	require.Empty(t, b.view.Missed(), "it has no outcome that could have been missed")
}

func TestWhatWasTypedIntoAQuestionThatTheQueueLostStaysOnScreen(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("a")
	b.write("half a thought")
	b.lose(s)
	b.clock.Pass(20 * time.Second)
	b.desk.Refresh()
	require.Contains(t, b.picture(), "half a thought")
}

func TestALostQuestionGivesWayToWhatWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.lose(s)
	other := b.ask(database(), shop())
	b.press("esc")
	require.Equal(t, other.ID, b.shown())
}
