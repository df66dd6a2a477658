package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ownTmux is the host's default tmux server, where its agents run.
func (h *host) ownTmux() *tmux {
	h.Helper()
	need(h, "tmux")
	m := &tmux{room: h.room, name: "default"}
	m.do("start-server", ";", "set", "-g", "remain-on-exit", "on", ";", "set", "-g", "exit-empty", "off")
	h.Cleanup(m.end)
	return m
}

func TestALineGoesIntoAPaneOnTheHost(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h := r.remoteAway("box")
	require.NoError(t, os.WriteFile(filepath.Join(h.work, "agent.sh"), []byte(paneAgent), 0o600))
	agent := h.ownTmux().shell(80, 24)
	r.adds(h)
	p := r.tmux().dashboard(200, 50)
	h.connected()
	agent.line("echo what it was doing; sh agent.sh")
	p.meet("Which database?", "shop · claude @box")
	p.meet("before this · tmux 0:0", "what it was doing")
	p.press("Enter")
	p.see("nothing is waiting", "chat · to shop · claude @box, tmux 0:0")
	p.opens("i", "type a line to shop · claude @box")
	p.write("use SQLite x q 1")
	p.press("C-j")
	p.write("second line")
	p.press("Enter")
	p.see("✓ “use SQLite x q 1” → shop", "sent")
	want := "\x1b[200~use SQLite x q 1\nsecond line\x1b[201~\r"
	until(t, "the agent has it", func() bool { return len(h.keys()) >= len(want) })
	assert.Equal(t, want, h.keys())
	until(t, "it is in the log", func() bool { // which is written after the paste
		return strings.Contains(h.run("log").out, "sent to shop · claude, pasted into its tmux pane (0:0)")
	})
	agent.do("kill-pane", "-t", agent.id)
	p.opens("i", "nothing can be sent: it is no longer running")
}
