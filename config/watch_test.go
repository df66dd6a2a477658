package config

import (
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"
)

func TestWhatEventsTellIsLookedForRarely(t *testing.T) {
	f := Open(filepath.Join(t.TempDir(), "choicetui", "config.json"))
	notify, err := fsnotify.NewWatcher()
	require.NoError(t, err)
	w := &watch{file: f, notify: notify}
	w.arm()
	require.Equal(t, pollRarely, w.every())
	require.NoError(t, notify.Close()) // as where there are no more watches to be had
	w.arm()
	require.Equal(t, pollEvery, w.every())
	require.Equal(t, pollEvery, (&watch{file: f}).every(), "no events at all")
}
