package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// hostOfAll returns a machine with the settings directory of every agent and without their programs.
func hostOfAll(t *testing.T) setup.Host {
	t.Helper()
	home := t.TempDir()
	for _, c := range agents.Clients("choicetui") {
		path := filepath.Join(home, strings.TrimPrefix(c.Server.File, "~/"))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if filepath.Dir(path) == home {
			require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
		}
	}
	return setup.Host{Program: "choicetui", Home: home, Config: filepath.Join(home, ".config"), State: home,
		Env: func(string) string { return "" }, Environ: func() []string { return nil },
		Find: func(string) (string, error) { return "", errors.New("not found") }}
}

// until reads what a terminal shows up to some words, and returns how many rows of 80 cells that takes.
func until(t *testing.T, from *bufio.Reader, words string) (shown string, rows int) {
	t.Helper()
	for !strings.HasSuffix(shown, words) {
		b, err := from.ReadByte()
		require.NoError(t, err, shown)
		shown += string(b)
	}
	for l := range strings.Lines(shown) {
		rows += 1 + max(len([]rune(strings.TrimRight(l, "\r\n")))-1, 0)/80
	}
	return shown, rows
}

func TestSetupSaysItsEffectsInOnePaneAndEachLineAfterAKey(t *testing.T) {
	master, tty, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	require.NoError(t, pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}))
	host, ended := hostOfAll(t), make(chan error, 1)
	r := setupRun{sh: &shell{in: tty, out: tty, err: tty}}
	go func() { ended <- r.setUpAgents(context.WithoutCancel(t.Context()), host, nil) }()

	from := bufio.NewReader(master)
	short, rows := until(t, from, "Enter shows each line. Type yes to make these changes: ")
	require.LessOrEqual(t, rows, 24, short)
	require.NotContains(t, short, "@@")
	require.NotContains(t, short, ".json +")
	require.Contains(t, short, "  Claude Code can ask you here. Its questions, its permission prompts and\r\n    plans,")
	require.Contains(t, short, "Claude keeps waiting for slow tools instead of moving")
	require.Contains(t, short, "  Antigravity, Qwen Code, Amp, Pi, ")
	require.Contains(t, short, "and Zed can ask you here.\r\n")
	require.Contains(t, short, "  Undo: choicetui setup --remove claude ")

	_, err = master.WriteString("\n")
	require.NoError(t, err)
	lines, rows := until(t, from, "Enter shows more. Type yes to make these changes: ")
	require.LessOrEqual(t, rows, 24, lines)
	require.Contains(t, lines, "@@")
	for strings.HasSuffix(lines, "more. Type yes to make these changes: ") {
		_, err = master.WriteString("\n")
		require.NoError(t, err)
		lines, _ = until(t, from, "Type yes to make these changes: ")
	}
	_, err = master.WriteString("\n")
	require.NoError(t, err)
	require.ErrorContains(t, <-ended, "nothing was changed")
	require.NoFileExists(t, filepath.Join(host.Home, ".cursor", "mcp.json"))
}

func TestSetupShowsFilesAndLinesInColourWithDiff(t *testing.T) {
	const added = "\x1b[32m  +}\x1b[m\r\n"
	for _, c := range []struct{ term, noColor, last string }{
		{"xterm", "", added}, {"xterm", "1", "\r\n  +}\r\n"}, {"dumb", "", "\r\n  +}\r\n"},
	} {
		t.Setenv("TERM", c.term)
		t.Setenv("NO_COLOR", c.noColor)
		master, tty, err := pty.Open()
		require.NoError(t, err)
		r := setupRun{sh: &shell{in: tty, out: tty, err: tty}, diff: true, dryRun: true}
		go func() { _ = r.setUpAgents(context.WithoutCancel(t.Context()), hostOfAll(t), []string{"cursor"}) }()
		shown, _ := until(t, bufio.NewReader(master), c.last)
		require.Contains(t, shown, "  Cursor can ask you here. Undo: choicetui setup --remove cursor\r\n")
		require.Less(t, strings.Index(shown, "Cursor: ~/.cursor/mcp.json +"), strings.Index(shown, "@@"))
		require.Equal(t, c.last == added, strings.Contains(shown, "\x1b"), c)
		require.NoError(t, master.Close())
	}
}

func TestSetupShowsRemovedLinesInRed(t *testing.T) {
	_, tty, err := pty.Open()
	require.NoError(t, err)
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	r := setupRun{sh: &shell{out: tty}}
	require.Equal(t, "  --- a\n\x1b[31m  -x\x1b[m\n   y\n", string(r.coloured([]byte("  --- a\n  -x\n   y\n"))))
	r.sh.out = io.Discard
	require.Equal(t, "  -x\n", string(r.coloured([]byte("  -x\n"))), "plain in a pipe")
}

// The effects are made of what the table says of each agent.
func TestSetupSaysWhatEachAgentBringsHere(t *testing.T) {
	for id, want := range map[string]string{
		"claude": "Claude Code can ask you here. Its questions, its permission prompts and plans, the forms of its other " +
			"servers and its prompts that can be answered only in its own pane appear here too. Your prompts to it wait while it asks.",
		"kilo":   "Kilo Code can ask you here. Its own prompts appear here too.",
		"cursor": "Cursor can ask you here. Your prompts to it wait while it asks.",
		"qwen":   "Qwen Code can ask you here. Its questions and permission prompts appear here too.",
		"crush":  "Crush can ask you here.",
	} {
		clients := agents.Clients("choicetui")
		c := clients[slices.IndexFunc(clients, func(c agent.Client) bool { return c.ID == id })].WithNative("choicetui")
		r := setupRun{hookChoice: hookChoice{gate: gateOwn, native: nativeOn}}
		require.Equal(t, want, r.effect(c))
	}
}
