package jetstream

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// local returns an empty queue whose processes keep their locks in one directory of this machine.
func local(t *testing.T) *Store {
	t.Helper()
	return openAt(t, Options{URL: sharedURL(t), Bucket: "t-" + queue.NewToken(), Local: filepath.Join(t.TempDir(), "run")})
}

func TestAProcessOfThisMachineThatIsKilledIsKnownToBeDeadAtOnce(t *testing.T) {
	t.Parallel()
	s := local(t)
	p := start(t, s, "announce")
	require.Equal(t, "ready", p.line())
	require.Len(t, present(t, s), 1)
	followed := again(t, s)
	_ = watching(t, followed)
	require.Len(t, present(t, followed), 1)
	elsewhere := openAt(t, Options{URL: s.link.options.URL, Bucket: s.link.options.Bucket,
		Local: filepath.Join(t.TempDir(), "run")}) // another machine

	p.kill()
	began := time.Now()
	require.Empty(t, present(t, followed), "without an answer of the server's")
	require.Empty(t, present(t, s))
	require.Less(t, time.Since(began), time.Second)
	require.Empty(t, present(t, elsewhere), "and the server was told")
}

func TestWhoStandsStillOrIsOnAnotherMachineIsNotTakenForDead(t *testing.T) {
	t.Parallel()
	s := local(t)
	p := start(t, s, "announce")
	require.Equal(t, "ready", p.line())
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGSTOP))
	require.Len(t, present(t, s), 1, "it may go on")
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGCONT))

	elsewhere := openAt(t, Options{URL: s.link.options.URL, Bucket: s.link.options.Bucket,
		Local: filepath.Join(t.TempDir(), "run")})
	p.kill()
	require.Len(t, present(t, elsewhere), 1, "nothing is known of it there")
}

func TestWhatOthersCanWriteToSaysNothingOfWhoIsDead(t *testing.T) {
	t.Parallel()
	s := local(t)
	p := start(t, s, "announce")
	require.Equal(t, "ready", p.line())
	dir := s.link.options.Local
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, 1)
	p.kill()
	require.NoError(t, os.Chmod(dir, 0o777))
	require.Len(t, present(t, s), 1)
	require.NoError(t, os.Chmod(dir, 0o700))
	for _, name := range []string{"", ".", "..", "../" + filepath.Base(dir), "a/b", "none"} {
		require.False(t, s.held.hasDied(name), name)
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	require.NoError(t, os.Symlink(names[0].Name(), filepath.Join(dir, "link")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	for _, name := range []string{"folder", "link", "fifo"} {
		require.False(t, s.held.hasDied(name), name)
	}
}

func TestTheFilesOfTheDeadAreSweptAndThoseOfTheLivingStay(t *testing.T) {
	t.Parallel()
	s := local(t)
	dir := s.link.options.Local
	_, err := s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleBridge})
	require.NoError(t, err)
	old := filepath.Join(dir, "dead")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	long := time.Now().Add(-2 * heldStale)
	for _, path := range []string{old, filepath.Join(dir, s.me)} {
		require.NoError(t, os.Chtimes(path, long, long))
	}
	other := again(t, s)
	release, err := other.Announce(t.Context(), queue.Presence{Instance: "other", Role: queue.RoleBridge})
	require.NoError(t, err)
	require.NoFileExists(t, old)
	require.FileExists(t, filepath.Join(dir, s.me))
	require.NoError(t, release())
	require.NoError(t, other.Close())
	require.NoFileExists(t, filepath.Join(dir, other.me))
	require.Len(t, present(t, s), 1)
}
