package queue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestADeadlineIsADayAheadAtMostAndAClockMayBeADayAhead(t *testing.T) {
	t.Parallel()
	s := asked(nil)
	for ahead, fits := range map[time.Duration]bool{-time.Hour: true, 24 * time.Hour: true, 46 * time.Hour: true, 49 * time.Hour: false,
		1 << 62: false} {
		s.Deadline = noon.Add(ahead)
		err := queue.CheckDeadline(s, noon)
		require.Equal(t, fits, err == nil, "%v: %v", ahead, err)
		if !fits {
			var bad *queue.Unreadable
			require.ErrorAs(t, err, &bad)
		}
	}
	s.Outcome = &queue.Outcome{Status: queue.StatusCancelled}
	require.NoError(t, queue.CheckDeadline(s, noon), "it waits for nothing")
	s.Outcome, s.Deadline = nil, time.Time{}
	require.NoError(t, queue.CheckDeadline(s, noon), "its clock is stopped")
}
