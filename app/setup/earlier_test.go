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

// setUpEarlier returns a machine on which an earlier build has set up agents. before holds their files before that.
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

// settings returns the files in a home directory except the copies.
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

func (h Host) removed(t *testing.T, j *Backups) {
	t.Helper()
	for _, r := range h.Removals(j, nil) {
		require.Empty(t, r.Left)
		require.Empty(t, h.Remove(t.Context(), j, r), r.Client.Name)
	}
	require.Empty(t, j.all)
}

func TestWhatAnEarlierBuildPutInIsTakenOutByteForByte(t *testing.T) {
	for _, kind := range []string{"without", "with"} {
		h, before := setUpEarlier(t, kind)
		h.removed(t, backups(t, h))
		require.Equal(t, before, h.settings(t), kind)
	}
}

func TestWhatAnEarlierBuildPutInIsUpgradedAndTakenOutByteForByte(t *testing.T) {
	for _, kind := range []string{"without", "with"} {
		h, before := setUpEarlier(t, kind)
		j := backups(t, h)
		chosen, err := h.Choose(t.Context(), nil)
		require.NoError(t, err)
		for _, c := range chosen {
			_, left := h.Apply(t.Context(), j, h.Survey(c))
			require.Empty(t, left, "what is there already needs no hand")
			require.True(t, h.Survey(c).Nothing(), c.Name)
		}
		h.removed(t, j)
		require.Equal(t, before, h.settings(t), kind)
	}
}

func TestWhatAnEarlierBuildPutInIsTakenOutOfFilesThatChangedSince(t *testing.T) {
	for _, kind := range []string{"without", "with"} {
		for _, keepsCopies := range []bool{true, false} {
			h, before := setUpEarlier(t, kind)
			if !keepsCopies {
				require.NoError(t, os.RemoveAll(h.State))
			}
			for name, text := range h.settings(t) {
				if filepath.Ext(name) == ".toml" {
					h.have(t, name, "mine = 1\n"+text)
				} else {
					h.have(t, name, strings.Replace(text, "{", `{"mine": 1,`, 1))
				}
			}
			h.removed(t, backups(t, h))
			for name, text := range h.settings(t) {
				require.NotContains(t, strings.ReplaceAll(text, h.Home, ""), "choicetui", name)
				require.Contains(t, text, "mine", name)
				if was, found := before[name]; found && kind == "without" { // the programs of agents change the layout
					text = strings.Replace(text, "} // first", "}, // first", 1) // that build left out the last comma
					require.Equal(t, strings.Replace(was, "{", `{"mine": 1,`, 1), text, name)
				}
			}
		}
	}
}

func TestAHookOfAnotherEventGoesAndThatOfAnotherProgramStays(t *testing.T) {
	h := host(t)
	const theirs = `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "rtk hook claude"}]}]}}`
	path := h.have(t, ".claude/settings.json", `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "rtk hook claude"}]}, `+
		`{"hooks": [{"command": "'/old x/choicetui' hook claude --timeout 5"}]}], "Stop": [{"hooks": [{"command": "/old/choicetui-2", "args": ["hook", "claude"]}]}]}}`)
	j := backups(t, h)
	h.removed(t, j)
	require.Equal(t, theirs, textOf(t, path))

	_, left := h.Apply(t.Context(), j, h.Survey(clientOf(t, "claude")))
	require.Empty(t, left)
	require.Contains(t, textOf(t, path), `"rtk hook claude"`, "it is not taken for an old hook of ours")
}
