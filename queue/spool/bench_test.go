package spool

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// BenchmarkCreateToWatcher measures the time from an agent's call until another process has read the session, with
// fsync.
func BenchmarkCreateToWatcher(b *testing.B) {
	s := open(b)
	c := start(b, "echo", s.dir)
	c.line()
	var took []time.Duration
	for b.Loop() {
		begin := time.Now().UnixNano()
		v := storetest.Create(b, s)
		took = append(took, time.Duration(c.stamp(v.ID)-begin))
	}
	percentiles(b, took)
}

// BenchmarkSettleToWaiter measures the time from an answer in another process until the waiting process has read it.
func BenchmarkSettleToWaiter(b *testing.B) {
	s := open(b)
	c := start(b, "settle", s.dir)
	c.line()
	var took []time.Duration
	for b.Loop() {
		v := storetest.Create(b, s)
		w, err := s.Watch(b.Context(), queue.AllNews, v.ID)
		require.NoError(b, err)
		_, err = w.Next(b.Context())
		require.NoError(b, err)
		_, err = fmt.Fprintln(c.in, v.ID)
		require.NoError(b, err)
		for settled := false; !settled; {
			ch, err := w.Next(b.Context())
			require.NoError(b, err)
			settled = len(ch.Sessions) > 0 && ch.Sessions[0].Outcome != nil
		}
		end := time.Now().UnixNano()
		took = append(took, time.Duration(end-c.stamp(v.ID)))
		require.NoError(b, w.Close())
	}
	percentiles(b, took)
}

// stamp reads the child's time for a session.
func (p *process) stamp(id string) int64 {
	p.t.Helper()
	for {
		var got string
		var at int64
		_, err := fmt.Sscan(p.line(), &got, &at)
		require.NoError(p.t, err)
		if got == id {
			return at
		}
	}
}

func percentiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	at := func(share float64) float64 {
		return float64(took[int(share*float64(len(took)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}

// BenchmarkOpen100Pending10kSettled measures the reading before a dashboard's first frame.
func BenchmarkOpen100Pending10kSettled(b *testing.B) {
	s := filled(b, 100, 10_000)
	for b.Loop() {
		fresh, err := Open(s.dir)
		require.NoError(b, err)
		w, err := fresh.Watch(b.Context(), queue.AllNews)
		require.NoError(b, err)
		ch, err := w.Next(b.Context())
		require.NoError(b, err)
		require.Len(b, ch.Sessions, 100)
		b.StopTimer()
		require.NoError(b, w.Close())
		b.StartTimer()
	}
}

// BenchmarkIdlePoll measures one poll of an idle watcher.
func BenchmarkIdlePoll(b *testing.B) {
	for _, pending := range []int{20, 100, 10_000} {
		b.Run(fmt.Sprint(pending), func(b *testing.B) {
			s := filled(b, pending, 0)
			time.Sleep(2 * racyAge) // the directories have been quiet for a while
			w, err := s.Watch(b.Context(), queue.AllNews)
			require.NoError(b, err)
			defer w.Close()
			_, err = w.Next(b.Context())
			require.NoError(b, err)
			for b.Loop() {
				w.(*watcher).poll(time.Now())
				if _, any := w.(*watcher).gatherChanges(); any {
					b.Fatal("nothing changed")
				}
			}
		})
	}
}

// BenchmarkHistoryPage measures one page of 50 in a month of 100,000.
func BenchmarkHistoryPage(b *testing.B) {
	s := filled(b, 0, 100_000)
	time.Sleep(2 * racyAge)
	cursor := ""
	for b.Loop() {
		page, next, err := s.History(b.Context(), cursor, 50, queue.Whole)
		require.NoError(b, err)
		require.Len(b, page, 50)
		cursor = next
	}
}

// BenchmarkFindArchived measures Get of one archived session among 10,000.
func BenchmarkFindArchived(b *testing.B) {
	s := filled(b, 0, 10_000)
	page, _, err := s.History(b.Context(), "", 1, queue.Whole)
	require.NoError(b, err)
	for b.Loop() {
		_, err := s.Get(b.Context(), page[0].ID)
		require.NoError(b, err)
	}
}

// filled returns a queue with sessions in it, written without fsync.
func filled(b *testing.B, pending, settled int) *Store {
	b.Helper()
	s := open(b)
	require.NoError(b, s.makeTree())
	for i := range pending {
		v := sample(time.Now())
		v.Outcome, v.Final, v.Revision = nil, false, 1
		raw, err := queue.EncodeSession(v)
		require.NoError(b, err)
		require.NoError(b, makeLive(s, v.ID, raw), i)
	}
	month := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(b, s.makeDir(s.path(doneDir, month.Format("2006-01"))))
	for i := range settled {
		v := sample(month.Add(time.Duration(i) * time.Second))
		raw, err := queue.EncodeSession(v)
		require.NoError(b, err)
		m, name := doneName(v)
		require.NoError(b, s.writeNew(s.path(doneDir, m, name), raw, volatile))
	}
	return s
}

func makeLive(s *Store, id string, raw []byte) error {
	if err := os.Mkdir(s.path(liveDir, id), 0o700); err != nil {
		return err
	}
	return s.writeNew(s.path(liveDir, id, revisionName(1)), raw, volatile)
}
