package desk

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func TestAnAnswerStaysUntilItIsStored(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	out := o.putAction("a", queue.Settle{}, queue.Draft{})
	require.Nil(t, o.putAction("a", queue.Cancel{}, queue.Draft{}), "one for each session")
	out.noteTry(noon)
	require.Empty(t, o.dueEntries(noon.Add(time.Hour)), "it is under way")
	require.True(t, o.nextTry().IsZero())

	full := errors.New("no space left on device")
	require.Equal(t, wasUnstored, o.judgeAttempt(out, full, noon))
	require.Equal(t, full, o.Of("a").Err)
	require.Equal(t, []*Outgoing{out}, o.Unsaved())
	require.Equal(t, noon.Add(RetryIn), o.nextTry())
	require.Empty(t, o.dueEntries(noon.Add(RetryIn-1)))
	require.Equal(t, []*Outgoing{out}, o.dueEntries(noon.Add(RetryIn)))

	out.noteTry(noon.Add(RetryIn))
	require.Equal(t, full, out.Err, "still not stored, for that reason")
	require.Equal(t, wasStored, o.judgeAttempt(out, nil, noon))
	require.Empty(t, o.Unsaved())
	require.True(t, o.endedSession(queue.Session{ID: "a", Events: []queue.Event{{ID: out.Command.ID}}}))
	require.False(t, o.endedSession(queue.Session{ID: "a", Events: []queue.Event{{ID: "other"}}}))
	o.forgetSession("a")
	require.Zero(t, o.Len())
}

func TestWhatCanNeverBeStoredLeavesTheOutbox(t *testing.T) {
	t.Parallel()
	bad := &queue.Invalid{Problems: []queue.Problem{{}}}
	for _, c := range []struct {
		err, says error
		want      verdict
	}{
		{queue.ErrSettled, queue.ErrSettled, wasOver},
		{queue.ErrFinal, queue.ErrFinal, wasOver},
		{queue.ErrNewer, queue.ErrNewer, wasRefused},
		{queue.ErrNotFound, queue.ErrNotFound, wasRefused},
		{fmt.Errorf("put: %w", bad), bad, wasRefused},
	} {
		o := newOutbox()
		out := o.putAction("a", queue.Settle{}, queue.Draft{})
		require.Equal(t, c.want, o.judgeAttempt(out, c.err, noon), c.err)
		require.Equal(t, c.says, out.Err)
		require.Nil(t, o.Of("a"))
		require.NotNil(t, o.putAction("a", queue.Settle{}, queue.Draft{}), "the person may send again")
	}
}

func TestAFailureOfWhatWasForgottenIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	old := o.putAction("a", queue.Settle{}, queue.Draft{})
	o.forgetSession("a")
	now := o.putAction("a", queue.Settle{}, queue.Draft{})
	require.Equal(t, wasOver, o.judgeAttempt(old, errors.New("late"), noon))
	require.Same(t, now, o.Of("a"))
	require.Empty(t, o.dueEntries(noon.Add(time.Hour)))
}
