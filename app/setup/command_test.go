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

// codexLike is a machine whose codex adds and removes its server as the real one does, and then ends with failed.
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
		at := strings.Index(text, "\n[mcp_servers.choicetui]")
		h.have(t, ".codex/config.toml", text[:at])
		return "", nil
	}
	return h, path, ran
}

func TestASetUpThatIsKilledWhileTheAgentsCommandRunsIsTakenOutAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		ctx, c := context.Background(), agent(t, "codex")
		h, path, ran := codexLike(t, "# mine\n", nil)
		j := journal(t, h)
		run := h.Run
		h.Run = func(ctx context.Context, dir string, command []string) (string, error) {
			_, _ = run(ctx, dir, command)
			panic("killed")
		}
		require.Panics(t, func() { h.Apply(ctx, j, h.Survey(c)) })
		j.Close()
		h.Run = run
		j = journal(t, h)
		if again {
			_, left := h.Apply(ctx, j, h.Survey(c))
			require.Empty(t, left)
			require.Contains(t, textOf(t, path), "tool_timeout_sec")
		}
		for _, r := range h.Removals(j, nil) {
			require.Empty(t, h.Undo(ctx, j, r))
		}
		require.Equal(t, []string{"add", "remove"}, *ran, "the agent's own command takes out what its own command wrote")
		require.Equal(t, "# mine\n", textOf(t, path))
		require.Empty(t, h.Removals(j, nil))
	}
}

func TestACommandThatWritesAndThenFailsIsTakenOutByTheAgentsOwnCommand(t *testing.T) {
	ctx, c := context.Background(), agent(t, "codex")
	h, path, ran := codexLike(t, "# mine\n", errors.New("exit status 3"))
	j := journal(t, h)
	said, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	require.Len(t, said, 1)
	require.Contains(t, said[0], "wrote its entry and then failed: exit status 3")
	require.Contains(t, textOf(t, path), "tool_timeout_sec", "what it left out is added all the same")
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.Equal(t, []string{"add", "remove"}, *ran)
	require.Equal(t, "# mine\n", textOf(t, path))
}

func TestWhatACommandDidNotWriteNeedsNoCommandToBeTakenOut(t *testing.T) {
	ctx, c := context.Background(), agent(t, "codex")
	h, path, _ := codexLike(t, "# mine\n", nil)
	run := h.Run
	h.Run = func(context.Context, string, []string) (string, error) { panic("killed") }
	j := journal(t, h)
	require.Panics(t, func() { h.Apply(ctx, j, h.Survey(c)) })
	for _, r := range h.Removals(j, nil) {
		for _, u := range r.Steps {
			require.Empty(t, u.Command, "there is nothing that it could take out")
		}
	}
	h.Run = run
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	kept, err := filepath.Glob(filepath.Join(h.State, "setup", "codex-*"))
	require.NoError(t, err)
	require.Len(t, kept, 2, "one copy for the command and one for the edit")
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.Equal(t, "# mine\n", textOf(t, path))
}

func TestARemovalThatLeavesTheEntryStandingSaysSo(t *testing.T) {
	ctx, c := context.Background(), agent(t, "cursor")
	h := host(t)
	path := h.have(t, ".cursor/mcp.json", "{}\n")
	j := journal(t, h)
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	r := h.Removals(j, nil)[0]
	r.Steps = nil // what was to be undone is lost
	left = h.Undo(ctx, j, r)
	require.Len(t, left, 1)
	require.Contains(t, left[0].Words(), "mcpServers.choicetui still starts choicetui: take it out by hand")
	require.Contains(t, left[0].Words(), path+":")
}

func TestARemovalSaysThatTheEntryFromBeforeIsBack(t *testing.T) {
	ctx, c := context.Background(), agent(t, "cursor")
	h := host(t)
	h.have(t, ".cursor/mcp.json", `{"mcpServers": {"choicetui": {"command": "/old/choicetui", "args": ["mcp"]}}}`)
	j := journal(t, h)
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	r := h.Removals(j, nil)[0]
	require.Equal(t, []string{"/old/choicetui", "mcp"}, r.Before)
	require.Empty(t, h.Undo(ctx, j, r))
	require.NoError(t, os.WriteFile(filepath.Join(h.Home, ".cursor/mcp.json"), []byte("{}"), 0o600))
	_, left = h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	require.Empty(t, h.Removals(j, nil)[0].Before)
}

func TestAnEntryIsTakenOutOfTheFileWhereTheAgentsProgramIsGone(t *testing.T) {
	for _, c := range []struct{ name, more, after, left string }{
		{"as the command left it", "", "# mine\n", ""},
		{"written to since", "# more\n", "# mine\n# more\n", ""},
		{"broken since", "x = [", "", "config.toml:8:5: this is no TOML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := context.Background()
			h, path, ran := codexLike(t, "# mine\n", nil)
			j := journal(t, h)
			_, left := h.Apply(ctx, j, h.Survey(agent(t, "codex")))
			require.Empty(t, left)
			h.have(t, ".codex/config.toml", textOf(t, path)+c.more)
			h.Find = func(string) (string, error) { return "", os.ErrNotExist }
			left = h.Undo(ctx, j, h.Removals(j, nil)[0])
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

func TestAJSONEntryIsTakenOutWithItsProgramGoneThoughTheFileChanged(t *testing.T) {
	ctx, h := context.Background(), host(t)
	path := h.have(t, ".gemini/settings.json", `{"a": 1}`)
	h.Find = func(string) (string, error) { return "/bin/gemini", nil }
	h.Run = func(context.Context, string, []string) (string, error) {
		h.have(t, ".gemini/settings.json",
			`{"a": 1, "mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`)
		return "", nil
	}
	j := journal(t, h)
	_, left := h.Apply(ctx, j, h.Survey(agent(t, "gemini")))
	require.Empty(t, left)
	h.have(t, ".gemini/settings.json", strings.Replace(textOf(t, path), `"a": 1`, `"a": 2`, 1))
	h.Find = func(string) (string, error) { return "", os.ErrNotExist }
	require.Empty(t, h.Undo(ctx, j, h.Removals(j, nil)[0]))
	require.JSONEq(t, `{"a": 2}`, textOf(t, path))
}

func TestWhatCannotBeTakenOutNamesTheCommandThatWouldDoIt(t *testing.T) {
	ctx, h := context.Background(), host(t)
	h.have(t, ".config/amp/settings.json", "{}")
	h.Find = func(string) (string, error) { return "/bin/amp", nil }
	h.Run = func(context.Context, string, []string) (string, error) {
		h.have(t, ".config/amp/settings.json", `{"amp.mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`)
		return "", nil
	}
	j := journal(t, h)
	_, left := h.Apply(ctx, j, h.Survey(agent(t, "amp")))
	require.Empty(t, left)
	path := h.have(t, ".config/amp/settings.json", "{\n\"amp.mcpServers\"")
	h.Find = func(string) (string, error) { return "", os.ErrNotExist }
	left = h.Undo(ctx, j, h.Removals(j, nil)[0])
	require.Len(t, left, 1)
	require.Contains(t, left[0].Words(), path+":2:")
	require.Contains(t, left[0].Words(), "the program amp is gone, so “amp mcp remove choicetui” cannot run; what it added is here still. ")
}

func TestAnAgentsCommandMayChangeItsOtherFileToo(t *testing.T) {
	ctx, c, h := context.Background(), agent(t, "claude"), host(t)
	settings := h.have(t, ".claude/settings.json", `{"bypassPermissionsModeAccepted": true}`)
	h.Find = func(string) (string, error) { return "/bin/claude", nil }
	h.Run = func(_ context.Context, _ string, command []string) (string, error) {
		if command[2] == "remove" {
			h.have(t, ".claude.json", `{}`)
			return "", nil
		}
		h.have(t, ".claude.json", `{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`)
		h.have(t, ".claude/settings.json", `{"skipDangerousModePermissionPrompt": true}`)
		return "", nil
	}
	j := journal(t, h)
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	require.Contains(t, textOf(t, settings), "skipDangerousModePermissionPrompt")
	require.Contains(t, textOf(t, settings), "/opt/choicetui", "the hooks are in")
	require.True(t, h.Survey(c).Nothing())
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Undo(ctx, j, r))
	}
	require.JSONEq(t, `{"skipDangerousModePermissionPrompt": true}`, textOf(t, settings))
}

func TestAFileThatThePersonChangedBeforeTheAgentsCommandIsLeft(t *testing.T) {
	ctx, c, h := context.Background(), agent(t, "claude"), host(t)
	settings := h.have(t, ".claude/settings.json", `{"a": 1}`)
	h.Find = func(string) (string, error) { return "/bin/claude", nil }
	h.Run = func(context.Context, string, []string) (string, error) {
		h.have(t, ".claude.json", `{"mcpServers": {"choicetui": {"command": "/opt/choicetui", "args": ["mcp"]}}}`)
		return "", nil
	}
	plan := h.Survey(c)
	h.have(t, ".claude/settings.json", `{"a": 2}`)
	_, left := h.Apply(ctx, journal(t, h), plan)
	require.Len(t, left, 1)
	require.ErrorIs(t, left[0].Err, ErrChanged)
	require.Equal(t, `{"a": 2}`, textOf(t, settings))
}
