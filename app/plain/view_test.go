package plain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestTwoQuickMovesOfTheClockAddUp(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	b.handleLine(line{"more", b.Clock.T})
	b.handleLine(line{"more", b.Clock.T})
	b.settle()
	require.Equal(t, s.Deadline.Add(2*time.Minute), b.get(s.ID).Deadline)
	require.Contains(t, b.news(), "Time: 7 minutes left, until 14:09:00.\n")
}

func TestEachAnswerIsSaidToBeReceived(t *testing.T) {
	b := newBench(t, nil)
	both := []queue.Session{b.ask(database()), b.ask(database())}
	b.types("1", "")
	b.wait(desk.Settle)
	b.types("2", "")
	for _, s := range both {
		require.False(t, b.get(s.ID).Pending())
		claim := queue.Claim{Instance: "bridge", Conn: "1"}
		done, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Collect{Claim: claim}})
		require.NoError(t, err)
		require.NoError(t, b.Disk.Archive(t.Context(), done))
	}
	b.settle()
	require.Equal(t, "Delivered to shop · claude.\nDelivered to shop · claude.\n", b.news())
}

func TestAHandOffEndsWithItsQuestionButNotWhileTextIsTyped(t *testing.T) {
	var s queue.Session
	b := newBench(t, func(o *Options) {
		var err error
		s, err = o.Queue.Create(t.Context(), queue.Session{Ask: one(queue.ModeHybrid, nil)})
		require.NoError(t, err)
		o.Attach = s.ID
	})
	b.settle()
	b.wait(desk.Settle)
	b.types("t")
	b.elsewhere(s.ID, "lite")
	require.Contains(t, b.news(), "Closed: ")
	require.False(t, b.over, "the lines of the text are taken, and given back")
	require.Contains(t, b.types("first", "."), "This question is closed. What you wrote was not sent:\n| first\n")
	require.True(t, b.over)
}

func TestADiskThatDoesNotAnswerIsSaidAndNotWaitedForInARush(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.types("1")
	b.handleLine(line{"", b.Clock.T})
	require.False(t, b.ready(), "lines wait for the answer on its way")
	latest := b.Clock.T.Add(time.Minute)
	require.Equal(t, b.Clock.T.Add(patience+time.Millisecond), b.next(latest))
	b.Clock.Pass(patience + time.Millisecond)
	b.passTime()
	require.True(t, b.ready())
	require.Contains(t, b.news(), "! the disk does not respond; the answer being sent is not saved yet")
	require.Equal(t, latest, b.next(latest), "nothing is due any more")
}
