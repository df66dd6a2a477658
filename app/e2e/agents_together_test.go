//go:build agents

package e2e

import (
	"fmt"
	"maps"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// prompted is one thing that an agent asks for while others work beside it.
type prompted struct {
	pane, play string
	sees       string   // on the dashboard
	here       []string // keys in the dashboard; none: it is answered in the agent
	there      []string
}

// allow allows an approval once.
var allow = []string{"y", "Enter"}

// asksTogether are twenty, in four panes: some are answered in the dashboard, some in the agents.
var asksTogether = []prompted{
	{"claude", "run", "touch made-by-claude", allow, nil},
	{"reviewer", "subagent", "› general-purpose", allow, nil},
	{"codex", "format", "⏎ Send Markdown", []string{"j", "Enter"}, nil},
	{"opencode", "question", "⏎ Send Markdown", []string{"Enter"}, nil},
	{"claude", "write", "made-by-claude", allow, nil},
	{"reviewer", "ask", "⏎ Send PostgreSQL", []string{"Enter"}, nil},
	{"codex", "touch", "touch made-by-codex", allow, nil},
	{"opencode", "bash", "touch made-by-opencode", allow, nil},
	{"claude", "run", "touch made-by-claude", nil, []string{"1"}},
	{"reviewer", "run", "touch made-by-claude", nil, []string{"1"}},
	{"codex", "touch", "touch made-by-codex", nil, []string{"y"}},
	{"opencode", "question", "⏎ Send Markdown", nil, []string{"Down", "Enter"}},
	{"claude", "ask", "⏎ Send PostgreSQL", []string{"j", "Enter"}, nil},
	{"reviewer", "pick", "⏎ Send Markdown", []string{"Enter"}, nil},
	{"codex", "ask", "⏎ Send PostgreSQL", []string{"Enter"}, nil},
	{"opencode", "ask", "⏎ Send PostgreSQL", []string{"j", "Enter"}, nil},
	{"claude", "run", "touch made-by-claude", nil, []string{"4"}},
	{"reviewer", "run", "touch made-by-claude", nil, []string{"Escape"}},
	{"codex", "format", "⏎ Send Markdown", nil, []string{"2", "Enter"}},
	{"opencode", "bash", "touch made-by-opencode", allow, nil},
}

// TestAgentsTogether has two Claude Code sessions, Codex and opencode work in four panes beside one dashboard. With
// CHOICETUI_PAUSE, a duration, it waits that long between prompts: 3m makes an hour of it. It prints what happened.
func TestAgentsTogether(t *testing.T) {
	dir := agentsDir(t)
	pause, _ := time.ParseDuration(os.Getenv("CHOICETUI_PAUSE"))
	all := kind{name: "opencode", setup: "opencode", files: map[string]string{}, fetches: opencodeKind.fetches}
	for _, k := range []*kind{&claudeKind, &codexKind, &opencodeKind} {
		all.env = append(all.env, k.env...)
		maps.Copy(all.files, k.files)
	}
	w := newWorld(t, &all, dir)
	w.setUp(row{home: "choicetui setup claude --yes; choicetui setup codex --yes"})
	w.opensDashboard()
	w.starts("claude", w.work, claude)
	w.starts("reviewer", w.expands.Replace("$OTHER"), claude)
	w.starts("codex", w.work, "codex")
	w.starts("opencode", w.work, "opencode")
	began := time.Now()
	for _, name := range []string{"claude", "reviewer"} {
		require.NoError(t, serves(name).do(w), "%s", w.scene())
	}
	time.Sleep(5 * time.Second)
	for i, p := range asksTogether {
		steps := []step{says(p.pane, "play="+p.play), sees(dash, p.sees)}
		where := "in the dashboard"
		if p.here != nil {
			steps = append(steps, press(dash, p.here...))
		} else {
			where = "in " + p.pane
			steps = append(steps, stays(time.Second), press(p.pane, p.there...))
		}
		steps = append(steps, pending(0))
		asked := time.Now()
		for _, s := range steps {
			require.NoError(t, s.do(w), "prompt %d, %s\n%s", i+1, s.says, w.scene())
		}
		fmt.Printf("%s  %2d  %-9s %-9s answered %-16s %4.1f s\n", time.Since(began).Round(time.Second), i+1, p.pane, p.play,
			where, time.Since(asked).Seconds())
		time.Sleep(pause)
	}
	fmt.Printf("%s\nlist: %s", w.output("log"), w.output("list"))
	require.Equal(t, "Nothing is waiting.\n", w.output("list"))
}
