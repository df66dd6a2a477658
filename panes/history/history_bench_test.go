package history

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// BenchmarkHistoryOf100000 is what the page costs with 100,000 settled sessions on disk: the first entries after it was
// opened, the end after G, and a search through all of it; turn-ms is the longest an answer would wait behind it.
func BenchmarkHistoryOf100000(b *testing.B) {
	q := roomtest.SettledSpool(b, 100_000)
	open := func() (*desk.Desk, *listing) {
		d := desk.New(desk.Options{Services: desk.Services{Queue: q, Settings: &roomtest.Settings{S: config.Default()}, Instance: "me"}})
		l := newListing(d, func() int { return 80 }, func() {})
		l.startReading()
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
			l.stopReading()
		}
	})
	b.Run("to the end", func(b *testing.B) {
		for b.Loop() {
			d, l := open()
			until(b, d, l, func(f *feed) bool { return len(f.entries) > 0 })
			l.move(action.Last, 1)
			until(b, d, l, func(f *feed) bool { return f.done })
			require.Len(b, l.feed.entries, 100_000)
			l.stopReading()
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			d, l := open()
			l.narrow("needle")
			until(b, d, l, func(f *feed) bool { return f.done })
			require.Len(b, l.feed.entries, 4)
			l.stopReading()
		}
	})
}
