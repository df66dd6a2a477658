package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A soak: agents ask all the while, and a person answers all the while. An hour of it:
//
//	go test ./app/e2e -run Soak -v -timeout 2h -args -soak 1h

var soakFor = flag.Duration("soak", 8*time.Second, "how long the soak takes; from 15s on with its control")

// TestSoakLosesNoQuestionAndGrowsNothing has the control where there is time for it: a dashboard that keeps memory,
// handles and goroutines of every question must be found growing in all three.
func TestSoakLosesNoQuestionAndGrowsNothing(t *testing.T) {
	t.Parallel()
	need(t)
	bin, err := program()
	require.NoError(t, err)
	long, control := *soakFor, *soakFor/5
	if withControl := long >= 15*time.Second; withControl {
		long -= control
		defer func() {
			s := soak(t, leaking(t), max(control, 8*time.Second))
			assert.Subset(t, s.grown(), []string{"dashboard: memory", "dashboard: handles", "dashboard: goroutines"})
			t.Logf("control, a dashboard that leaks: found growing in %q", s.grown())
		}()
	}
	s := soak(t, bin, long)
	assert.Empty(t, s.grown(), "what grew")
	assert.Empty(t, s.lost)
	t.Logf("soak: %d questions in %s, %d lost", s.answered.Load(), long, len(s.lost))
	t.Logf("dashboard, early: %v", s.dashboard.early)
	t.Logf("dashboard, late:  %v", s.dashboard.late)
	t.Logf("bridge, early:    %v", s.bridge.early)
	t.Logf("bridge, late:     %v", s.bridge.late)
	t.Logf("goroutines of the dashboard: %d early, %d late", s.goroutines[0], s.goroutines[1])
}

// leaking builds choicetui with a dashboard that keeps something of every question that comes up.
func leaking(t *testing.T) string {
	t.Helper()
	return altered(t, "leaking", guardFile, `"errors"`, "\"errors\"\n\t\"os\"", guardDrawn, guardDrawn+`
		memory := make([]byte, 8<<20)
		for i := range memory {
			memory[i] = 1
		}
		kept = append(kept, memory)
		for range 16 {
			in, out, _ := os.Pipe()
			kept = append(kept, in, out)
			go func() { select {} }()
		}`, guardRestarts, "var kept []any\n\n"+guardRestarts)
}

// soaking is a soak under way, and what came of it.
type soaking struct {
	*room
	frontend   *console
	over       atomic.Bool
	asked      atomic.Int64
	answered   atomic.Int64
	mu         sync.Mutex
	lost       []string // questions whose agent did not get an answer to them
	dashboard  course
	bridge     course
	goroutines [2]int // of a dashboard that was opened as early and left early, and of this one at the end
}

// soak has agents ask and a person answer for so long, and weighs a dashboard and a bridge meanwhile.
func soak(t *testing.T, bin string, long time.Duration) *soaking {
	r := newRoom(t)
	r.bin = bin
	s := &soaking{room: r, frontend: r.console(100, 30, r.command())}
	early := r.console(100, 30, r.command())
	s.frontend.see("? keys")
	early.see("? keys")
	var agents sync.WaitGroup
	var bridge int
	for i, name := range []string{"claude-code", "codex-mcp-client", "opencode", "gemini-cli-mcp-client"} {
		a := r.connect(name)
		bridge = a.bridge.Process.Pid
		agents.Go(func() { s.askOn(a, i) })
	}
	begin := time.Now()
	for n := 0; time.Since(begin) < long; n++ {
		s.answerOne(n)
		passed := float64(time.Since(begin)) / float64(long)
		s.dashboard.note(passed, weigh(t, s.frontend.cmd.Process.Pid))
		s.bridge.note(passed, weigh(t, bridge))
		if s.goroutines[0] == 0 && passed > 0.25 {
			s.goroutines[0] = early.goroutines()
		}
	}
	s.over.Store(true)
	for time.Sleep(longestThought); s.answered.Load() < s.asked.Load(); {
		s.answerOne(0)
	}
	agents.Wait()
	assert.Empty(t, s.list(), "what still waits")
	s.goroutines[1] = s.frontend.goroutines()
	return s
}

// longestThought is how long an agent goes on by itself between two questions.
const longestThought = 300 * time.Millisecond

// askOn asks one question after the other, and looks whether what comes back answers that very question.
func (s *soaking) askOn(a *agent, number int) {
	for n := 0; !s.over.Load(); n++ {
		name := fmt.Sprintf("%d-%d", number, n)
		ask := which()
		ask["title"] = "Question " + name + "?"
		ask["options"] = []object{{"id": "pg-" + name, "label": "PostgreSQL", "recommended": true},
			{"id": "lite-" + name, "label": "SQLite"}}
		s.asked.Add(1)
		got := <-a.ask(ask).done
		said, err := json.Marshal(got.result)
		if got.err != nil || err != nil || !selects.Match(said) || !strings.Contains(string(said), "-"+name+`"]`) {
			s.mu.Lock()
			s.lost = append(s.lost, fmt.Sprintf("%s: %v %s", name, got.err, said))
			s.mu.Unlock()
		}
		s.answered.Add(1)
		time.Sleep(time.Duration(rand.Int64N(int64(longestThought))))
	}
}

var selects = regexp.MustCompile(`"selected_ids":\["(pg|lite)-`)

// answerOne is the person, who answers what is up, not always in the same way.
func (s *soaking) answerOne(n int) {
	s.frontend.see("⏎ Send")
	switch n % 4 {
	case 1:
		s.frontend.press("J")
	case 2:
		s.frontend.press("h")
		s.frontend.see("─ history")
		s.frontend.press("\x1b")
		s.frontend.see("⏎ Send")
	}
	time.Sleep(guarded)
	if n%4 == 3 {
		s.frontend.press("2")
		time.Sleep(paused)
	}
	was := s.answered.Load()
	waits := func() bool { return s.answered.Load() == was && was < s.asked.Load() } // the last answer may have come late
	for end := time.Now().Add(patience); waits(); {
		s.frontend.press("\r") // again where the guard refused it, as this machine was slow
		for again := time.Now().Add(time.Second); waits() && time.Now().Before(again); {
			time.Sleep(glance)
		}
		require.True(s, time.Now().Before(end), "no answer reached an agent:\n%s", s.frontend.wire)
	}
}

// course is what a process took in the second quarter of a soak, and in the last.
type course struct{ early, late level }

func (c *course) note(passed float64, w weight) {
	switch {
	case passed > 0.75:
		c.late.note(w)
	case passed > 0.25 && passed <= 0.5:
		c.early.note(w)
	}
}

// level is the least that a process took over some questions, since what waits for the garbage collector comes and goes.
type level struct {
	weight
	questions int
	began     time.Duration // the CPU time before
}

func (l *level) note(w weight) {
	if l.questions++; l.questions == 1 {
		l.weight, l.began = w, w.cpu
	}
	l.rss, l.anon, l.handles, l.threads = min(l.rss, w.rss), min(l.anon, w.anon), min(l.handles, w.handles), min(l.threads, w.threads)
	l.cpu = w.cpu
}

func (l level) perQuestion() time.Duration {
	return (l.cpu - l.began) / time.Duration(max(1, l.questions-1))
}

func (l level) String() string {
	return fmt.Sprintf("resident %.1f MiB, anonymous %.1f MiB, threads %d, handles %d, CPU %v a question",
		float64(l.rss)/1024, float64(l.anon)/1024, l.threads, l.handles, l.perQuestion().Round(100*time.Microsecond))
}

// fewQuestions say nothing of what each of them takes: the CPU's time is counted in hundredths of a second, and one
// collection of garbage is several.
const fewQuestions = 20

// grown says what a process took more of at the end than comes and goes by itself.
func (s *soaking) grown() (what []string) {
	for name, c := range map[string]course{"dashboard": s.dashboard, "bridge": s.bridge} {
		for kind, grew := range map[string]bool{
			"memory":  c.late.anon > c.early.anon*5/4+8<<10,
			"handles": c.late.handles > c.early.handles+16,
			"threads": c.late.threads > c.early.threads+8,
			"CPU": min(c.early.questions, c.late.questions) > fewQuestions &&
				c.late.perQuestion() > c.early.perQuestion()*2+20*time.Millisecond,
		} {
			if grew {
				what = append(what, name+": "+kind)
			}
		}
	}
	if s.goroutines[1] > s.goroutines[0]+16 {
		what = append(what, "dashboard: goroutines")
	}
	return what
}
