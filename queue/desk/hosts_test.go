package desk_test

import (
	"context"
	"io/fs"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

// farStore is the store of a host. Its watch reports one batch.
type farStore struct {
	queue.Store
	first  queue.Changes
	closed chan struct{}
	once   sync.Once
}

func (f *farStore) Watch(context.Context, queue.News, ...string) (queue.Watcher, error) {
	return f, nil
}

func (f *farStore) Next(ctx context.Context) (ch queue.Changes, err error) {
	f.once.Do(func() { ch, f.first = f.first, queue.Changes{} })
	if ch.Presence {
		return ch, nil
	}
	select {
	case <-f.closed:
		return ch, fs.ErrClosed
	case <-ctx.Done():
		return ch, ctx.Err()
	}
}

func (f *farStore) Close() error { close(f.closed); return nil }

func TestADeskShowsTheHostsThatAreBesideItsQueue(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	q.Now = func() time.Time { return noon }
	d := desk.New(usual(q))
	_, err := d.Open(t.Context(), queue.RoleDashboard)
	require.NoError(t, err)
	d.Start(t.Context())
	shows := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool {
			d.Drain()
			return len(d.Waiting()) == n && len(d.Trouble().Hosts) == n
		}, 5*time.Second, time.Millisecond)
	}
	far := &farStore{Store: storetest.NewMemory(), closed: make(chan struct{}), first: queue.Changes{Presence: true,
		Sessions: flood(1), Host: &queue.HostState{Host: "far"}}}
	q.SetHost("far", far)
	shows(1)
	q.SetHost("far", nil)
	shows(0)
	<-far.closed
}
