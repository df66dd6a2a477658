package trail_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

// BenchmarkTally200000 measures the sums of 200,000 settled sessions on disk. times-faster compares them with reading
// the same sessions whole, in the same run.
func BenchmarkTally200000(b *testing.B) {
	q := roomtest.SettledSpool(b, 200_000)
	reader := trail.Reader{Store: q.Store, Wants: func(queue.Origin) bool { return true }}
	var sums, whole time.Duration
	for b.Loop() {
		began := time.Now()
		tally, err := reader.Tally(b.Context(), time.UTC)
		require.NoError(b, err)
		require.Equal(b, 200_000, tally.Stats().Asked)
		sums += time.Since(began)

		began = time.Now()
		for _, err := range trail.Pages(b.Context(), q.Store, "", 256, queue.Whole) {
			require.NoError(b, err)
		}
		whole += time.Since(began)
	}
	b.ReportMetric(sums.Seconds()/float64(b.N), "sums-s")
	b.ReportMetric(whole.Seconds()/sums.Seconds(), "times-faster")
}
