package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The same with an agent on another host, over ssh on loopback.

// onHost has a dashboard here that is connected with a host over ssh, and an agent there.
func onHost(b *testing.B) (c *console, h *host, a *agent) {
	b.Helper()
	r := newRoom(b)
	h = r.sshd().host("build1")
	r.adds(h)
	c = r.console(80, 24, r.command())
	c.see("? keys")
	h.connected()
	return c, h, h.connect("claude-code")
}

// BenchmarkRemoteCallToVisible is an agent's call on the host until the title is on the terminal here.
func BenchmarkRemoteCallToVisible(b *testing.B) {
	c, _, a := onHost(b)
	first := which()
	first["title"] = "the top of the queue"
	a.ask(first)
	c.see("the top of the queue")
	var took samples
	for i := 0; b.Loop(); i++ {
		ask := which()
		ask["title"], ask["timeout_seconds"] = fmt.Sprintf("bench-%d.", i), 80_000
		title := ask["title"].(string)
		begin := time.Now()
		call := a.ask(ask)
		took.add(c.see(title).Sub(begin))
		call.stop()
		c.when("without "+title, func(v *wire) bool { return strings.Contains(v.String(), "1 waiting") })
	}
	took.report(b)
}

// BenchmarkRemoteEnterToResult is the Enter key here until the agent on the host has read the result.
func BenchmarkRemoteEnterToResult(b *testing.B) {
	c, _, a := onHost(b)
	first := which()
	first["title"] = "the top of the queue"
	a.ask(first)
	c.see("the top of the queue")
	var took samples
	for i := 0; b.Loop(); i++ {
		ask := which()
		ask["title"], ask["timeout_seconds"] = fmt.Sprintf("bench-%d.", i), 80_000
		title := ask["title"].(string)
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
		c.when("without "+title, func(v *wire) bool { return v.rows()[1] == "the top of the queue" })
	}
	took.report(b)
}

// BenchmarkRemoteIdle leaves a relay alone for as long as CHOICETUI_IDLE says, with one question pending.
func BenchmarkRemoteIdle(b *testing.B) {
	long := idleFor(b)
	c, h, a := onHost(b)
	a.ask(which())
	c.see("Which database?")
	for b.Loop() {
		time.Sleep(5 * time.Second)
		pid := h.relay()
		first := weigh(b, pid)
		time.Sleep(long)
		last := weigh(b, pid)
		b.Logf("in %s: %s", long, last)
		b.ReportMetric((last.cpu-first.cpu).Seconds()/long.Seconds()*100, "cpu-%")
		b.ReportMetric(float64(last.wakes-first.wakes)/long.Seconds(), "wakes/s")
		b.ReportMetric(float64(last.anon)/1024, "anon-MiB")
		b.ReportMetric(float64(last.rss)/1024, "rss-MiB")
		b.ReportMetric(0, "ns/op")
	}
}

// BenchmarkTenHosts is a key with 100 pending on each of ten hosts, and then the dashboard left alone.
func BenchmarkTenHosts(b *testing.B) {
	long := idleFor(b)
	r := newRoom(b)
	for i := range 10 {
		h := r.elsewhere(fmt.Sprintf("build%d", i))
		h.prepare(100, 0)
		r.adds(h)
	}
	c := r.console(120, 40, r.command())
	c.see("1000 waiting")
	time.Sleep(guarded)
	var took, bytes samples
	for i := 0; b.Loop(); i++ {
		last, n := c.key([]string{"J", "K"}[i%2])
		took.add(last)
		bytes = append(bytes, float64(n))
	}
	took.report(b)
	b.ReportMetric(bytes.at(0.5), "B/key-p50")
	b.ReportMetric(bytes.at(1), "B/key-max")
	time.Sleep(5 * time.Second)
	first := weigh(b, c.cmd.Process.Pid)
	time.Sleep(long)
	last := weigh(b, c.cmd.Process.Pid)
	b.Logf("left alone for %s: %s", long, last)
	b.ReportMetric((last.cpu-first.cpu).Seconds()/long.Seconds()*100, "idle-cpu-%")
	b.ReportMetric(float64(last.anon)/1024, "anon-MiB")
}
