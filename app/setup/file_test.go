package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// host returns an empty machine without any agent's program.
func host(t *testing.T) Host {
	home := t.TempDir()
	return Host{Program: "/opt/choicetui", Home: home, Config: filepath.Join(home, ".config"),
		State: filepath.Join(home, ".local/state/choicetui"), Env: func(string) string { return "" }, Environ: func() []string { return nil },
		Find: func(string) (string, error) { return "", fs.ErrNotExist },
		Run:  func(context.Context, string, []string) (string, error) { return "", errors.New("no such program") }}
}

func backups(t *testing.T, h Host) *Backups {
	t.Helper()
	j, err := OpenBackups(h.State)
	require.NoError(t, err)
	t.Cleanup(j.Close)
	return j
}

func (h Host) have(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(h.Home, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o640))
	return path
}

func textOf(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(raw)
}

func TestAFileIsWrittenThroughItsLinkWithItsModeAndACopyKeptElsewhere(t *testing.T) {
	h := host(t)
	real := h.have(t, "dotfiles/cursor.json", "{}\n")
	link := filepath.Join(h.Home, ".cursor", "mcp.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o755))
	require.NoError(t, os.Symlink("../dotfiles/cursor.json", link))
	j := backups(t, h)
	said, left := h.Apply(context.Background(), j, h.Survey(clientOf(t, "cursor")))
	require.Empty(t, said)
	require.Empty(t, left)
	is, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, is.Mode()&fs.ModeSymlink, "the link is one still")
	is, err = os.Stat(real)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), is.Mode().Perm())
	require.Contains(t, textOf(t, real), "/opt/choicetui")
	for _, dir := range []string{filepath.Dir(real), filepath.Dir(link)} {
		beside, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, beside, 1, "nothing lies beside it")
	}
	kept, err := filepath.Glob(filepath.Join(h.State, "setup", "cursor-*"))
	require.NoError(t, err)
	require.Len(t, kept, 1)
	is, err = os.Stat(kept[0])
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), is.Mode().Perm())
	require.Equal(t, "{}\n", textOf(t, kept[0]))
}

func TestAFileThatChangedSinceItWasShownIsLeftAlone(t *testing.T) {
	h := host(t)
	path := h.have(t, ".cursor/mcp.json", "{}\n")
	plan := h.Survey(clientOf(t, "cursor"))
	h.have(t, ".cursor/mcp.json", `{"mine": 1}`)
	j := backups(t, h)
	_, left := h.Apply(context.Background(), j, plan)
	require.Len(t, left, 1)
	require.ErrorIs(t, left[0].Err, ErrChanged)
	require.Equal(t, `{"mine": 1}`, textOf(t, path))
	require.Empty(t, h.Removals(j, nil), "nothing is remembered that was not done")
}

func TestWhatIsNoFileIsLeftAlone(t *testing.T) {
	h := host(t)
	require.NoError(t, os.MkdirAll(filepath.Join(h.Home, ".cursor/mcp.json"), 0o755))
	plan := h.Survey(clientOf(t, "cursor"))
	require.Len(t, plan.Left, 1)
	require.Contains(t, plan.Left[0].Words(), "mcp.json: this is a directory")
}

func TestTwoSetUpsAtOnceLoseNothing(t *testing.T) {
	h := host(t)
	path := h.have(t, ".cursor/mcp.json", "{\"a\": 1}\n")
	var both sync.WaitGroup
	for range 2 {
		plan := h.Survey(clientOf(t, "cursor"))
		both.Go(func() {
			j, err := OpenBackups(h.State)
			if err != nil {
				return
			}
			defer j.Close()
			h.Apply(context.Background(), j, plan)
		})
	}
	both.Wait()
	require.Equal(t, 1, strings.Count(textOf(t, path), "choicetui\": {"))
	j := backups(t, h)
	require.Empty(t, h.Remove(context.Background(), j, h.Removals(j, nil)[0]))
	require.Equal(t, "{\"a\": 1}\n", textOf(t, path))
}

func TestEveryAgentIsSetUpAndTakenOutByteForByte(t *testing.T) {
	h := host(t)
	before := map[string]string{}
	ctx, j := context.Background(), backups(t, h)
	for _, name := range Names() {
		c := clientOf(t, name)
		if name == "opencode2" || c.Server.Format != agent.JSON { // opencode 2 uses the same file as opencode 1
			continue
		}
		text := "{ // c\n\t\"a\": [1, 2],\n}\n"
		path := h.have(t, strings.TrimPrefix(c.Server.File, "~/"), text)
		before[path] = text
		_, left := h.Apply(ctx, j, h.Survey(c))
		require.Empty(t, left, name)
		require.Contains(t, textOf(t, path), "/opt/choicetui", name)
		require.True(t, h.Survey(c).Nothing(), "%s: a second run changes nothing", name)
	}
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Remove(ctx, j, r), r.Client.Name)
	}
	for path, text := range before {
		require.Equal(t, text, textOf(t, path), path)
	}
	require.NoFileExists(t, filepath.Join(h.Home, ".claude/settings.json"), "what was made for it goes again")
	require.NoDirExists(t, filepath.Join(h.Home, ".claude"))
}

func TestAnAgentThatRewritesItsFileLosesNothingOfItsOwn(t *testing.T) {
	ctx, h := context.Background(), host(t)
	path := h.have(t, ".claude.json", `{"numStartups": 3}`)
	j := backups(t, h)
	_, left := h.Apply(ctx, j, h.Survey(clientOf(t, "claude")))
	require.Empty(t, left)

	// The agent changes the layout of its file, and adds keys of its own.
	h.have(t, ".claude.json", `{"mcpServers":{"choicetui":{"args":["mcp"],"command":"/opt/choicetui","type":"stdio","alwaysLoad":true,"timeout":86400000}},"numStartups":4}`)
	require.True(t, h.Survey(clientOf(t, "claude")).Nothing())
	require.Empty(t, h.Remove(ctx, j, h.Removals(j, []string{"claude"})[0]))
	require.JSONEq(t, `{"numStartups": 4}`, textOf(t, path))

	// The agent writes its settings back as they were before set-up: a second set-up adds the entry again, and it can be removed.
	_, left = h.Apply(ctx, j, h.Survey(clientOf(t, "claude")))
	require.Empty(t, left)
	h.have(t, ".claude.json", `{"numStartups": 5}`)
	plan := h.Survey(clientOf(t, "claude"))
	require.Len(t, plan.Edits, 1)
	_, left = h.Apply(ctx, j, plan)
	require.Empty(t, left)
	require.Contains(t, textOf(t, path), "/opt/choicetui")
	for _, r := range h.Removals(j, []string{"claude"}) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.Equal(t, `{"numStartups": 5}`, textOf(t, path))
}

func TestAProgramOfAnotherNameIsSetUpAndTakenOutAlike(t *testing.T) {
	for _, id := range []string{"claude", "gemini", "cursor", "zed"} {
		ctx, h := context.Background(), host(t)
		h.Program, h.Gate = "/opt/ct2", GateOwn
		at := slices.IndexFunc(agents.Clients(h.Program), func(c agent.Client) bool { return c.ID == id })
		c := agents.Clients(h.Program)[at]
		path := h.have(t, strings.TrimPrefix(c.Server.File, "~/"), "")
		j := backups(t, h)
		_, left := h.Apply(ctx, j, h.Survey(c))
		require.Empty(t, left, id)
		require.True(t, h.Survey(c).Nothing(), "%s: a second run changes nothing", id)
		for _, r := range h.Removals(j, nil) {
			require.Empty(t, h.Remove(ctx, j, r), id)
		}
		require.Empty(t, textOf(t, path), id)
	}
}

func TestAVersionIsFoundAmongWhatElseAProgramSays(t *testing.T) {
	for said, want := range map[string]string{
		"1.18.33\n": "1.18.33", "codex-cli 0.169.0": "0.169.0", "2.1.286 (Claude Code)\n": "2.1.286",
		"GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.\n": "1.0.102",
		"opencode2 v2.0.16-beta.3\n":                                                     "2.0.16-beta.3",
		"1.99.0\n4437686ffebaf200fa4a6e6e67f735f3edf24ada\nx64\n":                        "1.99.0",
		"WARNING: no helpers under (AbsolutePathBuf(\"/tmp/a-1.2\"))\ncodex-cli 0.169.0": "0.169.0",
		"no version here": "",
	} {
		require.Equal(t, want, versionIn(said))
	}
}

func TestCopiesStayForAMonthAfterARemoval(t *testing.T) {
	ctx, h, c := context.Background(), host(t), clientOf(t, "cursor")
	h.have(t, ".cursor/mcp.json", "{}\n")
	j := backups(t, h)
	copies := func() []string {
		all, err := filepath.Glob(filepath.Join(j.Dir(), "cursor-*"))
		require.NoError(t, err)
		return all
	}
	again := func() {
		_, left := h.Apply(ctx, j, h.Survey(c))
		require.Empty(t, left)
		require.Empty(t, h.Remove(ctx, j, h.Removals(j, nil)[0]))
	}
	again()
	require.Len(t, copies(), 1)
	require.Equal(t, "{}\n", textOf(t, copies()[0]))
	is, err := os.Stat(copies()[0])
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), is.Mode().Perm())
	old := copies()[0]
	require.NoError(t, os.Chtimes(old, time.Time{}, time.Now().Add(-KeepsCopies-time.Minute)))
	again()
	require.Len(t, copies(), 1)
	require.NotContains(t, copies(), old, "that one's month is over")
}

func TestOpencode2IsKnownByItsSettingsAlsoBehindAByteOrderMark(t *testing.T) {
	all := agents.Clients("choicetui")
	first := all[slices.IndexFunc(all, func(c agent.Client) bool { return c.ID == "opencode" })]
	for name, start := range map[string]string{"without": "", "with": string(byteOrderMark)} {
		h := host(t)
		require.NoError(t, os.MkdirAll(filepath.Dir(h.path(first.Server)), 0o700))
		require.NoError(t, os.WriteFile(h.path(first.Server), []byte(start+`{"mcp": {"servers": {}}}`), 0o600))
		require.Equal(t, "opencode2", h.clientByVersion(t.Context(), first, all).ID, name)
	}
}

func TestSettingsOfAntigravityAreNoSignOfGeminiCLI(t *testing.T) {
	h := host(t)
	chosen := func() (ids []string) {
		all, err := h.Choose(t.Context(), nil)
		require.NoError(t, err)
		for _, c := range all {
			ids = append(ids, c.ID)
		}
		return ids
	}
	require.NoError(t, os.MkdirAll(filepath.Join(h.Home, ".gemini", "tmp"), 0o700))
	require.Equal(t, []string{"gemini"}, chosen())
	h.have(t, ".gemini/config/mcp_config.json", "{}\n")
	require.Equal(t, []string{"antigravity"}, chosen())
	h.have(t, ".gemini/settings.json", "{}\n")
	require.Equal(t, []string{"gemini", "antigravity"}, chosen())
}

func TestACopyIsNotWrittenOverAFileThatChangedSince(t *testing.T) {
	ctx, h, c := context.Background(), host(t), clientOf(t, "cursor")
	path := h.have(t, ".cursor/mcp.json", "{\"a\": 1}\n")
	j := backups(t, h)
	_, left := h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)

	// The person changes the file, and then setup writes it again: the copy from before is out of date.
	h.have(t, ".cursor/mcp.json", strings.Replace(textOf(t, path), `"a": 1`, `"a": 2`, 1))
	h.Program = "/new/choicetui"
	all := agents.Clients(h.Program)
	_, left = h.Apply(ctx, j, h.Survey(all[slices.IndexFunc(all, func(c agent.Client) bool { return c.ID == "cursor" })]))
	require.Empty(t, left)
	require.Contains(t, textOf(t, path), "/new/choicetui")
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, h.Remove(ctx, j, r))
	}
	require.Equal(t, "{\"a\": 2}\n", textOf(t, path))

	// The person changes the file after a removal was shown.
	_, left = h.Apply(ctx, j, h.Survey(c))
	require.Empty(t, left)
	removals := h.Removals(j, nil)
	h.have(t, ".cursor/mcp.json", "{\"a\": 3}\n")
	left = h.Remove(ctx, j, removals[0])
	require.Len(t, left, 1)
	require.ErrorIs(t, left[0].Err, ErrChanged)
	require.Equal(t, "{\"a\": 3}\n", textOf(t, path))
}

func TestAValueLikeOursStaysWhereSetupWroteNothing(t *testing.T) {
	h := host(t)
	own := `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`
	h.have(t, ".claude/settings.json", own)
	require.Empty(t, h.Removals(backups(t, h), nil))
}

func TestAValueLikeOursStaysWhereThePersonHadItBefore(t *testing.T) {
	ctx, h := context.Background(), host(t)
	path := h.have(t, ".claude/settings.json", `{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`)
	j := backups(t, h)
	_, left := h.Apply(ctx, j, h.Survey(clientOf(t, "claude")))
	require.Empty(t, left)
	h.have(t, ".claude/settings.json", strings.Replace(textOf(t, path), "{", `{"mine": 1, `, 1))
	h.removed(t, j)
	require.Equal(t, `{"mine": 1, "env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "0"}}`, textOf(t, path))
}

func TestASetUpThatIsKilledAroundItsWriteIsTakenOut(t *testing.T) {
	const before = "{ // mine\n  \"a\": 1,\n}\n"
	for _, written := range []bool{false, true} {
		ctx, h, c := context.Background(), host(t), clientOf(t, "cursor")
		path := h.have(t, ".cursor/mcp.json", before)
		b := backups(t, h)
		edit := h.Survey(c).Edits[0]
		_, err := b.keep(c.ID, edit.File, edit.After)
		require.NoError(t, err)
		if written {
			_, err = edit.File.write(edit.After)
			require.NoError(t, err)
		}
		b.Close() // the process ends here

		b = backups(t, h)
		require.Len(t, h.Removals(b, nil), map[bool]int{true: 1}[written])
		for _, r := range h.Removals(b, nil) {
			require.Empty(t, h.Remove(ctx, b, r))
		}
		require.Equal(t, before, textOf(t, path))
		_, left := h.Apply(ctx, b, h.Survey(c))
		require.Empty(t, left)
		h.removed(t, b)
		require.Equal(t, before, textOf(t, path))
	}
}
