package tmux

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
)

// twoPanes returns a scene of two panes with a shell in each, 100 and 200. Codex runs in the first. Its app-server 120
// is a child of it, and so are the tools of every other codex of this person.
func twoPanes() (all []paneState, table map[int]process, args func(int) []string) {
	all = []paneState{{id: "%1", first: 100}, {id: "%2", first: 200}}
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
			home, err := scene{panes: all, table: table, servers: agents.Servers(), args: args, dir: nowhere}.homeOf(c.agent)
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
		home, err := scene{panes: all, table: table, servers: agents.Servers(), args: args, dir: nowhere}.homeOf(Agent{PID: pid, Pane: "%1"})
		require.NoError(t, err)
		require.Equal(t, want, home.id)
	}
	table[100] = process{pid: 100, parent: 120} // a pane of a tmux that the server started, where the walk up ends
	home, err := scene{panes: all, table: table, servers: agents.Servers(), args: args, dir: nowhere}.homeOf(Agent{PID: 110})
	require.NoError(t, err)
	require.Equal(t, "%1", home.id)
}

func TestNothingIsPastedForAnAgentOfAServerOfManySessions(t *testing.T) {
	first := server(t)
	for _, start := range []string{"%s app-server", "%s --cline-hub-daemon"} {
		pane := shellPane(t, first)
		a, received := agentIn(t, pane, start)
		a.Pane = pane // as in TMUX_PANE
		var shared *Shared
		_, err := Paste(t.Context(), a, "for another project")
		require.ErrorAs(t, err, &shared, start)
		_, err = PaneOf(t.Context(), a)
		require.ErrorAs(t, err, &shared, start)
		require.Regexp(t, "^its pane is not certain: its (app-server|hub daemon) may serve several agents$", err.Error())
		require.Empty(t, received())
	}
}

// daemonScene returns twoPanes with working directories: Codex runs in work in pane %1 and in work2 in pane %2, both
// below node. The app-server 120 and its tools are in no terminal.
func daemonScene() (scene, map[int]string, map[int]string) {
	panes, table, _ := twoPanes()
	lines := map[int]string{100: "bash", 109: "node /opt/bin/codex", 110: "/opt/vendor/bin/codex",
		120: "/opt/rel/bin/codex app-server --listen unix://", 130: "choicetui mcp",
		200: "bash", 209: "node /opt/bin/codex", 210: "/opt/vendor/bin/codex"}
	dirs := map[int]string{100: "/src", 109: "/src/work", 110: "/src/work", 120: "/", 130: "/src/work2",
		200: "/src", 209: "/src/work2", 210: "/src/work2"}
	for _, p := range []process{{pid: 100, parent: 1, group: 100, tty: "1"}, {pid: 109, parent: 100, group: 109, tty: "1"},
		{pid: 110, parent: 109, group: 109, tty: "1"}, {pid: 120, parent: 110, group: 120, tty: "0"},
		{pid: 130, parent: 120, group: 130, tty: "0"}, {pid: 200, parent: 1, group: 200, tty: "2"},
		{pid: 209, parent: 200, group: 209, tty: "2"}, {pid: 210, parent: 209, group: 209, tty: "2"}} {
		p.foreground = map[string]int{"1": 109, "2": 209, "3": 309}[p.tty]
		table[p.pid] = p
	}
	l := scene{panes: panes, table: table, servers: agents.Servers(),
		args: func(pid int) []string { return strings.Fields(lines[pid]) },
		dir:  func(p process) string { return dirs[p.pid] }}
	return l, lines, dirs
}

func TestTheAgentOfAServerOfManyIsWhereItsProgramStandsInItsDirectory(t *testing.T) {
	for dir, want := range map[string]string{"/src/work": "%1", "/src/work2": "%2"} {
		l, _, _ := daemonScene()
		for _, first := range []int{110, 210, 1} { // the process that started the server, which may have ended
			p := l.table[120]
			p.parent = first
			l.table[120] = p
			for _, pid := range []int{120, 130} {
				home, err := l.homeOf(Agent{PID: pid, Pane: "%1", Cwd: dir})
				require.NoError(t, err)
				require.Equal(t, want, home.id)
				require.NoError(t, checkFront(l.table, home.first, home.reader, l.args), "it reads the keys there")
			}
		}
	}
}

// unsure lists scenes in which no pane certainly belongs to the agent in work2.
var unsure = map[string]struct {
	change func(l scene, lines, dirs map[int]string)
	want   string
}{
	"nobody stands there": {func(_ scene, _, dirs map[int]string) { dirs[209], dirs[210] = "/src/other", "/src/other" },
		"no terminal here runs codex in its directory"},
	"another program stands there": {func(_ scene, lines, _ map[int]string) { lines[209], lines[210] = "vi", "vi" },
		"no terminal here runs codex in its directory"},
	"two stand there": {func(_ scene, _, dirs map[int]string) { dirs[109], dirs[110] = "/src/work2", "/src/work2" },
		"codex may run in its directory in 2 terminals"},
	"one more stands there outside of tmux": {func(l scene, lines, dirs map[int]string) {
		l.table[310] = process{pid: 310, parent: 1, group: 309, tty: "3"}
		lines[310], dirs[310] = "codex", "/src/work2"
	}, "codex may run in its directory in 2 terminals"},
	"one stands there, suspended": {func(l scene, lines, dirs map[int]string) {
		l.table[310] = process{pid: 310, parent: 100, group: 309, tty: "1"}
		lines[310], dirs[310] = "codex", "/src/work2"
	}, "codex may run in its directory in 2 terminals"},
	"one was sent there by a flag, perhaps": {func(_ scene, lines, _ map[int]string) {
		lines[110] = "/opt/vendor/bin/codex --cd ../work2"
	}, "codex may run in its directory in 2 terminals"},
	"its own was sent somewhere by a flag": {func(_ scene, lines, _ map[int]string) {
		lines[209], lines[210] = "node /opt/bin/codex -C x", "codex -C x"
	}, "codex runs in one terminal, but perhaps not in its directory"},
	"where one works is not known": {func(_ scene, _, dirs map[int]string) { dirs[109], dirs[110] = "", "" },
		"codex may run in its directory in 2 terminals"},
	"its directory is not known": {func(_ scene, _, dirs map[int]string) { dirs[0] = "unknown" },
		"its app-server may serve several agents"},
}

func TestWhereNotExactlyOneTerminalFitsThereIsNoPane(t *testing.T) {
	for name, c := range unsure {
		t.Run(name, func(t *testing.T) {
			l, lines, dirs := daemonScene()
			c.change(l, lines, dirs)
			a := Agent{PID: 120, Pane: "%1", Cwd: "/src/work2"}
			if dirs[0] != "" {
				a.Cwd = ""
			}
			home, err := l.homeOf(a)
			var shared *Shared
			require.ErrorAs(t, err, &shared)
			require.Equal(t, "its pane is not certain: "+c.want, err.Error())
			require.Empty(t, home.id)
		})
	}
}

func TestATerminalThatIsNoPaneOfThisTmuxIsNone(t *testing.T) {
	l, _, _ := daemonScene()
	l.panes = l.panes[:1]
	_, err := l.homeOf(Agent{PID: 120, Pane: "%1", Cwd: "/src/work2"})
	require.ErrorIs(t, err, ErrNoPane)
	l, _, _ = daemonScene()
	for _, pid := range []int{209, 210} { // a terminal inside the pane
		p := l.table[pid]
		p.tty = "9"
		l.table[pid] = p
	}
	_, err = l.homeOf(Agent{PID: 120, Cwd: "/src/work2"})
	require.ErrorIs(t, err, ErrNoPane)
}

func TestAServerWhoseClientsMayBeBrowsersHasNoPane(t *testing.T) {
	l, lines, _ := daemonScene()
	lines[120], lines[209], lines[210] = "opencode serve", "opencode", "opencode"
	_, err := l.homeOf(Agent{PID: 120, Cwd: "/src/work2"})
	require.EqualError(t, err, "its pane is not certain: its opencode server may serve several agents")
}

func TestAProgramIsToldByItsNameOrByItsScript(t *testing.T) {
	for line, want := range map[string]string{
		"codex": "codex", "/opt/bin/codex resume x": "codex", "node /usr/lib/codex/bin/codex.js -m o5": "codex",
		"node /usr/lib/cline/dist/cli.mjs": "/usr/lib/cline/dist/cli.mjs", "bun /opt/opencode/bin/opencode": "opencode",
		"node --max-old-space-size=9 /x/codex.js": "", "node": "", "": "",
	} {
		require.Equal(t, want, programOf(strings.Fields(line)), line)
	}
	require.Equal(t, "codex", programOf([]string{"codex --yolo"}), "a title over its arguments")
}

func TestFlagsThatNameAnotherDirectoryAreSeen(t *testing.T) {
	for line, want := range map[string]bool{
		"codex": false, "codex -c model=o5": false, "codex -m o5 --search": false, "codex resume --last": false,
		"codex -C /src": true, "codex -C/src": true, "codex --cd /src": true, "codex --cd=/src": true,
		"cline -c /src": true, "cline --cwd /src": true, "codex --remote ws://h:1": true, "codex --no-daemon": true,
	} {
		require.Equal(t, want, worksElsewhere(strings.Fields(line)), line)
	}
}

// cline starts the agent under the name of Cline in a directory.
func cline(t *testing.T, pane, dir, flag string) (a Agent, received func() string) {
	t.Helper()
	start := `as() { export "$1"; exec -a /opt/bin/cline "$2" $3; }; cd ` + dir + `; as %s ` + flag
	return agentIn(t, pane, start)
}

func TestALineForAnAgentOfAServerGoesToTheOnePaneThatFits(t *testing.T) {
	if _, err := os.Stat("/proc/self/cwd"); err != nil {
		t.Skip("no /proc here")
	}
	first := server(t)
	dir := t.TempDir()
	daemon, unread := cline(t, shellPane(t, first), dir, "--cline-hub-daemon")
	daemon.Cwd = dir
	pane := shellPane(t, first)
	_, received := cline(t, pane, dir, "")
	got, err := Paste(t.Context(), daemon, "for you")
	require.NoError(t, err)
	require.Equal(t, pane, got)
	eventually(t, "it arrives", func() bool { return received() == framed("for you") })
	got, err = PaneOf(t.Context(), daemon)
	require.NoError(t, err)
	require.Equal(t, pane, got)

	_, other := cline(t, shellPane(t, first), dir, "")
	var shared *Shared
	_, err = Paste(t.Context(), daemon, "for whom?")
	require.ErrorAs(t, err, &shared)
	require.Equal(t, 2, shared.Fit)
	_, err = PaneOf(t.Context(), daemon)
	require.ErrorAs(t, err, &shared)
	require.Equal(t, framed("for you"), received())
	require.Empty(t, other()+unread())
}

func TestWhyNoPaneIsSurelyAnAgentsOwnIsSaidAsFarAsItIsKnown(t *testing.T) {
	for want, is := range map[string]struct {
		program string
		fit     int
	}{
		"its hub daemon may serve several agents":                      {"", 0},
		"no terminal here runs cline in its directory":                 {"cline", 0},
		"cline runs in one terminal, but perhaps not in its directory": {"cline", 1},
		"cline may run in its directory in 3 terminals":                {"cline", 3},
	} {
		require.Equal(t, "its pane is not certain: "+want, noPaneIsSure("hub daemon", is.program, is.fit))
	}
}
