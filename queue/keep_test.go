package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestASessionIsKeptOnceHoweverOftenItIsTried(t *testing.T) {
	t.Parallel()
	store := &doubtful{Store: storetest.NewMemory()}
	q := queue.New(store)
	s, err := q.Prepare(queue.NewMessage(queue.Origin{Client: "codex"}, "hello"))
	require.NoError(t, err)
	made, err := q.Keep(t.Context(), s)
	require.NoError(t, err)
	store.sync = errDisk
	_, err = q.Keep(t.Context(), s)
	require.ErrorIs(t, err, queue.ErrInDoubt, "it is there, and perhaps not durable")
	store.sync = nil
	again, err := q.Keep(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, made, again)

	q.Store = store.Store
	done, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
	require.NoError(t, err)
	require.NoError(t, q.Store.Archive(t.Context(), done))
	again, err = q.Keep(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, queue.StatusCancelled, again.Status(), "it has ended, and does not begin anew")
	live, _, err := q.Store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live)

	other, err := q.Prepare(queue.NewMessage(queue.Origin{Client: "codex"}, "hello"))
	require.NoError(t, err)
	other.ID = s.ID
	_, err = q.Keep(t.Context(), other)
	require.ErrorIs(t, err, queue.ErrExists)
}
