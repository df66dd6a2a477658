package e2e

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slowMode makes the test binary a slow link to a host: it runs the command in os.Args, and everything arrives oneWay
// later than it was sent, in both directions.
const (
	slowMode  = "slow"
	oneWay    = 75 * time.Millisecond
	roundTrip = 2 * oneWay
)

func linkSlowly(command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 1
	}
	out, err := cmd.StdoutPipe()
	if err != nil || cmd.Start() != nil {
		return 1
	}
	go func() {
		_ = late(in, os.Stdin)
		_ = in.Close()
	}()
	_ = late(os.Stdout, out)
	return cmd.ProcessState.ExitCode()
}

// late copies what it reads, each piece oneWay later.
func late(to io.Writer, from io.Reader) error {
	type piece struct {
		at    time.Time
		bytes []byte
	}
	pieces := make(chan piece, 1<<16)
	go func() {
		defer close(pieces)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			pieces <- piece{time.Now().Add(oneWay), b[:n]}
			if err != nil {
				return
			}
		}
	}()
	for p := range pieces {
		time.Sleep(time.Until(p.at))
		if _, err := to.Write(p.bytes); err != nil {
			return err
		}
	}
	return nil
}

// remoteAway makes a host that is behind a slow link.
func (r *room) remoteAway(name string) *host {
	r.Helper()
	h := r.elsewhere(name)
	h.via = fmt.Sprintf("env %s=%s %s %s", workerMode, slowMode, os.Args[0], h.via)
	return h
}

func TestAHostBehindASlowLinkIsAsUsableAsANearOne(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h := r.remoteAway("box")
	r.adds(h)
	c := r.console(120, 40, r.command())
	c.see("? keys")
	h.connected()
	a := h.connect("claude-code")
	began := time.Now()
	call := a.ask(which())
	shown := c.see("Which database?").Sub(began)
	assert.GreaterOrEqual(t, shown, oneWay, "the link is slow")
	c.see(" 9:5")
	time.Sleep(guarded)

	took, _ := c.key("j")
	c.see("⏎ Send SQLite")
	time.Sleep(between)
	began = time.Now()
	c.press("\r")
	require.Equal(t, "sqlite", call.selected())
	t.Logf("question to screen %s, key %s, Enter to agent %s", shown, took, time.Since(began))
	c.see("✓ SQLite")
	assert.GreaterOrEqual(t, time.Since(began), roundTrip, "it is shown as sent once the host has it")
	assert.Equal(t, 1, h.settled(h.lastID()))

	c.press("h")
	began = time.Now()
	t.Log("history", c.see("shop on box").Sub(began))
}

func TestAHundredQuestionsBehindASlowLink(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h := r.remoteAway("box")
	h.prepare(100, 1000)
	require.NotEmpty(t, h.list())
	r.adds(h)
	began := time.Now()
	c := r.console(120, 40, r.command())
	c.see("? keys")
	first := time.Since(began)
	all := c.see("100 waiting").Sub(began)
	t.Logf("first frame after %s, 100 questions after %s", first, all)
	assert.Less(t, all, 5*time.Second)
	time.Sleep(guarded)
	// A key that waits for the host takes a round trip at least, however often it is tried. One that does not may be
	// slow on a busy machine, but not always.
	for tries := 1; ; tries++ {
		var took samples
		for range 6 {
			last, _ := c.key("J")
			took.add(last)
		}
		if took.at(0.5) < float64(oneWay.Milliseconds()) {
			break
		}
		require.Less(t, tries, 15, "a key waits for the host: %v ms", took)
	}
}
