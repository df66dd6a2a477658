package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// idleFor is how long a benchmark leaves alone what it weighs.
func idleFor(b *testing.B) time.Duration {
	text := os.Getenv("CHOICETUI_IDLE")
	if text == "" {
		return 20 * time.Second
	}
	long, err := time.ParseDuration(text)
	require.NoError(b, err)
	return long
}

// BenchmarkIdle leaves a dashboard alone with 20 countdowns below ten minutes for as long as CHOICETUI_IDLE says (20 s
// unless it does), and reports what it costs and whether anything grows: memory, threads, handles, goroutines. The
// countdowns are put back before they end, so the screen is asked for all the while. An hour of it:
//
//	CHOICETUI_IDLE=1h go test -run '^$' -bench Idle -benchtime 1x -timeout 2h ./app/e2e
func BenchmarkIdle(b *testing.B) {
	long := idleFor(b)
	r := newRoom(b)
	r.prepare(80, 10_000)
	var counting []string
	for range 20 {
		counting = append(counting, r.put(database()).ID)
	}
	for b.Loop() {
		early, c := r.console(120, 40, r.command()), r.console(120, 40, r.command())
		early.see("100 waiting")
		c.see("100 waiting")
		settled := 5 * time.Second
		time.Sleep(settled)
		before := early.goroutines()
		pid, begin, bytes := c.cmd.Process.Pid, time.Now(), c.sent()
		first := weigh(b, pid)
		b.Log(first)
		for next := begin.Add(settled); time.Since(begin) < long; next = next.Add(min(long/6, 8*time.Minute)) {
			time.Sleep(min(time.Until(next), long-time.Since(begin)))
			for _, id := range counting {
				_, err := queue.New(r.store()).Do(b.Context(), id, queue.Command{ID: queue.NewToken(), By: queue.ByHuman,
					Surface: queue.SurfaceCLI, Do: queue.Move{To: time.Now().Add(595 * time.Second)}})
				require.NoError(b, err)
			}
			b.Logf("%6s %s", time.Since(begin).Round(time.Second), weigh(b, pid))
		}
		last, seconds := weigh(b, pid), time.Since(begin).Seconds()
		b.Logf("%6s %s", time.Since(begin).Round(time.Second), last)
		b.ReportMetric((last.cpu-first.cpu).Seconds()/seconds*100, "cpu-%")
		b.ReportMetric(float64(last.wakes-first.wakes)/seconds, "wakes/s")
		b.ReportMetric(float64(c.sent()-bytes)/seconds, "B/s")
		b.ReportMetric(float64(last.rss)/1024, "rss-MiB")
		b.ReportMetric(float64(last.anon-first.anon)/1024, "grown-MiB")
		b.ReportMetric(float64(last.handles-first.handles), "grown-handles")
		b.ReportMetric(float64(last.threads-first.threads), "grown-threads")
		b.ReportMetric(float64(c.goroutines()-before), "grown-goroutines")
		b.ReportMetric(0, "ns/op")
	}
}

// weight is what a process takes, as the kernel counts it.
type weight struct {
	rss, anon        int // KiB
	threads, handles int
	wakes            int // voluntary switches of all its threads since they began
	cpu              time.Duration
}

func (w weight) String() string {
	return fmt.Sprintf("resident %.1f MiB, anonymous %.1f MiB, threads %d, handles %d, switches %d, CPU %s",
		float64(w.rss)/1024, float64(w.anon)/1024, w.threads, w.handles, w.wakes, w.cpu)
}

func weigh(t testing.TB, pid int) weight {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	handles, err := os.ReadDir(filepath.Join(dir, "fd"))
	require.NoError(t, err)
	tasks, err := filepath.Glob(filepath.Join(dir, "task", "*", "status"))
	require.NoError(t, err)
	w := weight{threads: len(tasks), handles: len(handles)}
	for _, name := range tasks {
		w.wakes += numberIn(name, "voluntary_ctxt_switches")
	}
	w.rss, w.anon = numberIn(filepath.Join(dir, "status"), "VmRSS"), numberIn(filepath.Join(dir, "status"), "RssAnon")
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(stat), ") ")
	for _, ticks := range strings.Fields(rest)[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(ticks)
		require.NoError(t, err)
		w.cpu += time.Duration(n) * 10 * time.Millisecond
	}
	return w
}

// numberIn is one number of a status file; a thread that has just ended has none.
func numberIn(file, name string) int {
	status, _ := os.ReadFile(file)
	for line := range strings.Lines(string(status)) {
		if key, value, _ := strings.Cut(line, ":"); key == name {
			n, _ := strconv.Atoi(strings.Fields(value)[0])
			return n
		}
	}
	return 0
}

var goroutine = regexp.MustCompile(`goroutine \d+ [^\n]*\[`)

// goroutines ends the program with SIGQUIT, and counts what its last words list.
func (c *console) goroutines() int {
	c.Helper()
	c.mu.Lock()
	from := len(c.raw)
	c.dead = true
	c.mu.Unlock()
	require.NoError(c, c.cmd.Process.Signal(syscall.SIGQUIT))
	c.ended()
	<-c.idle
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(goroutine.FindAll(c.raw[from:], -1))
	require.NotZero(c, n, "no list of goroutines in %q", c.raw[from:])
	return n
}
