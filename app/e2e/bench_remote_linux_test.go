package e2e

import (
	"fmt"
	"testing"
	"time"
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
	asksFirst(c, a)
	timeToVisible(b, c, a, 80_000)
}

// BenchmarkRemoteEnterToResult is the Enter key here until the agent on the host has read the result.
func BenchmarkRemoteEnterToResult(b *testing.B) {
	c, _, a := onHost(b)
	timeToResult(b, c, a)
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
	timeOfKeys(b, c, [2]string{"J", "K"})
	time.Sleep(5 * time.Second)
	first := weigh(b, c.cmd.Process.Pid)
	time.Sleep(long)
	last := weigh(b, c.cmd.Process.Pid)
	b.Logf("left alone for %s: %s", long, last)
	b.ReportMetric((last.cpu-first.cpu).Seconds()/long.Seconds()*100, "idle-cpu-%")
	b.ReportMetric(float64(last.anon)/1024, "anon-MiB")
}
