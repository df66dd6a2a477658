package history

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/roomtest"
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
		s := settledAgo(time.Duration(n-i)*time.Minute, fmt.Sprintf("Question %d?", i))
		if i%25_000 == 0 {
			s.Ask.Prompt += " A needle."
		}
		raw, err := json.Marshal(s)
		require.NoError(b, err)
		month := filepath.Join(dir, "done", s.Outcome.At.Format("2006-01"))
		require.NoError(b, os.MkdirAll(month, 0o700))
		name := fmt.Sprintf("%013d-%s.json", s.Outcome.At.UnixMilli(), s.ID)
		require.NoError(b, os.WriteFile(filepath.Join(month, name), raw, 0o600))
	}
	time.Sleep(4 * time.Second) // the directories have been quiet for a while
	store, err := spool.Open(dir)
	require.NoError(b, err)
	q := queue.New(store)
	q.Now = func() time.Time { return roomtest.Noon }
	return q
}

// settledAgo is a session that was answered so long ago, and collected.
func settledAgo(ago time.Duration, title string) queue.Session {
	at := roomtest.Noon.Add(-ago)
	return queue.Session{Schema: queue.Schema, ID: queue.NewID(), Revision: 3, Origin: shop(), Ask: small(title, 300),
		AskedAt: at.Add(-time.Minute), Deadline: at.Add(time.Hour), Final: true,
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceDashboard, At: at,
			Answer: chose("pg")},
		Events: []queue.Event{{ID: "1", Kind: queue.EventAsked, At: at.Add(-time.Minute)},
			{ID: "2", Kind: queue.EventSettled, By: queue.ByHuman, At: at}, {ID: "3", Kind: queue.EventCollected, At: at}}}
}

// BenchmarkHistoryOf100000 is what the page costs with 100,000 settled sessions on disk: the first entries after it was
// opened, the end after G, and a search through all of it; turn-ms is the longest an answer would wait behind it.
func BenchmarkHistoryOf100000(b *testing.B) {
	q := settledSpool(b, 100_000)
	open := func() (*desk.Desk, *listing) {
		d := desk.New(desk.Options{Queue: q, Settings: settings{}, Instance: "me"})
		l := newListing(d, func() int { return 80 }, func() {})
		l.begin()
		return d, l
	}
	until := func(b *testing.B, d *desk.Desk, l *listing, done func(*feed) bool) {
		var longest time.Duration
		for l.soon != nil || !done(l.feed) {
			began := time.Now()
			require.True(b, d.Work())
			d.Drain()
			longest = max(longest, time.Since(began))
		}
		b.ReportMetric(float64(longest.Microseconds())/1000, "turn-ms")
	}
	b.Run("first entries", func(b *testing.B) {
		for b.Loop() {
			d, l := open()
			until(b, d, l, func(f *feed) bool { return len(f.entries) > 0 })
			l.end()
		}
	})
	b.Run("to the end", func(b *testing.B) {
		for b.Loop() {
			d, l := open()
			until(b, d, l, func(f *feed) bool { return len(f.entries) > 0 })
			l.move(keys.ActLast, 1)
			until(b, d, l, func(f *feed) bool { return f.done })
			require.Len(b, l.feed.entries, 100_000)
			l.end()
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			d, l := open()
			l.narrow("needle")
			until(b, d, l, func(f *feed) bool { return f.done })
			require.Len(b, l.feed.entries, 4)
			l.end()
		}
	})
}
