package spool

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// Each refusal names a command that repairs the directory.
func TestAnUnsafeDirectoryIsRefusedWithTheCommandThatRepairsIt(t *testing.T) {
	t.Parallel()
	root := os.Geteuid() == 0
	for name, c := range map[string]struct {
		make   func(dir string) error
		repair string // %s is the quoted directory
		skip   bool
	}{
		"open to the group": {func(dir string) error { return os.Chmod(dir, 0o750) }, "chmod 700 %s", false},
		"open to others":    {func(dir string) error { return os.Chmod(dir, 0o701) }, "chmod 700 %s", false},
		"of another user":   {func(dir string) error { return os.Chown(dir, 12345, -1) }, "chown -R 0 %s", !root},
		"live of another user": {func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, liveDir), 0o700); err != nil {
				return err
			}
			return os.Chown(filepath.Join(dir, liveDir), 12345, -1)
		}, "chown -R 0 %s", !root},
		"a link": {func(dir string) error {
			if err := os.Remove(dir); err != nil {
				return err
			}
			return os.Symlink(t.TempDir(), dir)
		}, "rm %s", false},
		"a file": {func(dir string) error {
			if err := os.Remove(dir); err != nil {
				return err
			}
			return os.WriteFile(dir, nil, 0o600)
		}, "mv %s", false},
	} {
		t.Run(name, func(t *testing.T) {
			if c.skip {
				t.Skip("needs root")
			}
			dir := filepath.Join(t.TempDir(), "it's a queue")
			require.NoError(t, os.Mkdir(dir, 0o700))
			require.NoError(t, c.make(dir))
			_, err := Open(dir)
			var unsafe *Unsafe
			require.ErrorAs(t, err, &unsafe)
			want := strings.ReplaceAll(c.repair, "%s", shellQuote(dir))
			require.Contains(t, err.Error(), want)

			out, err := exec.Command("sh", "-c", strings.TrimPrefix(unsafe.Repair, "sudo ")).CombinedOutput()
			require.NoError(t, err, string(out))
			s, err := Open(dir)
			require.NoError(t, err)
			storetest.Create(t, s)
		})
	}
}

func TestADirectoryThatBecameUnsafeAfterOpenIsRefusedToo(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, os.MkdirAll(s.dir, 0o755))
	require.NoError(t, os.Chmod(s.dir, 0o755))
	_, err := queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	var unsafe *Unsafe
	require.ErrorAs(t, err, &unsafe)
	_, err = s.Watch(t.Context())
	require.ErrorAs(t, err, &unsafe)
}

func TestADirectoryThatIsOpenedToOthersTakesNoMoreQuestions(t *testing.T) {
	t.Parallel()
	s := open(t)
	was := storetest.Create(t, s)
	require.NoError(t, os.Chmod(s.dir, 0o777))
	_, err := queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	var unsafe *Unsafe
	require.ErrorAs(t, err, &unsafe)
	require.Equal(t, "chmod 700 '"+s.dir+"'", unsafe.Repair)
	live, _, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Equal(t, []queue.Session{was}, live)

	require.NoError(t, os.Chmod(s.dir, 0o700))
	storetest.Create(t, s)
	require.NoError(t, os.RemoveAll(s.dir))
	storetest.Create(t, s) // it is made again
}

// A full disk and a read-only one are clear errors, and no partial file is left.
func TestADiskThatIsFullOrReadOnlyIsAClearError(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root to mount")
	}
	dir := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(dir, 0o700))
	if err := syscallMount(dir, "size=256k", false); err != nil {
		t.Skip("no mount here:", err)
	}
	t.Cleanup(func() { _ = unmount(dir) })
	s, err := Open(filepath.Join(dir, "queue"))
	require.NoError(t, err)
	v := storetest.Create(t, s)
	require.NoError(t, fill(filepath.Join(dir, "ballast")))
	_, err = queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.Contains(t, err.Error(), "failed to keep session")
	_, err = s.Put(t.Context(), v)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.Empty(t, list(t, s, tmpDir))
	require.NoError(t, os.Remove(filepath.Join(dir, "ballast")))
	v, err = s.Put(t.Context(), v)
	require.NoError(t, err, "tried again once there is room")

	require.NoError(t, syscallMount(dir, "size=256k", true))
	_, err = s.Put(t.Context(), v)
	require.ErrorIs(t, err, syscall.EROFS)
	got, err := s.Get(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, v, got)
}

func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return nil // full now
		}
	}
}

func TestCountHistoryCountsWhatHistoryPagesThrough(t *testing.T) {
	s := open(t)
	n, err := s.CountHistory(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	for range 3 {
		require.NoError(t, s.Archive(t.Context(), storetest.Finish(t, s, storetest.Create(t, s), time.Second)))
	}
	months, err := s.listMonths()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.path(doneDir, months[0], "notes.txt"), nil, 0o600)) // no session
	n, err = s.CountHistory(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, n)
}

func TestAPlaceIsLookedAtBeforeAnythingWasAskedThereToo(t *testing.T) {
	dir := t.TempDir()
	p, err := Look(dir)
	require.NoError(t, err)
	require.NoError(t, p.Links)
	require.NotZero(t, p.Free)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "what was tried there is gone again")
}

func TestAPlaceThatTakesNoFileIsNotOneWithoutLinks(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, tmpDir), nil, 0o600)) // a file in place of the directory fails for root too
	p, err := Look(dir)
	require.ErrorContains(t, err, "failed to write to the queue")
	require.NoError(t, p.Links)
}
