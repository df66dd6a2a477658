package cli

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/mcpbridge/agents"
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

func TestSetupShowsItsFilesInOnePaneAndEachLineAfterAKey(t *testing.T) {
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
	require.Contains(t, short, "Claude Code: ~/.claude.json +")
	require.Contains(t, short, "servers out of the background")
	require.Contains(t, short, "Zed: ~/.config/zed/settings.json +")

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

func TestSetupShowsEachLineAtOnceWithDiff(t *testing.T) {
	master, tty, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	r := setupRun{sh: &shell{in: tty, out: tty, err: tty}, diff: true, dryRun: true}
	go func() { _ = r.setUpAgents(context.WithoutCancel(t.Context()), hostOfAll(t), []string{"cursor"}) }()
	shown, _ := until(t, bufio.NewReader(master), "\r\n  +}")
	require.Less(t, strings.Index(shown, "  Cursor: ~/.cursor/mcp.json +"), strings.Index(shown, "@@"))
}
