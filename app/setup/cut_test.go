package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEntryIsTakenOutThoughItAndTheFileChangedSince(t *testing.T) {
	for _, c := range []struct{ name, id, text, after string }{
		{"a table among others, with tables below it", "codex",
			"# mine\nmodel = 'x'\n\n[mcp_servers.choicetui]\ncommand = '/opt/choicetui'\nargs = [\n  'mcp', # the server\n]\n" +
				"[mcp_servers.choicetui.env]\nA = 'b'\n\n# the next\n[projects.'/a']\ntrust_level = 'trusted'\n",
			"# mine\nmodel = 'x'\n\n# the next\n[projects.'/a']\ntrust_level = 'trusted'\n"},
		{"beside another server", "codex",
			"[mcp_servers.a]\ncommand = 'a'\n[mcp_servers.choicetui]\ncommand = '/opt/choicetui'\nargs = ['mcp']\n[mcp_servers.b]\ncommand = 'b'\n",
			"[mcp_servers.a]\ncommand = 'a'\n[mcp_servers.b]\ncommand = 'b'\n"},
		{"keys with dots", "codex", "mcp_servers.choicetui.command = '/opt/choicetui'\nmcp_servers.choicetui.args = ['mcp']\na = 1\n", "a = 1\n"},
		{"the only extension", "goose", "a: 1\nextensions:\n  # ours\n  choicetui:\n    cmd: /opt/choicetui\n    args:\n    - mcp\n    about: |\n\n      b\n\nc: 2\n",
			"a: 1\n\nc: 2\n"},
		{"an extension among others", "goose",
			"extensions:\n  x:\n    cmd: y\n  choicetui:\n    cmd: /opt/choicetui\n    args: [mcp]\n\n    # odd\n    timeout: 7\n  # the next\n  z:\n    cmd: y\n",
			"extensions:\n  x:\n    cmd: y\n  # the next\n  z:\n    cmd: y\n"},
		{"a mark and lines of Windows", "goose", "\xef\xbb\xbfa: 1\r\nextensions:\r\n  x: {}\r\n  choicetui:\r\n    cmd: /opt/choicetui\r\n    args: [mcp]\r\n",
			"\xef\xbb\xbfa: 1\r\nextensions:\r\n  x: {}\r\n"},
		{"in one line", "goose", "extensions: {choicetui: {cmd: /opt/choicetui, args: [mcp]}, x: {}}\n", ""},
		{"in one line of TOML", "codex", "[mcp_servers]\nchoicetui = {command = '/opt/choicetui', args = ['mcp']}\nx = {}\n", "[mcp_servers]\nx = {}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, h, a := context.Background(), host(t), agent(t, c.id)
			name := strings.TrimPrefix(a.Server.File, "~/")
			path := h.have(t, name, "")
			j := journal(t, h)
			_, left := h.Apply(ctx, j, h.Survey(a))
			require.Empty(t, left)
			h.have(t, name, c.text)
			left = h.Undo(ctx, j, h.Removals(j, nil)[0])
			if c.after == "" {
				require.Contains(t, left[0].Words(), "take it out by hand")
				require.Equal(t, c.text, textOf(t, path))
				return
			}
			require.Empty(t, left)
			require.Equal(t, c.after, textOf(t, path))
		})
	}
}

func TestAnAgentsCommandIsNotRunForAnEntryInAnotherPlaceThanItsOwn(t *testing.T) {
	ctx, c := context.Background(), agent(t, "codex")
	h, path, ran := codexLike(t, "# mine\n", errors.New("exit status 3"))
	j := journal(t, h)
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	moved := filepath.Join(h.Home, "elsewhere")
	h.Env = func(name string) string { return map[string]string{"CODEX_HOME": moved}[name] }
	require.NoError(t, os.MkdirAll(moved, 0o700))
	require.Empty(t, h.Undo(ctx, j, h.Removals(j, nil)[0]))
	require.Equal(t, []string{"add"}, *ran, "codex mcp remove would look into the other place")
	require.Equal(t, "# mine\n", textOf(t, path))
}
