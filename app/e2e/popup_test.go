package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPopup_ContinuesAndClosesWithTheLastAnswer(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	m := r.tmux()
	p := m.shell(100, 30)
	conf := filepath.Join(r.work, ".tmux.conf")
	require.NoError(t, os.WriteFile(conf, []byte("set -g mouse on"), 0o600))
	p.line("clear; HOME=" + r.work + " choicetui setup tmux --yes; echo code $?")
	p.see("press the prefix key, then a", "code 0")

	old, other := database(), database()
	other.Title = "Which cache?"
	first := r.put(old)
	r.put(other)
	person := m.person(p, "xterm-256color")
	person.press("\x02", "a")
	until(t, "the popup", func() bool { return strings.Contains(person.bytes(), "Which database?") })
	time.Sleep(guarded)
	person.press("j", "\r")
	until(t, "the answer", func() bool { return len(r.list()) == 1 })
	assert.Equal(t, "dashboard", r.show(first.ID)["outcome"].(map[string]any)["surface"])
	time.Sleep(2 * guarded)  // the next question is drawn over this one, so that its words do not come whole
	person.press("j", "\rz") // the last key comes in the moment of closing
	until(t, "the second answer", func() bool { return len(r.list()) == 0 })
	time.Sleep(guarded)

	person.press("e", "c", "h", "o")
	p.see("$ echo") // and nothing of the letter before
	p.press("C-u")
	p.line("clear; HOME=" + r.work + " choicetui setup --remove --all --yes; echo code $?")
	p.see("The key is free again", "code 0")
	kept, err := os.ReadFile(conf)
	require.NoError(t, err)
	assert.Equal(t, "set -g mouse on", string(kept))
}
