package jetstream

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
)

// places runs a measurement on each store, so that one run compares them.
func places(b *testing.B, measure func(b *testing.B, asks, sees queue.Store)) {
	b.Run("jetstream", func(b *testing.B) {
		n := startServer(b)
		measure(b, n.open(), n.open())
	})
	b.Run("spool", func(b *testing.B) {
		dir := b.TempDir() + "/queue"
		asks, err := spool.Open(dir)
		require.NoError(b, err)
		sees, err := spool.Open(dir)
		require.NoError(b, err)
		measure(b, asks, sees)
	})
}

// BenchmarkAskedToVisible measures the time from an agent's call until another client has read the session, synced to
// disk.
func BenchmarkAskedToVisible(b *testing.B) {
	places(b, func(b *testing.B, asks, sees queue.Store) {
		w := watchingAll(b, sees)
		var took []time.Duration
		for b.Loop() {
			begin := time.Now()
			v := storetest.Create(b, asks)
			until(b, w, func(s queue.Session) bool { return s.ID == v.ID })
			took = append(took, time.Since(begin))
		}
		percentiles(b, took)
	})
}

// BenchmarkAnsweredToReturned measures the time from an answer until the waiting client has read it.
func BenchmarkAnsweredToReturned(b *testing.B) {
	places(b, func(b *testing.B, asks, sees queue.Store) {
		w := watchingAll(b, asks)
		q := queue.New(sees)
		var took []time.Duration
		for b.Loop() {
			v := storetest.Create(b, asks)
			until(b, w, func(s queue.Session) bool { return s.ID == v.ID })
			begin := time.Now()
			_, err := q.Do(b.Context(), v.ID, queue.Command{Do: queue.Settle{Answer: storetest.Answer("a")}})
			require.NoError(b, err)
			until(b, w, func(s queue.Session) bool { return s.ID == v.ID && s.Outcome != nil })
			took = append(took, time.Since(begin))
		}
		percentiles(b, took)
	})
}

func watchingAll(b testing.TB, s queue.Store) queue.Watcher {
	w, err := s.Watch(b.Context(), queue.AllNews)
	require.NoError(b, err)
	b.Cleanup(func() { _ = w.Close() })
	_, err = w.Next(b.Context())
	require.NoError(b, err)
	return w
}

func until(b testing.TB, w queue.Watcher, is func(queue.Session) bool) {
	for {
		ch, err := w.Next(b.Context())
		require.NoError(b, err)
		if slices.ContainsFunc(ch.Sessions, is) {
			return
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

// BenchmarkHistory measures reading from 100,000 archived sessions, settled over a year or within one hour.
func BenchmarkHistory(b *testing.B) {
	for _, apart := range []time.Duration{5 * time.Minute, 36 * time.Millisecond} {
		s := open(b)
		ids := fillHistory(b, s, 100_000, apart)
		b.Run(fmt.Sprint("page/", apart), func(b *testing.B) {
			cursor := ""
			for b.Loop() {
				page, next, err := s.History(b.Context(), cursor, 50, queue.Whole)
				require.NoError(b, err)
				require.Len(b, page, 50)
				cursor = next
			}
		})
		b.Run(fmt.Sprint("get/", apart), func(b *testing.B) {
			for b.Loop() {
				_, err := s.Get(b.Context(), ids[len(ids)/2])
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprint("count/", apart), func(b *testing.B) {
			for b.Loop() {
				_, err := s.CountHistory(b.Context())
				require.NoError(b, err)
			}
		})
	}
}
