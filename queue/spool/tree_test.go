package spool

import (
	"errors"
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
	_, err = s.Watch(t.Context(), queue.AllNews)
	require.ErrorAs(t, err, &unsafe)
}

// What runs stops using a directory that others may have changed, in every way in which it uses it, and goes on once the
// directory is the person's own again.
func TestADirectoryThatIsOpenedOrReplacedIsNotUsedAnyMore(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct{ spoil, repair func(dir string) error }{
		"opened to others": {func(dir string) error { return os.Chmod(dir, 0o777) },
			func(dir string) error { return os.Chmod(dir, 0o700) }},
		"replaced by a link": {func(dir string) error { return errors.Join(os.Rename(dir, dir+"x"), os.Symlink(dir+"x", dir)) },
			func(dir string) error { return errors.Join(os.Remove(dir), os.Rename(dir+"x", dir)) }},
		"a part replaced by a link": {func(dir string) error {
			live := filepath.Join(dir, liveDir)
			return errors.Join(os.Rename(live, live+"x"), os.Symlink(live+"x", live))
		}, func(dir string) error {
			live := filepath.Join(dir, liveDir)
			return errors.Join(os.Remove(live), os.Rename(live+"x", live))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			q := queue.New(s)
			was := storetest.Create(t, s)
			w, err := s.Watch(t.Context(), queue.AllNews)
			require.NoError(t, err)
			defer w.Close()
			_, err = w.Next(t.Context())
			require.NoError(t, err)
			require.NoError(t, change.spoil(s.dir))
			ctx, id := t.Context(), was.ID
			for use, err := range map[string]error{
				"create":  second(q.Create(ctx, queue.Session{Ask: storetest.Ask()})),
				"get":     second(s.Get(ctx, id)),
				"put":     second(s.Put(ctx, was)),
				"sync":    s.Sync(ctx, id),
				"live":    third(s.Live(ctx)),
				"history": third(s.History(ctx, "", 1, queue.Whole)),
				"count":   second(s.CountHistory(ctx)),
				"draft":   s.SaveDraft(ctx, queue.Draft{Session: id, Instance: "i"}),
				"drafts":  second(s.Drafts(ctx, id)),
				"present": second(s.Present(ctx)),
				"watch":   second(w.Next(ctx)),
			} {
				var unsafe *Unsafe
				require.ErrorAs(t, err, &unsafe, use)
			}
			require.NoError(t, change.repair(s.dir))
			now, err := s.Get(ctx, id)
			require.NoError(t, err)
			require.Equal(t, was, now)
			added := storetest.Create(t, s)
			for ch := (queue.Changes{}); len(ch.Sessions) == 0; {
				ch, err = w.Next(ctx)
				require.NoError(t, err)
				if len(ch.Sessions) > 0 {
					require.Equal(t, added.ID, ch.Sessions[0].ID)
				}
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }

func third[T, U any](_ T, _ U, err error) error { return err }

func TestADirectoryThatIsRemovedIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	require.NoError(t, os.RemoveAll(s.dir))
	storetest.Create(t, s)
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
