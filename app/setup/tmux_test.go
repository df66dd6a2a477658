package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheTmuxLineIsRemovedByteForByte(t *testing.T) {
	for _, before := range []string{"", "set -g mouse on", "set -g mouse on\n", "a\n\n\n", "bind-key b x\n"} {
		k := TmuxKey{Key: "a", File: File{Text: []byte(before)}, args: []string{"bind-key", "a", "run-shell", "-C", "x"}}
		assert.Contains(t, string(k.After()), "\nset-option -g focus-events on")
		k.File.Text = k.After()
		assert.Equal(t, "a", k.BoundKey())
		assert.Equal(t, string(k.File.Text), string(k.After()), "a second run changes nothing")
		assert.Equal(t, before, string(k.Without()))
	}
}

func TestATmuxWithoutPopupsIsTooOld(t *testing.T) {
	for said, want := range map[string]string{"tmux 3.1c\n": "tmux 3.1c", "tmux 2.9a": "tmux 2.9a", "tmux 3.2": "",
		"tmux 3.3a": "", "tmux next-3.6": "", "tmux 10.0": "", "tmux master": ""} {
		h := Host{Run: func(context.Context, string, []string) (string, error) { return said, nil }}
		old, err := h.TmuxTooOld(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, old, said)
	}
	missing := errors.New("not found")
	h := Host{Run: func(context.Context, string, []string) (string, error) { return "", missing }}
	_, err := h.TmuxTooOld(t.Context())
	require.ErrorIs(t, err, missing)
}

func TestAFileBehindALinkIsNamed(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles.conf"), filepath.Join(dir, ".tmux.conf")
	require.NoError(t, os.WriteFile(real, []byte("set -g mouse on\n"), 0o646))
	require.NoError(t, os.Chmod(real, 0o646))
	require.NoError(t, os.Symlink("dotfiles.conf", link))
	file, err := ReadFile(link)
	require.NoError(t, err)
	require.Equal(t, " (a link to "+real+")", file.Leads())
	require.True(t, file.OpenToOthers())
	file, err = ReadFile(real)
	require.NoError(t, err)
	require.Empty(t, file.Leads())
}
