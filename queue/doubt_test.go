package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

var errDisk = errors.New("input/output error")

// doubtful is a store that writes and then fails all the same. Its Sync returns the error that a test sets.
type doubtful struct {
	queue.Store
	sync  error
	syncs int
}

func (d *doubtful) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	if _, err := d.Store.Put(ctx, s); err != nil {
		return queue.Session{}, err
	}
	return queue.Session{}, errDisk
}

func (d *doubtful) Sync(context.Context, string) error {
	d.syncs++
	return d.sync
}

func TestAWriteThatMayHaveFailedIsAcknowledgedOnceItIsDurable(t *testing.T) {
	t.Parallel()
	store := &doubtful{Store: storetest.NewMemory(), sync: errDisk}
	q := queue.New(store)
	s := storetest.Create(t, store)
	c := queue.Command{ID: "c1", By: queue.ByHuman, Do: queue.Cancel{Reason: "no"}}
	for range 2 {
		got, err := q.Do(t.Context(), s.ID, c)
		require.ErrorIs(t, err, queue.ErrInDoubt)
		require.ErrorIs(t, err, errDisk)
		require.NotNil(t, got.Outcome, "what stands is shown beside the error")
	}
	store.sync = nil
	got, err := q.Do(t.Context(), s.ID, c)
	require.NoError(t, err)
	require.EqualValues(t, 2, got.Revision)
	require.Equal(t, 3, store.syncs)

	_, err = q.Do(t.Context(), s.ID, queue.Command{ID: "c2", Do: queue.Cancel{}})
	require.ErrorIs(t, err, queue.ErrSettled)
	require.Equal(t, 3, store.syncs, "a command that wrote nothing asks nothing of the disk")
}

func TestATimeoutInDoubtIsNotAcknowledgedEither(t *testing.T) {
	t.Parallel()
	store := &doubtful{Store: storetest.NewMemory(), sync: errDisk}
	q := queue.New(store)
	s := storetest.Create(t, store)
	q.Now = func() time.Time { return s.Deadline }
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByClock, Do: queue.TimeOut{}})
	require.ErrorIs(t, err, queue.ErrInDoubt)
}

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
