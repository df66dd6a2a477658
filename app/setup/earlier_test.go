package setup

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// setUpEarlier returns a machine on which an earlier version has set up agents. before holds their files before that.
func setUpEarlier(t *testing.T, kind string) (h Host, before map[string]string) {
	t.Helper()
	h, before = host(t), map[string]string{}
	h.Program, h.State = "choicetui", filepath.Join(h.Home, ".local/state/choicetui")
	archive, err := txtar.ParseFile("testdata/earlier.txtar")
	require.NoError(t, err)
	for _, f := range archive.Files {
		if name, is := strings.CutPrefix(f.Name, kind+"/before/"); is {
			before[name] = string(f.Data)
		}
		if name, is := strings.CutPrefix(f.Name, kind+"/home/"); is {
			h.have(t, name, strings.ReplaceAll(string(f.Data), "HOME", h.Home))
		}
	}
	require.NotEmpty(t, before)
	if kind == "with" {
		like, _, _ := codexLike(t, "", nil)
		h.Find = func(name string) (string, error) {
			if name != "codex" {
				return "", fs.ErrNotExist
			}
			return "/bin/codex", nil
		}
		h.Run = func(ctx context.Context, dir string, command []string) (string, error) {
			require.Equal(t, "remove", command[2])
			like.have(t, ".codex/config.toml", textOf(t, filepath.Join(h.Home, ".codex/config.toml")))
			out, err := like.Run(ctx, dir, command)
			h.have(t, ".codex/config.toml", textOf(t, filepath.Join(like.Home, ".codex/config.toml")))
			return out, err
		}
	}
	return h, before
}

// settings returns the files in a home directory except those of the journal.
func (h Host) settings(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(h.Home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(path, h.State) {
			return err
		}
		name, _ := filepath.Rel(h.Home, path)
		all[name] = textOf(t, path)
		return nil
	}))
	return all
}

func (h Host) removed(t *testing.T, j *Journal) {
	t.Helper()
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, r.Left)
		require.Empty(t, h.Undo(t.Context(), j, r), r.Client.Name)
	}
	require.Empty(t, j.done)
}

// withComment holds a comment that `codex mcp add` drops.
func withComment(text string) string {
	return strings.Replace(text, "[mcp_servers.elicits]\n", "[mcp_servers.elicits] # e\n", 1)
}

func TestWhatAnEarlierVersionPutInIsTakenOutByteForByte(t *testing.T) {
	for _, kind := range []string{"without", "with"} {
		h, before := setUpEarlier(t, kind)
		h.removed(t, journal(t, h))
		require.Equal(t, before, h.settings(t), kind)
	}
}

func TestWhatAnEarlierVersionPutInIsUpgradedAndTakenOutByteForByte(t *testing.T) {
	for _, kind := range []string{"without", "with"} {
		h, before := setUpEarlier(t, kind)
		j := journal(t, h)
		chosen, err := h.Choose(t.Context(), nil)
		require.NoError(t, err)
		for _, c := range chosen {
			_, left := h.Apply(t.Context(), j, h.Survey(c))
			require.Empty(t, left, "what is there already needs no hand")
			require.True(t, h.Survey(c).Nothing(), c.Name)
		}
		if kind == "without" {
			require.Contains(t, textOf(t, filepath.Join(h.Home, ".claude.json")), "alwaysLoad", "this is new")
		}
		h.removed(t, j)
		require.Equal(t, before, h.settings(t), kind)
	}
}

func TestWhatAnEarlierVersionPutInIsTakenOutOfFilesThatChangedSince(t *testing.T) {
	for _, kind := range []string{"without", "with"} {
		h, before := setUpEarlier(t, kind)
		for name, text := range h.settings(t) {
			switch filepath.Ext(name) {
			case ".json":
				h.have(t, name, strings.Replace(text, "{", `{"mine": 1,`, 1))
			case ".toml":
				h.have(t, name, "mine = 1\n"+text)
			case ".yaml":
				h.have(t, name, "mine: 1\n"+text)
			}
		}
		h.removed(t, journal(t, h))
		for name, text := range h.settings(t) {
			require.NotContains(t, text, "choicetui\"", name)
			require.NotContains(t, text, "choicetui:", name)
			require.Contains(t, text, "mine", name)
			if !strings.HasSuffix(name, ".json") {
				require.Contains(t, withComment(text), before[name], name)
			}
		}
	}
}

// If the added piece has changed, the agent's command removes it, or else the person does.
func TestWhatIsNotAsAnEarlierVersionPutItInIsTakenOutByItsAgentOrByHand(t *testing.T) {
	h, before := setUpEarlier(t, "with")
	path := filepath.Join(h.Home, ".codex/config.toml")
	h.have(t, ".codex/config.toml", strings.Replace(textOf(t, path), "tool_timeout_sec = 86400", "tool_timeout_sec = 5", 1))
	h.removed(t, journal(t, h))
	require.Equal(t, before[".codex/config.toml"], withComment(textOf(t, path)))

	h, _ = setUpEarlier(t, "without")
	path = filepath.Join(h.Home, ".config/goose/config.yaml")
	own := strings.Replace(textOf(t, path), "timeout: 86400", "timeout: 5", 1)
	h.have(t, ".config/goose/config.yaml", own)
	j := journal(t, h)
	all := h.Removals(j, []string{"goose"})
	require.Len(t, all[0].Left, 1)
	require.Contains(t, all[0].Left[0].Words(), path+": ")
	require.Contains(t, all[0].Left[0].Words(), "extensions.choicetui was changed after choicetui added it; take it out by hand")
	require.NotEmpty(t, h.Undo(t.Context(), j, all[0]))
	require.Equal(t, own, textOf(t, path))
	require.NoError(t, os.WriteFile(path, []byte("# mine\n"), 0o600))
	h.removed(t, j)
}
