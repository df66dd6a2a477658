package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// recordedThread is the session whose requests were recorded.
const recordedThread = "01a2000d-938f-77a0-9c03-595a8ce1966f"

// BenchmarkTheWatcherOfCodexIdle leaves `choicetui native codex` alone on a session that asks nothing, with a dashboard
// open, for as long as CHOICETUI_IDLE says (20 s unless it does), and reports what that costs. Of what is resident most
// is the program's own file, which the system shares among all choicetui that run; anon is its own memory.
func BenchmarkTheWatcherOfCodexIdle(b *testing.B) {
	long := idleFor(b)
	r := newRoom(b)
	r.dashboard()
	home := codexHome(b)
	s := r.codex(home, "nothing", "t1")
	for b.Loop() {
		p := r.command("native", "codex")
		p.Env = append(p.Env, "CODEX_HOME="+home)
		require.NoError(b, p.Start())
		until(b, "it watches", func() bool { return s.connected() == 1 })
		time.Sleep(5 * time.Second)
		pid, begin := p.Process.Pid, time.Now()
		first, worked := weigh(b, pid), onCPU(b, pid)
		time.Sleep(long)
		last, seconds := weigh(b, pid), time.Since(begin).Seconds()
		b.Log(last)
		b.ReportMetric((onCPU(b, pid)-worked).Seconds()/seconds*100, "cpu-%")
		b.ReportMetric(float64(last.wakes-first.wakes)/seconds, "wakes/s")
		b.ReportMetric(float64(last.rss)/1024, "rss-MiB")
		b.ReportMetric(float64(last.anon)/1024, "anon-MiB")
		b.ReportMetric(0, "ns/op")
		require.NoError(b, p.Process.Signal(os.Interrupt))
		require.NoError(b, p.Wait())
		until(b, "it has gone", func() bool { return s.connected() == 0 })
	}
}

// onCPU is how long the threads of a process have run, finer than the hundredths of a second that weigh reads.
func onCPU(t testing.TB, pid int) (all time.Duration) {
	t.Helper()
	tasks, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "schedstat"))
	require.NoError(t, err)
	for _, name := range tasks {
		text, _ := os.ReadFile(name) // a thread that has just ended has none
		ran, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseInt(ran, 10, 64)
		all += time.Duration(n)
	}
	return all
}

// BenchmarkWhatCodexAsksIsVisible measures from a request on Codex's socket until a watch of the queue has it.
func BenchmarkWhatCodexAsksIsVisible(b *testing.B) {
	r := newRoom(b)
	r.dashboard()
	home := codexHome(b)
	s := r.codex(home, "question", recordedThread)
	request := s.request
	s.request = ""
	p := r.command("native", "codex")
	p.Env = append(p.Env, "CODEX_HOME="+home)
	require.NoError(b, p.Start())
	until(b, "it watches", func() bool { return s.connected() == 1 })
	time.Sleep(4 * time.Second) // it is paused
	w, err := r.store().Watch(b.Context(), queue.AllNews)
	require.NoError(b, err)
	defer w.Close()
	_, err = w.Next(b.Context())
	require.NoError(b, err)
	var took []time.Duration
	for n := 1; b.Loop(); n++ {
		asked := time.Now()
		s.tell(strings.Replace(request, `"id":0`, fmt.Sprintf(`"id":%d`, n), 1))
		for seen := false; !seen; {
			changes, err := w.Next(b.Context())
			require.NoError(b, err)
			seen = slices.ContainsFunc(changes.Sessions, func(s queue.Session) bool { return s.Outcome == nil })
		}
		took = append(took, time.Since(asked))
		s.tell(fmt.Sprintf(`{"method":"serverRequest/resolved","params":{"threadId":%q,"requestId":%d}}`, recordedThread, n))
		for over := false; !over; {
			changes, err := w.Next(b.Context())
			require.NoError(b, err)
			over = len(changes.Gone) > 0
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "most-ms")
	require.NoError(b, p.Process.Signal(os.Interrupt))
	require.NoError(b, p.Wait())
}
