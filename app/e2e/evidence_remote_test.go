package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// Evidence that an answer for an agent on another host is neither lost nor sent twice, nor shown as sent before the
// host has it, whatever is killed while it is on its way. In several lanes, each a user of a real sshd, an agent asks, a
// person answers in a dashboard, and about then one of these gets a SIGKILL.

const (
	killsSSH       = "ssh"
	killsRelay     = "relay"
	killsDashboard = "dashboard"
	killsAgent     = "agent"

	lanes       = 4
	killsARound = 10 // in all lanes together, for each of -rounds
)

// lane is one host with an agent, and the dashboard in which its questions are answered.
type lane struct {
	*host
	here *room
	c    *console
	n    int // the number of the question

	kills   map[string]int
	flights int // kills while the host did not have the answer, after Enter
	early   int // answers shown as sent that the host did not have
	lost    int // answers that never arrived
}

func TestEvidenceThatKilledLinksLoseNoAnswerAndSendNoneTwice(t *testing.T) {
	t.Parallel() // it waits most of the time
	need(t)
	r := newRoom(t)
	s := r.sshd()
	all := make([]*lane, lanes)
	var working sync.WaitGroup
	for i := range all {
		l := &lane{host: s.host(fmt.Sprintf("build%d", i+1)), here: newRoom(t), kills: map[string]int{}}
		l.here.adds(l.host)
		l.opens()
		all[i] = l
		working.Go(func() { l.works(*rounds * killsARound / lanes) })
	}
	working.Wait()
	if t.Failed() {
		return
	}
	kills, flights, early, lost, twice, asked := map[string]int{}, 0, 0, 0, 0, 0
	for _, l := range all {
		for what, n := range l.kills {
			kills[what] += n
		}
		flights, early, lost = flights+l.flights, early+l.early, lost+l.lost
		questions, more := l.settledTwice()
		asked, twice = asked+questions, twice+more
	}
	t.Logf("remote: %d questions, killed while they were answered: %v; %d kills with the answer on its way; "+
		"%d answers lost, %d sent twice, %d shown as sent before the host had them",
		asked, kills, flights, lost, twice, early)
	assert.Zero(t, lost)
	assert.Zero(t, twice)
	assert.Zero(t, early)

	l := all[0]
	l.lost = 0
	l.loses()
	assert.Equal(t, 1, l.lost)
	t.Logf("control, the dashboard killed too while it keeps an answer: %d lost", l.lost)
}

// opens opens the dashboard.
func (l *lane) opens() {
	l.Helper()
	l.c = l.here.console(110, 30, l.here.command())
	l.c.see("? keys")
	l.connected()
}

// works has everything killed in turn, in an order that changes: a fresh dashboard connects again without a long pause.
func (l *lane) works(kills int) {
	var next []string
	for range kills {
		if len(next) == 0 {
			next = []string{killsSSH, killsRelay, killsDashboard, killsAgent}
			rand.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
		}
		if l.round(next[0]); l.Failed() {
			return
		}
		next = next[1:]
	}
}

// label is the answer to the current question, and to no other.
func (l *lane) label() string { return fmt.Sprintf("Lite-%d.", l.n) }

func (l *lane) title() string { return fmt.Sprintf("Which store, %d?", l.n) }

// asks starts an agent that asks the next question, and has it ready to be sent.
func (l *lane) asks() *running {
	l.Helper()
	l.n++
	request, err := json.Marshal(object{"title": l.title(), "prompt": "Which one?", "selection_mode": "single",
		"options": []object{{"id": "pg", "label": "PostgreSQL", "recommended": true},
			{"id": "lite", "label": l.label()}}})
	require.NoError(l, err)
	file := filepath.Join(l.work, fmt.Sprintf("ask%d.json", l.n))
	require.NoError(l, os.WriteFile(file, request, 0o644))
	agent := l.start("ask", file)
	l.chooses()
	return agent
}

// chooses chooses the answer, without sending it. A dashboard that was opened again shows the answer chosen already, from
// its draft. So another option is chosen first: the change on the screen then shows that the program has read the key. On
// a busy machine it could otherwise read that key together with the Enter that follows, and refuse the Enter as pasted.
func (l *lane) chooses() {
	l.Helper()
	l.c.see(l.title())
	time.Sleep(guarded)
	l.c.press("1")
	l.c.see("⏎ Send PostgreSQL")
	l.c.press("2")
	l.c.see("⏎ Send " + l.label())
	time.Sleep(between)
}

// stored reports whether the host has the answer to the question at hand.
func (l *lane) stored() bool {
	names, _ := filepath.Glob(filepath.Join(l.queue, "*", "*", "*.json"))
	for _, name := range names {
		raw, _ := os.ReadFile(name)
		var s queue.Session
		if json.Unmarshal(raw, &s) == nil && s.Ask.Title == l.title() && s.Outcome != nil {
			return true
		}
	}
	return false
}

func (l *lane) shown(text string) bool {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	return strings.Contains(l.c.wire.String(), text)
}

// round asks a question, answers it, and kills something about then.
func (l *lane) round(what string) {
	l.Helper()
	agent := l.asks()
	var victim func()
	switch what {
	case killsSSH:
		pids := descendants(l.c.cmd.Process.Pid, "ssh ")
		require.Len(l, pids, 1)
		victim = func() { _ = syscall.Kill(pids[0], syscall.SIGKILL) }
	case killsRelay:
		pid := l.relay()
		victim = func() { _ = syscall.Kill(pid, syscall.SIGKILL) }
	case killsDashboard:
		victim = func() { _ = l.c.cmd.Process.Kill() }
	case killsAgent:
		victim = func() { _ = agent.cmd.Process.Kill() }
	}
	back := func() {}
	if what == killsSSH || what == killsRelay {
		back = l.away() // nothing reaches the host after the kill, until this is called
	}
	pressed := make(chan struct{})
	go func() {
		time.Sleep(3 * time.Millisecond)
		l.c.press("\r")
		close(pressed)
	}()
	time.Sleep(time.Duration(rand.IntN(12_000)) * time.Microsecond)
	victim()
	l.kills[what]++
	<-pressed
	time.Sleep(300 * time.Millisecond)
	stored, shown := l.stored(), l.shown("✓ "+l.label())
	if !stored {
		l.flights++
		if shown {
			l.early++
		}
	}
	back()
	switch what {
	case killsDashboard:
		gone(l, l.c.cmd.Process.Pid, patience)
		l.opens()
		if stored {
			break
		}
		l.chooses() // the person never saw that it was sent
		l.c.press("\r")
	case killsAgent:
		until(l, "the answer is stored", l.stored)
		l.c.see("nothing is waiting")
		return
	}
	l.arrives(agent, what)
	l.c.see("nothing is waiting")
}

// arrives waits for the agent's answer, and counts it as lost where none comes. what was killed before.
func (l *lane) arrives(agent *running, what string) {
	l.Helper()
	select {
	case <-agent.done:
		if got := agent.out.String(); got != "lite\n" {
			l.lost++
			l.Errorf("question %d was answered with %q, %q", l.n, got, agent.err.String())
		}
	case <-time.After(patience):
		l.lost++
		l.Errorf("question %d got no answer after a kill of %s", l.n, what)
	}
}

// loses has the dashboard killed while it keeps an answer for a host that it does not reach.
func (l *lane) loses() {
	l.Helper()
	agent := l.asks()
	back := l.away()
	require.NoError(l, syscall.Kill(l.relay(), syscall.SIGKILL))
	l.c.see("Connection to")
	l.c.press("\r")
	l.c.see("not saved yet, trying again")
	l.c.kill()
	back()
	l.opens()
	select {
	case <-agent.done:
	case <-time.After(3 * time.Second):
		l.lost++
	}
}

// settledTwice returns the number of questions, and how many of them were not answered exactly once.
func (l *lane) settledTwice() (questions, wrong int) {
	l.Helper()
	settled, lines := map[string]int{}, l.run("log", "--json")
	require.Zero(l, lines.code, lines.err)
	for line := range strings.Lines(lines.out) {
		var e struct {
			ID      string `json:"session_id"`
			Event   string
			Outcome struct{ Status string }
		}
		require.NoError(l, json.Unmarshal([]byte(line), &e))
		if settled[e.ID] += 0; e.Event == queue.EventSettled && e.Outcome.Status == queue.StatusSelected {
			settled[e.ID]++
		}
	}
	for _, n := range settled {
		if n != 1 {
			wrong++
		}
	}
	return len(settled), wrong
}
