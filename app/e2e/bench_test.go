package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// What docs/design.md section 7 bounds, across processes and with fsync. Run them on a quiet machine:
//
//	go test -run '^$' -bench . ./app/e2e

const (
	hours = 20 * time.Hour        // so that no clock ticks on screen
	quiet = 12 * time.Millisecond // after it a burst of bytes is over
)

// BenchmarkCallToVisible is an agent's call written until the title is on the dashboard's terminal.
func BenchmarkCallToVisible(b *testing.B) {
	r := newRoom(b)
	r.prepare(1, 0)
	c := r.console(80, 24, r.command())
	c.see("? keys")
	timeToVisible(b, c, r.connect("claude-code"), 300)
}

// timeToVisible measures an agent's call until its title is on the terminal, with one other question pending. seconds is
// the question's time limit.
func timeToVisible(b *testing.B, c *console, a *agent, seconds int) {
	b.Helper()
	var took samples
	for i := 0; b.Loop(); i++ {
		ask := which()
		title := fmt.Sprintf("bench-%d.", i)
		ask["title"], ask["timeout_seconds"] = title, seconds
		begin := time.Now()
		call := a.ask(ask)
		took.add(c.see(title).Sub(begin))
		call.stop()
		// Its title stays on the rule as the last event, so the count says that it went.
		c.when("without "+title, func(v *wire) bool { return strings.Contains(v.String(), "1 waiting") })
	}
	took.report(b)
}

// BenchmarkEnterToResult is the Enter key until the agent has read the result.
func BenchmarkEnterToResult(b *testing.B) {
	r := newRoom(b)
	c := r.console(80, 24, r.command())
	c.see("? keys")
	timeToResult(b, c, r.connect("claude-code"))
}

// timeToResult measures the Enter key until the agent has read the result, with one other question pending.
func timeToResult(b *testing.B, c *console, a *agent) {
	b.Helper()
	asksFirst(c, a)
	var took samples
	for i := 0; b.Loop(); i++ {
		ask := which()
		title := fmt.Sprintf("bench-%d.", i)
		ask["title"], ask["timeout_seconds"] = title, 80_000
		call := a.ask(ask)
		c.see(title)
		c.press("J")
		c.when(title+" in front", func(v *wire) bool { return v.rows()[1] == title })
		time.Sleep(guarded) // Enter sends nothing before
		c.still(quiet)
		begin := time.Now()
		c.press("\r")
		end := call.wait()
		require.NoError(b, end.err)
		require.False(b, end.result.IsError)
		took.add(end.at.Sub(begin))
		c.when("without "+title, func(v *wire) bool { return v.rows()[1] == topTitle })
	}
	took.report(b)
}

const topTitle = "the top of the queue"

// asksFirst puts a question above those that are measured.
func asksFirst(c *console, a *agent) {
	first := which()
	first["title"] = topTitle
	a.ask(first)
	c.see(topTitle)
}

// BenchmarkKey is a key until its last byte at 120×40 with 100 pending, and the bytes it takes.
func BenchmarkKey(b *testing.B) {
	for name, keys := range map[string][2]string{"cursor": {"j", "k"}, "question": {"J", "K"}} {
		b.Run(name, func(b *testing.B) {
			r := newRoom(b)
			r.prepare(100, 0)
			c := r.console(120, 40, r.command())
			c.see("100 waiting")
			timeOfKeys(b, c, keys)
		})
	}
}

// timeOfKeys presses two keys in turn, and measures each until its last byte, and its bytes.
func timeOfKeys(b *testing.B, c *console, keys [2]string) {
	b.Helper()
	time.Sleep(guarded)
	var took, bytes samples
	for i := 0; b.Loop(); i++ {
		last, n := c.key(keys[i%2])
		took.add(last)
		bytes = append(bytes, float64(n))
	}
	took.report(b)
	b.ReportMetric(bytes.at(0.5), "B/key-p50")
	b.ReportMetric(bytes.at(1), "B/key-max")
}

// BenchmarkKeyInLongPrompt is a key in front of a prompt as long as the queue takes.
func BenchmarkKeyInLongPrompt(b *testing.B) {
	for name, prompt := range map[string]string{"words": strings.Repeat("some words ", 2900), "one line": strings.Repeat("x", 32_000)} {
		b.Run(name, func(b *testing.B) {
			r := newRoom(b)
			ask := database()
			ask.Prompt = prompt
			r.put(ask)
			c := r.console(120, 40, r.command())
			c.see("Which database?")
			time.Sleep(guarded)
			var took samples
			for i := 0; b.Loop(); i++ {
				want := []string{"▸2 ● SQLite", "▸1 ● PostgreSQL"}[i%2]
				begin := time.Now()
				c.press([]string{"j", "k"}[i%2])
				took.add(c.see(want).Sub(begin))
			}
			took.report(b)
		})
	}
}

// BenchmarkKeyWith10000Pending compares a key with 10,000 pending to one with 100, side by side.
func BenchmarkKeyWith10000Pending(b *testing.B) {
	few, many := newRoom(b), newRoom(b)
	few.prepare(100, 0)
	many.prepare(10_000, 0)
	c, d := few.console(120, 40, few.command()), many.console(120, 40, many.command())
	c.see("100 waiting")
	d.see("10000 waiting")
	time.Sleep(guarded)
	var with100, with10000 samples
	for i := 0; b.Loop(); i++ {
		key := []string{"j", "k"}[i%2]
		last, _ := c.key(key)
		with100.add(last)
		last, _ = d.key(key)
		with10000.add(last)
	}
	b.ReportMetric(with100.at(0.5), "100-p50-ms")
	b.ReportMetric(with10000.at(0.5), "10000-p50-ms")
	b.ReportMetric(with10000.at(0.5)/with100.at(0.5), "ratio")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStart is the program's start until its first full frame, with 100 pending and 10,000 settled behind it.
func BenchmarkStart(b *testing.B) {
	r := newRoom(b)
	r.prepare(100, 10_000)
	var took samples
	for b.Loop() {
		begin := time.Now()
		c := r.console(120, 40, r.command())
		shown := c.when("a full frame", func(v *wire) bool {
			rows := v.rows()
			return strings.HasPrefix(rows[0], "─ 100 waiting") && strings.Contains(rows[39], "? keys")
		})
		took.add(shown.Sub(begin))
		c.kill()
	}
	took.report(b)
}

// key presses a key, and waits until all that it draws has come.
func (c *console) key(key string) (took time.Duration, bytes int) {
	c.Helper()
	c.still(quiet)
	before, begin := c.sent(), time.Now()
	c.press(key)
	for c.sent() == before {
		time.Sleep(time.Millisecond)
		require.Less(c, time.Since(begin), patience, "%q draws nothing", key)
	}
	last := c.still(quiet)
	return last.Sub(begin), c.sent() - before
}

// samples are measurements, in milliseconds or bytes.
type samples []float64

func (s *samples) add(d time.Duration) { *s = append(*s, float64(d.Microseconds())/1000) }

func (s samples) at(share float64) float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}

func (s samples) report(b *testing.B) {
	b.ReportMetric(s.at(0.5), "p50-ms")
	b.ReportMetric(s.at(0.99), "p99-ms")
	b.ReportMetric(0, "ns/op")
}

// prepare writes a queue as it is found on disk, without its fsyncs.
func (r *room) prepare(pending, settled int) {
	r.Helper()
	write := func(v queue.Session, name ...string) {
		raw, err := json.Marshal(v)
		require.NoError(r, err)
		file := filepath.Join(append([]string{r.queue}, name...)...)
		require.NoError(r, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(r, os.WriteFile(file, raw, 0o600))
	}
	for i := range pending {
		v := session(i, time.Now())
		write(v, "live", v.ID, "000001.json")
	}
	for i := range settled {
		at := time.Now().Add(-time.Duration(i) * time.Minute).UTC()
		v := session(i, at.Add(-time.Second))
		v.Revision, v.Final = 3, true
		v.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceDashboard, At: at,
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"pg"}}}}}
		v.Events = append(v.Events, queue.Event{ID: queue.NewToken(), Kind: queue.EventSettled, By: queue.ByHuman, At: at},
			queue.Event{ID: queue.NewToken(), Kind: queue.EventCollected, By: queue.ByCaller, At: at})
		write(v, "done", at.Format("2006-01"), fmt.Sprintf("%013d-%s.json", at.UnixMilli(), v.ID))
	}
}

// session is one of many, asked at a time.
func session(i int, at time.Time) queue.Session {
	at = at.UTC().Truncate(time.Millisecond)
	ask := database()
	ask.Title = fmt.Sprintf("Question number %d of a long day?", i)
	return queue.Session{
		Schema: queue.Schema, ID: queue.NewID(), Revision: 1, Ask: ask, AskedAt: at, CountdownFrom: at,
		Origin:   queue.Origin{Dialect: "provide_choice", Client: "claude-code", Cwd: fmt.Sprintf("/src/shop%d", i%7), Branch: "main"},
		Deadline: at.Add(hours + time.Duration(i)*time.Second),
		Events:   []queue.Event{{ID: queue.NewToken(), Kind: queue.EventAsked, By: queue.ByCaller, At: at}},
	}
}
