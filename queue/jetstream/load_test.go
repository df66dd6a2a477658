package jetstream

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
)

// How large the load is. The usual run is a matter of seconds; a long one is asked for:
//
//	go test ./queue/jetstream -run Load -v -timeout 20m \
//	    -args -agents 1000 -dashboards 50 -rate 2 -asks 80 -kills 5 -racers 16 -questions 200
var (
	agents     = flag.Int("agents", 20, "load: agents that are connected")
	dashboards = flag.Int("dashboards", 4, "load: dashboards that watch and answer")
	asks       = flag.Int("asks", 0, "load: questions before the server is killed, and as many while it is; 0: by agents")
	rate       = flag.Int("rate", 20, "load: questions a second")
	kills      = flag.Int("kills", 1, "load: how often the server is killed")
	racing     = flag.Int("racers", 4, "load: processes that settle the same questions")
	hold       = flag.Duration("hold", 0, "load: how long all stay connected before the first question")
	questions  = flag.Int("questions", 20, "load: questions that they settle")
	measured   = flag.Bool("figures", false, "load: measure what one agent and one person wait for")
)

// TestLoadOfAgentsAndDashboardsLosesAndDoublesNothing lets agents ask and dashboards answer while the server is
// killed.
func TestLoadOfAgentsAndDashboardsLosesAndDoublesNothing(t *testing.T) {
	begin := time.Now()
	n := startServer(t)
	l := newLoad(t, n.url(), *agents, *dashboards)
	t.Logf("%d agents and %d dashboards on %s, connected after %v, server %s MiB, all clients together %s MiB",
		*agents, *dashboards, n.url(), since(begin), memory(n.cmd.Process.Pid), memory(os.Getpid()))
	time.Sleep(*hold) // time for a person to look at the server or at a dashboard
	many := *asks
	if many == 0 {
		many = max(*agents/4, 20)
	}
	l.ask(many, *rate).Wait()
	require.Empty(t, l.failures())
	t.Logf("calm: %d asked, asked → visible on all dashboards %s, answered → returned %s", many, figures(l.visible),
		figures(l.returned))

	l.clearFigures()
	all := l.ask(many, *rate)
	over := make(chan struct{})
	go func() {
		all.Wait()
		close(over)
	}()
	apart := time.Duration(many) * time.Second / time.Duration(*rate*(*kills+1))
	for range *kills {
		time.Sleep(apart)
		n.kill()
		time.Sleep(time.Second)
		n.start()
	}
	select {
	case <-over:
	case <-time.After(10 * time.Minute):
		require.Fail(t, "not all agents got their answer")
	}
	require.Empty(t, l.failures())
	t.Logf("server killed %d times: %d asked, answered → returned %s, server %s MiB", *kills, many, figures(l.returned),
		memory(n.cmd.Process.Pid))
	require.Empty(t, l.wrong(n.open()), "lost or doubled")
	l.expect("nobody-asked-this")
	l.answered[l.anyID()] = "another-answer"
	found := l.wrong(n.open())
	require.Len(t, found, 2)
	t.Logf("control: a lost question and an answer of another command are noticed: %s", strings.Join(found, "; "))
}

// TestLoadOfProcessesThatSettleTheSameQuestions checks that each question is won once, and that a store that does not
// compare is noticed.
func TestLoadOfProcessesThatSettleTheSameQuestions(t *testing.T) {
	s := startServer(t).open()
	begin := time.Now()
	require.Empty(t, raceProcesses(t, s, *racing, *questions, "fair"))
	t.Logf("%d processes settled %d questions in %v, each once", *racing, *questions, since(begin))
	wrong := raceProcesses(t, s, max(*racing, 8), *questions, "blind")
	require.NotEmpty(t, wrong, "a store that ignores the revision is caught")
	t.Logf("control: with a store that ignores the revision, %d times something is wrong, first: %s", len(wrong),
		wrong[0])
}

// raceProcesses lets the racers settle the same questions, and returns the faults found.
func raceProcesses(t *testing.T, s *Store, racers, questions int, as string) (wrong []string) {
	t.Helper()
	var all []*process
	for i := range racers {
		all = append(all, start(t, s, "race", fmt.Sprint(i), as))
	}
	for _, p := range all {
		require.Equal(t, "ready", p.line())
	}
	for range questions {
		v := storetest.Create(t, s)
		for _, p := range all {
			_, err := fmt.Fprintln(p.in, v.ID)
			require.NoError(t, err)
		}
		var verdicts []string
		for _, p := range all {
			verdicts = append(verdicts, p.line())
		}
		final, err := s.Get(t.Context(), v.ID)
		require.NoError(t, err)
		wrong = append(wrong, storetest.Violations(final, verdicts)...)
	}
	for _, p := range all {
		p.kill()
	}
	return wrong
}

// TestLoadFiguresBesideTheDirectory measures one asking and one answering client, for all stores in one run.
func TestLoadFiguresBesideTheDirectory(t *testing.T) {
	if !*measured {
		t.Skip("it only measures: -args -figures")
	}
	dir := t.TempDir() + "/queue"
	for _, place := range []struct {
		name string
		open func() queue.Store
	}{
		{"directory", func() queue.Store {
			s, err := spool.Open(dir)
			require.NoError(t, err)
			return s
		}},
		{"one server, sync always", func() func() queue.Store {
			n := startServer(t)
			return func() queue.Store { return n.open() }
		}()},
		{"three replicas, sync always", func() func() queue.Store {
			url := startCluster(t)
			return func() queue.Store { return openAt(t, Options{URL: url, Replicas: 3}) }
		}()},
	} {
		visible, returned := oneByOne(t, place.open(), place.open(), *questions)
		t.Logf("%-28s asked → visible %s, answered → returned %s", place.name, figures(visible), figures(returned))
		require.Less(t, at(visible, 0.5), time.Second)
		require.Less(t, at(returned, 0.5), time.Second)
	}
}

// oneByOne asks and answers many questions, one after the other.
func oneByOne(t *testing.T, agent, person queue.Store, many int) (visible, returned []time.Duration) {
	atAgent, atPerson := watchingAll(t, agent), watchingAll(t, person)
	q := queue.New(person)
	for range many {
		begin := time.Now()
		v := storetest.Create(t, agent)
		until(t, atPerson, func(s queue.Session) bool { return s.ID == v.ID })
		visible = append(visible, time.Since(begin))
		begin = time.Now()
		_, err := q.Do(t.Context(), v.ID, queue.Command{Do: queue.Settle{Answer: storetest.Answer("a")}})
		require.NoError(t, err)
		until(t, atAgent, func(s queue.Session) bool { return s.ID == v.ID && s.Outcome != nil })
		returned = append(returned, time.Since(begin))
	}
	return visible, returned
}

func at(took []time.Duration, share float64) time.Duration {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return took[int(share*float64(len(took)-1))]
}

func figures(took []time.Duration) string {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("p50 %.2f p99 %.2f ms (%d)", ms(at(took, 0.5)), ms(at(took, 0.99)), len(took))
}

func since(begin time.Time) time.Duration { return time.Since(begin).Round(10 * time.Millisecond) }

// memory returns the memory of a process in MiB. It is empty without /proc.
func memory(pid int) string {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(raw)) {
		kib := 0
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kib); err == nil {
			return fmt.Sprint(kib / 1024)
		}
	}
	return ""
}
