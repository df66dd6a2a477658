package e2e

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onSSH is a dashboard that is connected with a host over ssh.
func onSSH(t *testing.T) (*pane, *host) {
	t.Helper()
	r := newRoom(t)
	h := r.sshd().host("build1")
	r.adds(h)
	p := r.tmux().dashboard(120, 40)
	h.connected()
	return p, h
}

// relay is the relay that runs on the host.
func (h *host) relay() (pid int) {
	h.Helper()
	until(h, "a relay runs", func() bool {
		list := h.processes("choicetui relay")
		if len(list) > 0 {
			pid = list[len(list)-1]
		}
		return len(list) > 0
	})
	return pid
}

func TestAnAnswerIsKeptWhileTheLinkIsDown(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]func(p *pane, h *host){
		"kill -9 of ssh":       func(p *pane, h *host) { require.NoError(p, syscall.Kill(p.link(h), syscall.SIGKILL)) },
		"kill -9 of the relay": func(p *pane, h *host) { require.NoError(p, syscall.Kill(h.relay(), syscall.SIGKILL)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, h := onSSH(t)
			call := h.connect("claude-code").ask(which())
			p.meet("Which database?")
			back := h.away()
			breaks(p, h)
			p.see("Connection to build1 lost, retrying")
			p.press("j", "Enter")
			p.see("not saved yet, trying again: build1 is not connected")
			id := h.only().ID
			assert.Zero(t, h.settled(id))
			assert.NotContains(t, p.screen(), "sent")
			back()
			require.Equal(t, "sqlite", call.selected())
			p.see("nothing is waiting", "SQLite → shop · claude @build1")
			p.lose("lost")
			assert.Equal(t, 1, h.settled(id))
		})
	}
}

func TestASilentLinkIsLeftAndMadeAgain(t *testing.T) {
	t.Parallel()
	p, h := onSSH(t)
	call := h.connect("claude-code").ask(which())
	p.meet("Which database?")
	ssh := p.link(h)
	stopped := time.Now()
	require.NoError(t, syscall.Kill(ssh, syscall.SIGSTOP))
	p.press("j", "Enter") // sent into the silence
	time.Sleep(time.Second)
	assert.NotContains(t, p.screen(), "sent")
	p.see("Connection to build1 lost, retrying")
	assert.InDelta(t, 15, time.Since(stopped).Seconds(), 4)
	require.Equal(t, "sqlite", call.selected())
	p.see("nothing is waiting", "SQLite → shop · claude @build1")
	assert.Equal(t, 1, h.settled(h.lastID()))
	gone(t, ssh, patience)
}

// outage is how long a host is away in a test that waits for as long as people say. Unset, it is short.
const outage = "CHOICETUI_OUTAGE"

func outageFor(t *testing.T) time.Duration {
	t.Helper()
	long, err := time.ParseDuration(cmp.Or(os.Getenv(outage), "1s"))
	require.NoError(t, err)
	return long
}

// behindAGate makes a host that can be reached only while its gate is open. shut also breaks the connection.
func (r *room) behindAGate(name string) (h *host, shut func(*pane), open func()) {
	r.Helper()
	h = r.elsewhere(name)
	script, bar := filepath.Join(h.dir, "reach"), filepath.Join(h.dir, "bar")
	require.NoError(r, os.WriteFile(script, []byte("#!/bin/sh\n[ ! -e "+bar+" ] || exit 1\nexec "+h.via+" \"$@\"\n"), 0o700))
	h.via = script
	return h, func(p *pane) {
			require.NoError(r, os.WriteFile(bar, nil, 0o600))
			for _, pid := range descendants(p.process(), "choicetui relay") {
				require.NoError(r, syscall.Kill(pid, syscall.SIGKILL))
			}
		}, func() {
			require.NoError(r, os.Remove(bar))
		}
}

func TestAnAnswerToAnApprovalThatWasAnsweredAtTheAgentIsTooLate(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h, shut, open := r.behindAGate("box")
	r.adds(h)
	p := r.tmux().dashboard(120, 40)
	h.connected()
	b := h.besideClaude() // whose own dialog stays open there
	p.meet("npm test")
	id := h.only().ID
	other := which()
	other["timeout_seconds"] = 3000
	h.connect("claude-code").ask(other)
	p.see("2 waiting")
	shut(p)
	p.see("Connection to box lost, retrying", "npm test")
	long := outageFor(t)
	time.Sleep(long / 2)
	b.writes(allowedThere)
	require.Equal(t, result{}, b.hook.wait())
	p.allowsOnce("npm test")
	p.see("not saved yet, trying again: box is not connected")
	time.Sleep(long / 2)
	p.see("npm test", "not saved yet, trying again: box is not connected", "Connection to box lost, retrying")
	open()
	require.Eventually(t, func() bool { // after a long outage the next attempt is up to a minute away
		return strings.Contains(p.screen(), "! too late, answered in claude: Bash: npm test")
	}, patience+time.Minute, glance, "%v", p.screen)
	p.lose("lost")
	assert.Equal(t, 1, h.settled(id))
	p.meet("1 waiting", "⏎ Send PostgreSQL")
	p.press("j", "Enter")
	p.see("✓ SQLite → shop · claude @box") // after a long outage its call was handed off, and fetches the answer later
}

func TestAHostThatSleepsComesBackWithNothingLost(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	s := r.sshd()
	h := s.host("build1")
	r.adds(h)
	p := r.tmux().dashboard(120, 40)
	h.connected()
	a := h.connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?")
	asleep := append(family(s.pid), h.processes("")...) // sshd, the relay, the agent
	signal := func(sig syscall.Signal) {
		for _, pid := range asleep {
			_ = syscall.Kill(pid, sig)
		}
	}
	signal(syscall.SIGSTOP)
	t.Cleanup(func() { signal(syscall.SIGCONT) })
	p.press("j", "Enter")
	p.see("sending to build1 …")
	p.see("Connection to build1 lost, retrying")
	p.see("not saved yet, trying again: build1 ")
	time.Sleep(5 * time.Second)
	p.see("Connection to build1 lost, retrying")
	assert.NotContains(t, p.screen(), "✓ SQLite")
	signal(syscall.SIGCONT)
	require.Equal(t, "sqlite", call.selected())
	p.see("nothing is waiting", "SQLite → shop · claude @build1")
	p.lose("lost")
	assert.Equal(t, 1, h.settled(h.lastID()))
	second := a.ask(which())
	p.meet("Which database?")
	p.press("Enter")
	require.Equal(t, "pg", second.selected())
}

func TestAnApprovalAnsweredAtTheAgentDuringAnOutageGoes(t *testing.T) {
	t.Parallel()
	p, h := onSSH(t)
	hook := h.hook(ofClaude(t, "permission_once").Stdin)
	p.meet("npm test")
	back := h.away()
	require.NoError(t, syscall.Kill(p.link(h), syscall.SIGKILL))
	p.see("Connection to build1 lost, retrying", "npm test")
	require.NoError(t, hook.cmd.Process.Signal(syscall.SIGTERM)) // as Esc in Claude
	require.Equal(t, result{}, hook.wait())
	p.see("npm test")
	back()
	p.lose("1 waiting") // what ended is shown for a while
	p.see("interrupted in claude")
}

func TestAFullDiskOnTheHostLosesNothing(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h := r.elsewhere("box")
	disk := filepath.Join(h.dir, "state") // the rules are there, too
	smallDisk(t, disk, "128k")
	r.adds(h)
	p := r.tmux().dashboard(120, 40)
	h.connected()
	a := h.connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?")
	id := h.only().ID
	free := fill(t, disk)
	p.opens("n", "Done")
	p.write("managed")
	p.see("managed", "the draft is not saved")
	p.press("Enter")
	p.see("⏎ Send PostgreSQL + “managed”")
	p.press("Enter")
	p.see("box: your answer is not saved yet, trying again", "the draft is not saved: box: no space left")
	assert.Equal(t, id, h.only().ID, "it still waits")
	assert.NotContains(t, p.screen(), "sent")
	free()
	require.Contains(t, call.answer().text, "managed")
	p.see("nothing is waiting", "✓ PostgreSQL → shop · claude @box: delivered")
	assert.Equal(t, 1, h.settled(id))

	call = a.ask(which())
	p.meet("Which database?")
	free = fill(t, disk)
	p.opens("x", "⏎ Cancel and tell")
	p.write("show me the cost")
	p.press("Enter")
	p.see("not saved yet, trying again")
	id = h.only().ID
	free()
	got := call.answer()
	assert.Equal(t, "cancelled", got.status())
	assert.Contains(t, got.text, "show me the cost")
	p.see("nothing is waiting")
	assert.Equal(t, 1, h.settled(id))

	hook := h.hook(h.wantsTest(t))
	p.meet("npm test")
	free = fill(t, disk)
	p.press("M")
	p.meet("⏎ Allow npm test")
	p.press("Enter")
	p.see("but no rule was made: box: no space left on device", "box: your answer is not saved yet, trying again")
	assert.Contains(t, h.run("rules").out, "no rules")
	free()
	require.Equal(t, string(ofClaude(t, "permission_once").Stdout), hook.wait().out)
	p.see("nothing is waiting")
}

// wantsTest returns the request of Claude Code to run the tests in a directory that exists: a rule needs one.
func (r *room) wantsTest(t *testing.T) []byte {
	return bytes.ReplaceAll(ofClaude(t, "permission_once").Stdin, []byte("/src/shop"), []byte(r.work))
}
