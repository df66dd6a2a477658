package tmux

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// twoPanes are two panes with a shell in each, 100 and 200. Codex runs in the first; its app-server 120 is a child of
// it, and so are the tools of every other codex of this person.
func twoPanes() (all []state, table map[int]process, args func(int) []string) {
	all = []state{{id: "%1", first: 100}, {id: "%2", first: 200}}
	lines := map[int]string{100: "bash", 110: "codex", 120: "codex app-server --listen unix://", 130: "sh -c choicetui_mcp",
		200: "bash", 210: "codex", 300: "node /opt/cline --cline-hub-daemon", 310: "choicetui mcp"}
	table = map[int]process{}
	for pid, parent := range map[int]int{100: 1, 110: 100, 120: 110, 130: 120, 200: 1, 210: 200, 300: 1, 310: 300} {
		table[pid] = process{pid: pid, parent: parent}
	}
	return all, table, func(pid int) []string { return strings.Fields(lines[pid]) }
}

func nowhere(process) string { return "" }

func TestWhatAServerOfManySessionsDescendsFromIsNobodysHome(t *testing.T) {
	all, table, args := twoPanes()
	for name, c := range map[string]struct {
		agent Agent
		want  string
	}{
		"the server itself, by its place":       {Agent{PID: 120}, "app-server"},
		"the server itself, by its environment": {Agent{PID: 120, Pane: "%1"}, "app-server"},
		"another pane's name":                   {Agent{PID: 120, Pane: "%2"}, "app-server"},
		"what the server started":               {Agent{PID: 130, Pane: "%1"}, "app-server"},
		"a server nobody is above":              {Agent{PID: 300, Pane: "%2"}, "hub daemon"},
		"what that started":                     {Agent{PID: 310, Pane: "%2"}, "hub daemon"},
	} {
		t.Run(name, func(t *testing.T) {
			home, err := scene{panes: all, table: table, args: args, dir: nowhere}.homeOf(c.agent)
			var shared *Shared
			require.ErrorAs(t, err, &shared)
			require.Equal(t, c.want, shared.By)
			require.Empty(t, home.id)
		})
	}
}

func TestAnAgentBesideAServerOfManySessionsIsAtHomeAsEver(t *testing.T) {
	all, table, args := twoPanes()
	for pid, want := range map[int]string{110: "%1", 210: "%2"} {
		home, err := scene{panes: all, table: table, args: args, dir: nowhere}.homeOf(Agent{PID: pid, Pane: "%1"})
		require.NoError(t, err)
		require.Equal(t, want, home.id)
	}
	table[100] = process{pid: 100, parent: 120} // a pane of a tmux that the server started: the walk ends at the pane
	home, err := scene{panes: all, table: table, args: args, dir: nowhere}.homeOf(Agent{PID: 110})
	require.NoError(t, err)
	require.Equal(t, "%1", home.id)
}

func TestNothingIsPastedForAnAgentOfAServerOfManySessions(t *testing.T) {
	first := server(t)
	for _, start := range []string{"%s app-server", "%s --cline-hub-daemon"} {
		pane := shellPane(t, first)
		a, received := agentIn(t, pane, start)
		a.Pane = pane // as TMUX_PANE says it, too
		var shared *Shared
		_, err := Paste(t.Context(), a, "for another project")
		require.ErrorAs(t, err, &shared, start)
		_, err = PaneOf(t.Context(), a)
		require.ErrorAs(t, err, &shared, start)
		require.Regexp(t, "^its pane is not certain: its (app-server|hub daemon) may serve several agents$", err.Error())
		require.Empty(t, received())
	}
}
