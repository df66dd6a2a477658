//go:build agents

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	speedRounds = 7  // calls of a tool
	hookRounds  = 25 // hooks with nothing to do
)

// TestAgentSpeeds prints how long it takes until what Claude Code calls is seen, and what a hook with nothing to do
// costs. It fails only where nothing is seen. Nothing can be stored before Claude Code starts a hook, so a hook beside
// ours notes when it does that.
func TestAgentSpeeds(t *testing.T) {
	dir := agentsDir(t)
	t.Run("approval", func(t *testing.T) {
		w := newWorld(t, &claudeKind, dir)
		w.setUp(row{home: `sed -i 's#"PermissionRequest": \[#&` + notesStart + `, #' .claude/settings.json`})
		w.measure("claude's tool call", "runspeed", "touch made-%d", "⏎ Allow once", "y")
	})
	t.Run("question", func(t *testing.T) {
		w := newWorld(t, &claudeKind, dir)
		w.setUp(row{})
		w.measure("claude's mcp question", "askspeed", "Which store, %d?", "⏎ Send")
	})
	t.Run("hook with nothing to do", func(t *testing.T) {
		w := newWorld(t, &claudeKind, dir)
		var took []time.Duration
		for range hookRounds {
			cmd := exec.Command(w.bin, "hook", "claude")
			cmd.Env, cmd.Stdin = w.env,
				strings.NewReader(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}`)
			began := time.Now()
			require.NoError(t, cmd.Run())
			took = append(took, time.Since(began))
		}
		printSpeed("hook with nothing to do", took)
	})
}

// notesStart is a hook that notes when it is started, in milliseconds.
const notesStart = `{"hooks": [{"type": "command", "command": "date +%s%3N >>~/started"}]}`

// measure plays a script of the same call again and again. From when the model has sent the call it takes the time until
// the question is stored, and until its words are on the dashboard's screen. It answers with keys, and with Enter once
// enter is on the screen.
func (w *world) measure(what, play, words, enter string, keys ...string) {
	w.Helper()
	w.opensDashboard()
	w.starts(cli, w.work, claude)
	require.NoError(w, serves(cli).do(w))
	require.NoError(w, says(cli, "play="+play).do(w))
	var stored, seen []time.Duration
	took := make([]time.Duration, speedRounds)
	for i := range speedRounds {
		until(w, "the model calls", func() bool { return len(w.turns()) > i })
		sent := time.UnixMilli(w.turns()[i].At)
		w.panes[dash].see(fmt.Sprintf(words, i+1))
		seen = append(seen, time.Since(sent))
		stored = append(stored, w.asked().Sub(sent))
		require.NoError(w, press(dash, keys...).do(w))
		require.NoError(w, sees(dash, enter).do(w))
		require.NoError(w, quickly(dash, "Enter").do(w)) // the next call follows at once
	}
	if starts := w.started(); len(starts) == speedRounds {
		for i := range starts {
			took[i] = starts[i].Sub(time.UnixMilli(w.turns()[i].At))
		}
		printSpeed(what+": a hook starts", took)
	}
	printSpeed(what+" stored", stored)
	printSpeed(what+" visible", seen)
}

// started returns when notesStart was run.
func (w *world) started() (starts []time.Time) {
	raw, _ := os.ReadFile(filepath.Join(w.dir, "home", "started"))
	for line := range strings.Lines(string(raw)) {
		ms, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		require.NoError(w, err)
		starts = append(starts, time.UnixMilli(ms))
	}
	return starts
}

// asked returns when the latest question was stored.
func (w *world) asked() (at time.Time) {
	w.Helper()
	for line := range strings.Lines(w.output("log", "--json")) {
		var e struct {
			Event string
			At    time.Time
		}
		require.NoError(w, json.Unmarshal([]byte(line), &e))
		if e.Event == "asked" && e.At.After(at) {
			at = e.At
		}
	}
	return at
}

// printSpeed prints the median, on its own line of the test's output.
func printSpeed(what string, took []time.Duration) {
	slices.Sort(took)
	fmt.Printf("speed: %-36s p50 %4d ms of %d, most %d ms\n", what, took[len(took)/2].Milliseconds(), len(took),
		took[len(took)-1].Milliseconds())
}
