package setup

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// codexLike returns a machine whose codex adds and removes its server as the real one does, and then ends with failed.
func codexLike(t *testing.T, before string, failed error) (h Host, path string, ran *[]string) {
	h, ran = host(t), &[]string{}
	path = h.have(t, ".codex/config.toml", before)
	h.Find = func(string) (string, error) { return "/bin/codex", nil }
	h.Run = func(_ context.Context, _ string, command []string) (string, error) {
		*ran = append(*ran, command[2])
		text := textOf(t, path)
		if command[2] == "add" {
			h.have(t, ".codex/config.toml", text+"\n[mcp_servers.choicetui]\ncommand = \""+command[5]+"\"\nargs = [\"mcp\"]\n")
			return "", failed
		}
		before, own, _ := strings.Cut(text, "\n[mcp_servers.choicetui]")
		_, after, _ := strings.Cut(own, "\n[")
		if after != "" {
			before += "\n[" + after
		}
		h.have(t, ".codex/config.toml", before)
		return "", nil
	}
	h.Ask = func(_ context.Context, _ string, command []string, method string, params any) (string, error) {
		require.Equal(t, []string{"codex", "app-server"}, command)
		require.Equal(t, "config/batchWrite", method)
		text := textOf(t, path)
		for _, e := range params.(map[string]any)["edits"].([]map[string]any) {
			name := strings.TrimPrefix(e["keyPath"].(string), "mcp_servers.choicetui.")
			line := name + " = " + string(e["value"].(json.RawMessage))
			was := regexp.MustCompile(`(?m)^` + name + ` = \S+`)
			if was.MatchString(text) {
				text = was.ReplaceAllString(text, line)
			} else {
				text = strings.Replace(text, "\nargs = ", "\n"+line+"\nargs = ", 1)
			}
		}
		h.have(t, ".codex/config.toml", text)
		return "", nil
	}
	return h, path, ran
}

func TestAFormatThatIsNotWrittenIsLeftToThePersonWithItsLines(t *testing.T) {
	for _, c := range []struct{ name, id, text, lines, lacks string }{
		{"nothing yet", "codex", "# mine\n", "[mcp_servers.choicetui]\ncommand = \"/opt/choicetui\"\nargs = [\"mcp\"]\nenv_vars = ", "mcp_servers.choicetui"},
		{"its command ran without its program", "codex", "[mcp_servers.choicetui]\ncommand = '/opt/choicetui'\nargs = ['mcp']\nenabled = false\n",
			"tool_timeout_sec = 86400",
			"mcp_servers.choicetui.env_vars, mcp_servers.choicetui.tool_timeout_sec, mcp_servers.choicetui.enabled"},
		{"nothing yet", "goose", "extensions:\n", "extensions: # if the file has this line already, add the rest below it\n  choicetui:\n    name: choicetui\n    type: stdio\n    cmd: \"/opt/choicetui\"\n", "extensions.choicetui"},
		{"an old path", "goose", "extensions:\n  choicetui: {name: choicetui, type: stdio, cmd: /old/choicetui, args: [mcp], enabled: true, timeout: 5}\n",
			"cmd: \"/opt/choicetui\"", "extensions.choicetui.cmd"},
		{"nothing yet", "continue", "models: []\n", "mcpServers: # if the file has this line already, add the rest below it\n  - name: choicetui\n    command: \"/opt/choicetui\"\n    args: [\"mcp\"]", "mcpServers.name=choicetui"},
		{"another one", "continue", "mcpServers:\n  - {name: mine, command: mine}\n", "  - name: choicetui\n", "mcpServers.name=choicetui"},
		{"an old path", "continue", "mcpServers:\n  - {name: mine, command: mine}\n  - {name: choicetui, command: /old/choicetui, args: [mcp]}\n",
			"command: \"/opt/choicetui\"", "mcpServers.name=choicetui.command"},
	} {
		h, a := host(t), clientOf(t, c.id)
		h.Gate = GateOwn // the hook of the gate is in another file
		path := h.have(t, strings.TrimPrefix(a.Server.File, "~/"), c.text)
		_, left := h.Apply(t.Context(), backups(t, h), h.Survey(a))
		require.Len(t, left, 1)
		require.Equal(t, path, left[0].Path)
		var hand *ByHand
		require.ErrorAs(t, left[0].Err, &hand, c.name)
		require.Contains(t, hand.Lines, c.lines)
		require.Equal(t, c.lacks, strings.Join(hand.Lacks, ", "))
		require.Equal(t, c.text, textOf(t, path), "it stays as it is")
		if c.id == "codex" {
			require.FileExists(t, filepath.Join(h.Home, ".codex/hooks.json"))
		}
		h.Program = "/opt/choicetui"
		h.have(t, strings.TrimPrefix(a.Server.File, "~/"), hand.Lines+"\n")
		require.True(t, h.Survey(a).Nothing(), "the lines are all that it takes")
	}
}

func TestCodexCorrectsItsOwnFileAndTakesTheEntryOut(t *testing.T) {
	const off = "# mine\n\n[mcp_servers.choicetui]\ncommand = \"/old/choicetui\"\nargs = [\"mcp\"]\nenabled = false\n[b]\n"
	for _, c := range []struct{ name, more, after string }{
		{"as Codex left it", "", "# mine\n\n[b]\n"},
		{"written to since", "c = 1\n", "# mine\n\n[b]\nc = 1\n"},
	} {
		h, path, ran := codexLike(t, off, nil)
		j, a := backups(t, h), clientOf(t, "codex")
		plan := h.Survey(a)
		require.True(t, plan.Off)
		require.Contains(t, plan.Edits[0].Lines(), "mcp_servers.choicetui.enabled = true")
		_, left := h.Apply(t.Context(), j, plan)
		require.Empty(t, left, c.name)
		require.Empty(t, *ran, "there is an entry already")
		require.True(t, h.Survey(a).Nothing(), textOf(t, path))
		h.have(t, ".codex/config.toml", textOf(t, path)+c.more)
		require.Empty(t, h.Remove(t.Context(), j, h.Removals(j, nil)[0]))
		require.Equal(t, c.after, textOf(t, path))
	}
}

func TestACodexThatChangesNothingLeavesTheLinesToThePerson(t *testing.T) {
	h, path, _ := codexLike(t, "# mine\n", nil)
	h.Ask = func(context.Context, string, []string, string, any) (string, error) { return "unknown method", nil }
	j := backups(t, h)
	_, left := h.Apply(t.Context(), j, h.Survey(clientOf(t, "codex")))
	require.Len(t, left, 1)
	require.Contains(t, left[0].Words(), "“codex app-server” did not change it (unknown method): choicetui does not write this format")
	require.Contains(t, textOf(t, path), "/opt/choicetui", "its own command added the server")
	require.Empty(t, h.Remove(t.Context(), j, h.Removals(j, nil)[0]))
	require.Equal(t, "# mine\n", textOf(t, path))
}

func TestASetUpThatIsKilledWhileTheAgentsCommandRunsIsTakenOutAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		ctx, c := context.Background(), clientOf(t, "codex")
		h, path, ran := codexLike(t, "# mine\n", nil)
		j := backups(t, h)
		run := h.Run
		h.Run = func(ctx context.Context, dir string, command []string) (string, error) {
			_, _ = run(ctx, dir, command)
			panic("killed")
		}
		require.Panics(t, func() { h.Apply(ctx, j, h.Survey(c)) })
		j.Close()
		h.Run = run
		j = backups(t, h)
		if again {
			_, left := h.Apply(ctx, j, h.Survey(c))
			require.Empty(t, left)
			require.Contains(t, textOf(t, path), "tool_timeout_sec")
		}
		for _, r := range h.Removals(j, nil) {
			require.Empty(t, h.Remove(ctx, j, r))
		}
		require.Equal(t, []string{"add", "remove"}, *ran, "the agent's own command takes out what its own command wrote")
		require.Equal(t, "# mine\n", textOf(t, path))
		require.Empty(t, h.Removals(j, nil))
	}
}

func TestWhatACommandWroteThatThenFailedIsTakenOut(t *testing.T) {
	ctx, c := context.Background(), clientOf(t, "codex")
	h, path, ran := codexLike(t, "# mine\n", errors.New("exit status 3"))
	j := backups(t, h)
	said, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	require.Len(t, said, 1)
	require.Contains(t, said[0], "wrote its entry and then failed: exit status 3")
	require.Contains(t, textOf(t, path), "tool_timeout_sec", "what it left out is added all the same")
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.Equal(t, []string{"add"}, *ran, "the file gets its old text back")
	require.Equal(t, "# mine\n", textOf(t, path))
}

func TestWhatACommandDidNotWriteNeedsNoCommandToBeTakenOut(t *testing.T) {
	ctx, c := context.Background(), clientOf(t, "codex")
	h, path, _ := codexLike(t, "# mine\n", nil)
	run := h.Run
	h.Run = func(context.Context, string, []string) (string, error) { panic("killed") }
	j := backups(t, h)
	require.Panics(t, func() { h.Apply(ctx, j, h.Survey(c)) })
	for _, r := range h.Removals(j, nil) {
		for _, u := range r.Changes {
			require.Empty(t, u.Command, "there is nothing that it could take out")
		}
	}
	h.Run = run
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	kept, err := filepath.Glob(filepath.Join(h.State, "setup", "codex-*"))
	require.NoError(t, err)
	require.Len(t, kept, 2, "one copy for the set-up that was killed and one for the next")
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.Equal(t, "# mine\n", textOf(t, path))
}

func TestAnEntryIsTakenOutOfTheFileWhereTheAgentsProgramIsGone(t *testing.T) {
	for _, c := range []struct{ name, more, after, left string }{
		{"as the command left it", "", "# mine\n", ""},
		{"written to since", "# more\n", "", "mcp_servers.choicetui starts choicetui; choicetui does not write this format, so take it out by hand: " +
			"the program codex is gone, so “codex mcp remove choicetui” cannot run"},
		{"broken since", "x = [", "", "config.toml:8:5: this is not valid TOML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			h, path, ran := codexLike(t, "# mine\n", nil)
			j := backups(t, h)
			_, left := h.Apply(ctx, j, h.Survey(clientOf(t, "codex")))
			require.Empty(t, left)
			h.have(t, ".codex/config.toml", textOf(t, path)+c.more)
			h.Find = func(string) (string, error) { return "", os.ErrNotExist }
			left = h.Remove(ctx, j, h.Removals(j, nil)[0])
			require.Equal(t, []string{"add"}, *ran)
			if c.left == "" {
				require.Empty(t, left)
				require.Equal(t, c.after, textOf(t, path))
				return
			}
			require.Len(t, left, 1)
			require.Contains(t, left[0].Words(), c.left)
			require.Contains(t, left[0].Words(), path+":")
		})
	}
}
