package portal

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// What the page may cost, see docs/design.md section 7:
//
//	go test -run '^$' -bench . ./app/portal

// took are the times of one thing, again and again.
type took []time.Duration

// report reports the median and the 99th of a hundred.
func (t took) report(b *testing.B) {
	slices.Sort(t)
	at := func(share int) float64 {
		return float64(t[min(len(t)*share/100, len(t)-1)]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(50), "ms-p50")
	b.ReportMetric(at(99), "ms-p99")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPageReady is a browser that opens a question's page until the question stands there: at most 100 ms.
func BenchmarkPageReady(b *testing.B) {
	bench := newBench(b)
	s := bench.ask(one(queue.ModeSingle, nil))
	w := newBrowser(b, bench)
	w.to("/choice/" + s.ID)
	var all took
	for b.Loop() {
		const ready = `new Promise((done) => { const look = () => document.getElementById("send")
			? done(performance.now()) : requestAnimationFrame(look); look(); })`
		w.do(chromedp.Navigate(bench.server.URL + "/choice/" + s.ID))
		ms := js[float64](w, ready, chromedp.EvalAwaitPromise)
		all = append(all, time.Duration(ms*float64(time.Millisecond)))
	}
	all.report(b)
}

// BenchmarkChangeShown is a question that comes into the queue until the page was told: at most 50 ms p99.
func BenchmarkChangeShown(b *testing.B) {
	for _, pages := range []int{1, 20} {
		b.Run(fmt.Sprintf("%d pages", pages), func(b *testing.B) {
			bench := newBench(b)
			for i := range 100 {
				bench.ask(asking(fmt.Sprintf("pending %d", i), question("q1", queue.ModeMulti)))
			}
			var tabs []*tab
			for range pages {
				tabs = append(tabs, bench.open("/"))
			}
			var all took
			n := 0
			for b.Loop() {
				n++
				title := fmt.Sprintf("the new one %d.", n)
				a := asking(title, question("q1", queue.ModeSingle))
				begin := time.Now()
				s, err := bench.q.Create(context.Background(), queue.Session{Ask: a})
				require.NoError(b, err)
				tabs[n%pages].shows("main", title)
				all = append(all, time.Since(begin))
				bench.elsewhere(s.ID, queue.Cancel{})
			}
			all.report(b)
		})
	}
}

// BenchmarkOpenPages is what 200 open pages need with 100 questions pending, a hundred of them on a question: less than
// 60 MiB.
func BenchmarkOpenPages(b *testing.B) {
	bench := newBench(b)
	var ids []string
	for i := range 100 {
		ids = append(ids, bench.ask(asking(fmt.Sprintf("pending %d", i), question("q1", queue.ModeMulti))).ID)
	}
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapInuse+m.StackInuse) / (1 << 20)
	}
	before := heap()
	for i := range 200 {
		path := "/"
		if i%2 == 0 {
			path = "/choice/" + ids[i/2]
		}
		bench.open(path)
	}
	for b.Loop() {
	}
	time.Sleep(2 * time.Second)
	b.ReportMetric(heap()-before, "MiB") // the other half of each connection included: both ends stand in this process
	b.ReportMetric(0, "ns/op")
}

func TestThePageIsSmall(t *testing.T) {
	t.Parallel()
	size := 0
	files, err := assets.ReadDir("assets")
	require.NoError(t, err)
	for _, f := range files {
		raw, err := assets.ReadFile("assets/" + f.Name())
		require.NoError(t, err)
		size += len(raw)
		require.NotRegexp(t, `https?://|<script>|<style|style=|\bon[a-z]+="`, string(raw), f.Name())
	}
	require.Less(t, size, 50_000)
}

func TestTheShellHoldsNoQuestionAndEveryPathGetsIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	var first string
	for _, path := range []string{"/", "/choice/" + s.ID} {
		got, err := http.Get(b.server.URL + path)
		require.NoError(t, err)
		raw, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.False(t, strings.Contains(string(raw), "Which database?"))
		if first == "" {
			first = string(raw)
		}
		require.Equal(t, first, string(raw))
	}
	for path, want := range map[string]int{"/assets/page.css": 200, "/assets/page.js": 200, "/assets/page.html": 404,
		"/assets/none": 404, "/assets/..%2fpages.go": 404} {
		got, err := http.Get(b.server.URL + path)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, want, got.StatusCode, path)
	}
}
