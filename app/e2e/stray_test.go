package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTypingMeantForAnotherPaneChangesNothing types sentences into a dashboard in tmux, key by key, each ended by
// Enter. app/screen tries many more of them, in every place.
func TestTypingMeantForAnotherPaneChangesNothing(t *testing.T) {
	t.Parallel()
	for i, sentence := range []string{"yes please do that", "so use SQLite then", "no, rename it to shopCart", "ls -la",
		"explain why you need it", "quickly: which one is quicker?"} {
		pace := 45 * time.Millisecond
		if i%2 == 1 {
			pace = 120 * time.Millisecond
		}
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			for !typedAstray(t, sentence, pace) {
				t.Logf("again: this machine was slow between two keys")
			}
		})
	}
}

// typedAstray types a sentence for another pane into a room of its own, and checks that it changed nothing. It returns
// false where keys came so slowly that it was no sentence: then each may have done what it is for.
func typedAstray(t *testing.T, sentence string, pace time.Duration) bool {
	t.Helper()
	r := newRoom(t)
	m := r.tmux()
	p := m.dashboard(100, 30)
	person := m.person(p, "xterm-256color") // who types through a terminal: a tmux command a key would be too slow
	call := r.connect("claude-code").ask(with(object{"timeout_seconds": 3600}))
	p.meet("Which database?", "⏎ Send PostgreSQL")
	was := r.only()
	if slowest := person.typeKeys(sentence, pace); slowest > paused/2 {
		return false
	}
	time.Sleep(guarded)
	call.waits()
	now := r.only()
	assert.Equal(t, was, now)
	_, err := os.Stat(filepath.Join(r.dir, "config", "choicetui", "config.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
	for range 2 {
		p.press("Escape")
		time.Sleep(guarded)
	}
	p.see("Which database?", "⏎ Send")
	call.waits()
	return true
}

// typeKeys types text and Enter, one key after the other, and returns the longest time between two of them.
func (c *console) typeKeys(text string, pace time.Duration) time.Duration {
	c.Helper()
	longest, last := time.Duration(0), time.Now()
	for _, key := range text + "\r" {
		c.press(string(key))
		longest, last = max(longest, time.Since(last)), time.Now()
		time.Sleep(pace)
	}
	return longest
}
