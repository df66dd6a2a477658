package desk_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/queue"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func TestAnAnswerStaysUntilItIsStored(t *testing.T) {
	t.Parallel()
	o := desk.NewOutbox()
	out := o.Put("a", queue.Settle{}, queue.Draft{})
	require.Nil(t, o.Put("a", queue.Cancel{}, queue.Draft{}), "one for each session")
	out.Try(noon)
	require.Empty(t, o.Due(noon.Add(time.Hour)), "it is under way")
	require.True(t, o.NextTry().IsZero())

	full := errors.New("no space left on device")
	require.Equal(t, desk.Unstored, o.Judge(out, full, noon))
	require.Equal(t, full, o.Of("a").Err)
	require.Equal(t, []*desk.Outgoing{out}, o.Unsaved())
	require.Equal(t, noon.Add(desk.RetryIn), o.NextTry())
	require.Empty(t, o.Due(noon.Add(desk.RetryIn-1)))
	require.Equal(t, []*desk.Outgoing{out}, o.Due(noon.Add(desk.RetryIn)))

	out.Try(noon.Add(desk.RetryIn))
	require.Equal(t, full, out.Err, "still not stored, for that reason")
	require.Equal(t, desk.Stored, o.Judge(out, nil, noon))
	require.Empty(t, o.Unsaved())
	require.True(t, o.Ended(queue.Session{ID: "a", Events: []queue.Event{{ID: out.Command.ID}}}))
	require.False(t, o.Ended(queue.Session{ID: "a", Events: []queue.Event{{ID: "other"}}}))
	o.Forget("a")
	require.Zero(t, o.Len())
}

func TestWhatCanNeverBeStoredLeavesTheOutbox(t *testing.T) {
	t.Parallel()
	bad := &queue.Invalid{Problems: []queue.Problem{{}}}
	for _, c := range []struct {
		err, says error
		want      desk.Verdict
	}{
		{queue.ErrSettled, queue.ErrSettled, desk.Over},
		{queue.ErrFinal, queue.ErrFinal, desk.Over},
		{queue.ErrNewer, queue.ErrNewer, desk.Refused},
		{queue.ErrNotFound, queue.ErrNotFound, desk.Refused},
		{fmt.Errorf("put: %w", bad), bad, desk.Refused},
	} {
		o := desk.NewOutbox()
		out := o.Put("a", queue.Settle{}, queue.Draft{})
		require.Equal(t, c.want, o.Judge(out, c.err, noon), c.err)
		require.Equal(t, c.says, out.Err)
		require.Nil(t, o.Of("a"))
		require.NotNil(t, o.Put("a", queue.Settle{}, queue.Draft{}), "the person may send again")
	}
}

func TestAFailureOfWhatWasForgottenIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	o := desk.NewOutbox()
	old := o.Put("a", queue.Settle{}, queue.Draft{})
	o.Forget("a")
	now := o.Put("a", queue.Settle{}, queue.Draft{})
	require.Equal(t, desk.Over, o.Judge(old, errors.New("late"), noon))
	require.Same(t, now, o.Of("a"))
	require.Empty(t, o.Due(noon.Add(time.Hour)))
}
