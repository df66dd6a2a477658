package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

// settledSpool is a queue on disk with n archived sessions, one a minute; every 25,000th asks about a needle.
func settledSpool(b *testing.B, n int) *queue.Queue {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "queue")
	for _, sub := range []string{"live", "drafts", "done", "present", "tmp"} {
		require.NoError(b, os.MkdirAll(filepath.Join(dir, sub), 0o700))
	}
	for i := range n {
		at := noon.Add(-time.Duration(n-i) * time.Minute).UTC()
		a := database()
		a.Title = fmt.Sprintf("Question %d?", i)
		if i%25_000 == 0 {
			a.Prompt += " A needle."
		}
		s := queue.Session{Schema: queue.Schema, ID: queue.NewID(), Revision: 3, Origin: shop(), Ask: a, AskedAt: at.Add(-time.Minute), Deadline: at.Add(time.Hour), Final: true,
			Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceDashboard, At: at, Answer: chose("pg")},
			Events: []queue.Event{{ID: "1", Kind: queue.EventAsked, At: at.Add(-time.Minute)}, {ID: "2", Kind: queue.EventSettled, By: queue.ByHuman, At: at},
				{ID: "3", Kind: queue.EventCollected, At: at}}}
		raw, err := json.Marshal(s)
		require.NoError(b, err)
		month := filepath.Join(dir, "done", at.Format("2006-01"))
		require.NoError(b, os.MkdirAll(month, 0o700))
		require.NoError(b, os.WriteFile(filepath.Join(month, fmt.Sprintf("%013d-%s.json", at.UnixMilli(), s.ID)), raw, 0o600))
	}
	time.Sleep(4 * time.Second) // the directories have been quiet for a while
	store, err := spool.Open(dir)
	require.NoError(b, err)
	q := queue.New(store)
	q.Now = func() time.Time { return noon }
	return q
}

// bare is a dashboard on a queue, at 120×40, without a terminal.
func bare(q *queue.Queue) *Dashboard {
	d := NewDashboard(Options{Queue: q, Settings: &fixedSettings{}, Instance: "me"}, ink.Unicode)
	d.size.w, d.size.h, d.loaded = 120, 40, true
	return d
}

// turn runs one job of the worker and what it posted, as pump and worker do; false: there is none.
func (d *Dashboard) turn() (took time.Duration, any bool) {
	f, any := d.work.TakePiece()
	if !any {
		return 0, false
	}
	begin := time.Now()
	f()
	d.drain()
	return time.Since(begin), true
}

// BenchmarkHistoryOf100000 is what the page costs with 100,000 settled sessions on disk: the first rows after h, the
// end after G, and a search through all of it; turn-ms is the longest an answer would wait behind it.
func BenchmarkHistoryOf100000(b *testing.B) {
	q := settledSpool(b, 100_000)
	until := func(b *testing.B, d *Dashboard, done func(*historyFeed) bool) {
		var longest time.Duration
		for d.history.soon != nil || !done(d.history.feed) {
			took, any := d.turn()
			require.True(b, any)
			longest = max(longest, took)
		}
		b.ReportMetric(float64(longest.Microseconds())/1000, "turn-ms")
	}
	b.Run("first rows", func(b *testing.B) {
		for b.Loop() {
			d := bare(q)
			d.openHistory()
			until(b, d, func(f *historyFeed) bool { return len(f.rows) > 0 })
			d.history.end()
		}
	})
	b.Run("to the end", func(b *testing.B) {
		for b.Loop() {
			d := bare(q)
			d.openHistory()
			until(b, d, func(f *historyFeed) bool { return len(f.rows) > 0 })
			d.history.act(keys.ActLast, "G")
			until(b, d, func(f *historyFeed) bool { return f.done })
			require.Len(b, d.history.feed.rows, 100_000)
			d.history.end()
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			d := bare(q)
			d.openHistory()
			d.history.narrow("needle")
			until(b, d, func(f *historyFeed) bool { return f.done })
			require.Len(b, d.history.feed.rows, 4)
			d.history.end()
		}
	})
	b.Run("statistics of all", func(b *testing.B) {
		for b.Loop() {
			d := bare(q)
			d.openStats()
			p := d.page.(*statsPage)
			p.all = true
			p.start()
			for !p.done {
				_, any := d.turn()
				require.True(b, any)
			}
			require.Equal(b, 100_000, p.stats.Asked)
		}
	})
}
