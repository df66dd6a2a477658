package screen

import (
	"os"
	"runtime"
	"runtime/pprof"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// TestHeapWith10000Pending measures the live heap of a dashboard on a full queue, after one more question has arrived.
// CHOICETUI_HEAP names a file for its profile.
func TestHeapWith10000Pending(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 10,000 sessions")
	}
	q := roomtest.PendingSpool(t, 10_000)
	before := liveHeap()
	s := newBenchWith(t, 120, 40, func(o *Options) { o.Queue = q })
	ch, err := s.watcher.Next(t.Context())
	require.NoError(t, err)
	s.desk.Take(ch, nil)
	s.drainDesk()
	s.draw()
	require.Len(t, s.desk.Waiting(), 10_000)
	one, err := q.Create(t.Context(), queue.Session{Ask: database(), Origin: shop()})
	require.NoError(t, err)
	ch = queue.Changes{}
	for len(ch.Sessions) == 0 {
		ch, err = s.watcher.Next(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, one.ID, ch.Sessions[0].ID)
	s.desk.Take(ch, nil)
	ch = queue.Changes{}
	s.drainDesk()
	s.draw()

	heap := liveHeap() - before
	t.Logf("live heap with 10,000 pending: %.1f MiB", float64(heap)/(1<<20))
	if name := os.Getenv("CHOICETUI_HEAP"); name != "" {
		f, err := os.Create(name)
		require.NoError(t, err)
		require.NoError(t, pprof.Lookup("heap").WriteTo(f, 0))
		require.NoError(t, f.Close())
	}
	require.Less(t, heap, int64(24<<20), "the budget is 40 MiB, and these questions are short")
	runtime.KeepAlive(s)
}

func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // the first one runs finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
