//go:build agents

package e2e

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAgentsOnAHost has Claude Code and Codex work for another user, behind a real sshd, and ask for a question and an
// approval each. One dashboard here answers them, and once the agents' own dialogs do. It prints what the
// dashboard shows.
func TestAgentsOnAHost(t *testing.T) {
	dir := agentsDir(t)
	here := newRoom(t)
	h := here.sshd().host("build1")
	both := kind{name: "claude", setup: "claude", files: map[string]string{}}
	for _, k := range []*kind{&claudeKind, &codexKind} {
		both.env = append(both.env, k.env...)
		maps.Copy(both.files, k.files)
	}
	w := h.world(&both, dir)
	w.setUp(row{home: "choicetui setup codex --yes"})
	here.adds(h)
	w.keep(dash, here.tmux().dashboard(120, 40))
	h.connected()
	w.starts("claude", w.work, claude)
	w.starts("codex", w.work, "codex")
	require.NoError(t, serves("claude").do(w), "%s", w.scene())
	for i, p := range []struct {
		pane, play string
		sees       string
		keys       []string
		told       string // what the model hears, or empty
		there      string // the key in the agent, if it is answered there
	}{
		{"claude", "ask", "⏎ Send PostgreSQL", []string{"j", "Enter"}, `"lite"`, ""},
		{"claude", "run", "touch made-by-claude", []string{"y", "Enter"}, "", ""},
		{"claude", "pick", "⏎ Send Markdown", []string{"j", "Enter"}, format + `"="HTML"`, ""},
		{"claude", "run", "touch made-by-claude", nil, "", "1"},
		{"codex", "ask", "⏎ Send PostgreSQL", []string{"j", "Enter"}, `"lite"`, ""},
		{"codex", "touch", "touch made-by-codex", []string{"y", "Enter"}, "", ""},
		{"codex", "format", "⏎ Send Markdown", []string{"j", "Enter"}, `"answers":["HTML"]`, ""},
		{"codex", "touch", "touch made-by-codex", nil, "", "y"},
	} {
		steps := []step{says(p.pane, "play="+p.play), sees(dash, p.sees, p.pane+" @build1")}
		for _, s := range steps {
			require.NoError(t, s.do(w), "prompt %d, %s\n%s", i+1, s.says, w.scene())
		}
		fmt.Printf("-- %d, %s play=%s\n%s\n", i+1, p.pane, p.play, w.panes[dash].screen())
		steps = []step{press(dash, p.keys...)}
		if p.there != "" {
			steps = []step{press(p.pane, p.there)}
		}
		if p.told != "" {
			steps = append(steps, told(p.told))
		}
		for _, s := range append(steps, pending(0), sees(dash, "nothing is waiting")) {
			require.NoError(t, s.do(w), "prompt %d, %s\n%s", i+1, s.says, w.scene())
		}
	}
	for _, s := range []step{
		says("claude", "play=runs"), answers(dash, "touch made-by-claude", "y", "Enter"),
		sees(dash, "touch made-again", "─ before this · claude transcript", "✓ touch made-by-claude"),
		press(dash, "y", "Enter"), pending(0), file("made-again", ""),
	} {
		require.NoError(t, s.do(w), "%s\n%s", s.says, w.scene())
	}
	fmt.Printf("-- the end\n%s\n%s", w.panes[dash].screen(), w.output("log"))
	require.NoError(t, file("made-by-claude", "").do(w))
	require.NoError(t, file("made-by-codex", "").do(w))
}
