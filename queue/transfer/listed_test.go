package transfer_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/transfer"
)

// lookedThrough counts how often a directory is looked through for a session.
type lookedThrough struct {
	*spool.Store
	gets, lists int
}

func (l *lookedThrough) Get(ctx context.Context, id string) (queue.Session, error) {
	l.gets++
	return l.Store.Get(ctx, id)
}

func (l *lookedThrough) Names(ctx context.Context) (map[string]int, error) {
	l.lists++
	return l.Store.Names(ctx)
}

func TestTheNamesOfADirectoryAreListedOnceForAMove(t *testing.T) {
	t.Parallel()
	from, to := directory(t, "a"), directory(t, "b")
	_, ids := old(t, from.Store)
	there := &lookedThrough{Store: to.Store.(*spool.Store)}
	mustMove(t, from, place{there, "b"})
	requireMoved(t, to, ids)
	require.Zero(t, there.gets, "nothing of it was there")
	require.Equal(t, 2, there.lists, "before the history is moved, and before what waits is")

	here := &lookedThrough{Store: from.Store.(*spool.Store)}
	report := mustMove(t, place{here, "a"}, place{there, "b"})
	require.Equal(t, 3, report.Waiting, "what departed is known there")
	require.Zero(t, here.gets, "each of them is here once")
	require.Equal(t, len(ids), there.gets)
}

func TestOneQueueAtATimeIsMovedToAPlace(t *testing.T) {
	t.Parallel()
	from, to := directory(t, "a"), directory(t, "b")
	_, ids := old(t, from.Store)
	release, held, err := to.Store.(*spool.Store).HoldMoves()
	require.NoError(t, err)
	require.True(t, held)
	_, err = move(t.Context(), from, to)
	require.ErrorIs(t, err, transfer.ErrBusy)
	live, _, err := to.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live)
	release()
	mustMove(t, from, to)
	requireMoved(t, to, ids)
}
