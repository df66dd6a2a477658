package screen

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

var pendingInHeap = flag.Int("pending", 1000, "the pending questions of TestHeapOfPending; .ci/long has 10,000")

// TestHeapOfPending measures the live heap of a dashboard on a full queue, after one more question has arrived.
// CHOICETUI_HEAP names a file for its profile.
func TestHeapOfPending(t *testing.T) {
	n := *pendingInHeap
	q := pendingSpool(t, n)
	before := liveHeap()
	s := newBenchWith(t, 120, 40, func(o *Options) { o.Queue = q })
	ch, err := s.rig.Watcher.Next(t.Context())
	require.NoError(t, err)
	s.desk.Take(ch, nil)
	s.drainDesk()
	s.draw()
	require.Len(t, s.desk.Waiting(), n)
	one, err := q.Create(t.Context(), queue.Session{Ask: database(), Origin: shop()})
	require.NoError(t, err)
	ch = queue.Changes{}
	for len(ch.Sessions) == 0 {
		ch, err = s.rig.Watcher.Next(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, one.ID, ch.Sessions[0].ID)
	s.desk.Take(ch, nil)
	ch = queue.Changes{}
	s.drainDesk()
	s.draw()

	heap := liveHeap() - before
	t.Logf("live heap with %d pending: %.1f MiB", n, float64(heap)/(1<<20))
	if name := os.Getenv("CHOICETUI_HEAP"); name != "" {
		f, err := os.Create(name)
		require.NoError(t, err)
		require.NoError(t, pprof.Lookup("heap").WriteTo(f, 0))
		require.NoError(t, f.Close())
	}
	most := int64(2<<20) + int64(n)*(22<<20)/10_000
	require.Less(t, heap, most, "the budget of 10,000 is 40 MiB, and these questions are short")
	runtime.KeepAlive(s)
}

func liveHeap() int64 {
	runtime.GC()
	runtime.GC() // the first one runs finalizers
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// pendingSpool returns a queue on disk with n pending sessions of seven agents.
func pendingSpool(t testing.TB, n int) *queue.Queue {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "queue")
	require.NoError(t, os.Mkdir(dir, 0o700))
	store, err := spool.Open(dir)
	require.NoError(t, err)
	for i := range n {
		ask, origin, at := database(), shop(), roomtest.Noon.UTC()
		ask.Title = fmt.Sprintf("Question number %d of a long day?", i)
		origin.Cwd = fmt.Sprintf("/home/me/src/shop%d", i%7)
		s := queue.Session{Schema: 1, ID: queue.NewID(), Revision: 1, Ask: ask, Origin: origin, AskedAt: at,
			CountdownFrom: at, Deadline: at.Add(20*time.Hour + time.Duration(i)*time.Second),
			Events: []queue.Event{{ID: queue.NewToken(), Kind: queue.EventAsked, By: queue.ByCaller, At: at}}}
		raw, err := queue.EncodeSession(s)
		require.NoError(t, err)
		live := filepath.Join(dir, "live", s.ID)
		require.NoError(t, os.MkdirAll(live, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(live, "000001.json"), raw, 0o600))
	}
	q := queue.New(store)
	q.Now = func() time.Time { return roomtest.Noon }
	return q
}
