package whole

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAFileIsReplacedWholeAndForThisUserAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "kept.json")
	require.NoError(t, os.WriteFile(path, []byte("old and longer"), 0o644))
	require.NoError(t, Write(path, ".kept-*.tmp", []byte("new")))
	require.NoError(t, SyncDir(dir))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	is, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), is.Mode().Perm())
}

func TestWhatCannotBePutInPlaceLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "taken", "full"), 0o700))
	require.Error(t, Write(filepath.Join(dir, "taken"), ".kept-*.tmp", []byte("new")))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestOneHasTheLockAtATime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, err := Lock(t.Context(), dir, 0)
	require.NoError(t, err)
	_, err = Lock(t.Context(), dir, 20*time.Millisecond)
	require.ErrorIs(t, err, ErrLocked)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Lock(ctx, dir, time.Minute)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, first.Close())
	again, err := Lock(t.Context(), dir, 0)
	require.NoError(t, err)
	require.NoError(t, again.Close())
	_, err = Lock(t.Context(), filepath.Join(dir, "nowhere"), 0)
	require.ErrorIs(t, err, os.ErrNotExist)
}
