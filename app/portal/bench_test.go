package portal

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// The costs of the page; their limits are in docs/design.md section 7:
//
//	go test -run '^$' -bench . ./app/portal

// took collects the times of repeated runs.
type took []time.Duration

// report reports the median and the 99th percentile.
func (t took) report(b *testing.B) {
	slices.Sort(t)
	at := func(share int) float64 {
		return float64(t[min(len(t)*share/100, len(t)-1)]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(50), "ms-p50")
	b.ReportMetric(at(99), "ms-p99")
	b.ReportMetric(0, "ns/op")
}

// noteReady records in every page when its question was shown. Asking from outside would come a round trip and a frame
// later.
const noteReady = `new MutationObserver((_, o) => {
	if (document.getElementById("send")) { window.readyAt = performance.now(); o.disconnect(); }
}).observe(document, { childList: true, subtree: true })`

// BenchmarkPageReady measures from opening a question's page in a browser until the question is shown: at most 100 ms.
// Most of that is the browser's own: 30 ms to receive the page, 25 to read page and script, 15 for the WebSocket. The
// portal takes two or three.
func BenchmarkPageReady(b *testing.B) {
	bench := newBench(b)
	s := bench.ask(one(queue.ModeSingle, nil))
	w := newBrowser(b, bench)
	w.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: noteReady})
		return err
	}))
	w.to("/choice/" + s.ID)
	var all took
	for b.Loop() {
		const ready = `new Promise((done) => { const look = () => window.readyAt
			? done(window.readyAt) : setTimeout(look, 1); look(); })`
		w.do(chromedp.Navigate(bench.server.URL + "/choice/" + s.ID))
		ms := js[float64](w, ready, chromedp.EvalAwaitPromise)
		all = append(all, time.Duration(ms*float64(time.Millisecond)))
	}
	all.report(b)
}

// BenchmarkChangeShown measures from a new question in the queue until the page has received it: at most 50 ms p99.
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

// BenchmarkEveryPageTold measures from a change of the queue until 200 open pages have received it, a hundred of them
// on the list and a hundred on the question that changed: at most 50 ms p99. Both ends of each connection are in this
// process.
func BenchmarkEveryPageTold(b *testing.B) {
	bench := newBench(b)
	for i := range 99 {
		bench.ask(asking(fmt.Sprintf("pending %d", i), question("q1", queue.ModeMulti)))
	}
	s := bench.ask(one(queue.ModeMulti, nil))
	told := make(chan time.Time, 200)
	for i := range cap(told) {
		bench.hears([]string{"/", "/choice/" + s.ID}[i%2], s.ID, told)
		<-told // the page is shown
	}
	var all took
	for n := 0; b.Loop(); n++ {
		time.Sleep(50 * time.Millisecond) // the messages of this second have been received
		begin := time.Now()
		bench.elsewhere(s.ID, queue.Move{By: time.Duration(1-n%2*2) * 3 * time.Hour})
		for range cap(told) {
			all = append(all, (<-told).Sub(begin))
		}
	}
	all.report(b)
}

// hears opens a page that only reports when it receives another number of hours.
func (b *bench) hears(path, id string, told chan<- time.Time) {
	conn, _, err := websocket.Dial(context.Background(), "ws"+strings.TrimPrefix(b.server.URL, "http")+"/live",
		&websocket.DialOptions{Subprotocols: []string{"choicetui"}})
	require.NoError(b.t, err)
	b.t.Cleanup(func() { conn.CloseNow() })
	conn.SetReadLimit(1 << 22)
	open, err := json.Marshal(pageEvent{Do: "open", Path: path})
	require.NoError(b.t, err)
	require.NoError(b.t, conn.Write(context.Background(), websocket.MessageText, open))
	go tellHours(conn, id, told)
}

// tellHours sends each new number of hours that a page receives.
func tellHours(conn *websocket.Conn, id string, told chan<- time.Time) {
	last := "none"
	for {
		_, raw, err := conn.Read(context.Background())
		at := time.Now()
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(raw, &m) != nil || m.Times[id].Left == "" {
			continue
		}
		hours := ""
		if left := m.Times[id].Left; strings.HasSuffix(left, "h") {
			hours = left
		}
		if hours != last {
			last = hours
			told <- at
		}
	}
}

// BenchmarkOpenPages measures the memory of 200 open pages with 100 questions pending, a hundred of the pages on a
// question: less than 60 MiB.
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
	b.ReportMetric(heap()-before, "MiB") // including the other half of each connection
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
		text := strings.NewReplacer("<style>{{style}}</style>", "", "<script>{{script}}</script>", "").Replace(string(raw))
		require.NotRegexp(t, `https?://|</?script|</?style|style=|\bon[a-z]+="`, text, f.Name())
	}
	require.Less(t, size, 52_000)
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
}
