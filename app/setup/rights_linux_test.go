package setup

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// nobody is a user id that differs from the one that runs the tests.
const nobody = 65534

// asNobody runs f with the file permissions of nobody, because tests often run as root, who may read everything.
func asNobody(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		runtime.LockOSThread() // Linux keeps these permissions by thread
		defer runtime.UnlockOSThread()
		require.NoError(t, unix.Setfsuid(nobody))
		defer func() { require.NoError(t, unix.Setfsuid(0)) }()
	}
	f()
}

// forNobody makes the user nobody the owner of the home directory.
func (h Host) forNobody(t *testing.T) {
	t.Helper()
	require.NoError(t, os.Chmod(filepath.Dir(h.Home), 0o711))
	if os.Geteuid() == 0 {
		require.NoError(t, filepath.Walk(h.Home, func(path string, _ os.FileInfo, err error) error {
			require.NoError(t, err)
			return os.Chown(path, nobody, nobody)
		}))
	}
}

func TestAFileThatCannotBeWrittenOrReadStaysAsItIs(t *testing.T) {
	h := host(t)
	path := h.have(t, ".cursor/mcp.json", "{}\n")
	require.NoError(t, os.MkdirAll(h.State, 0o700))
	h.forNobody(t)
	require.NoError(t, os.Chmod(filepath.Dir(path), 0o500))
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
	asNobody(t, func() {
		j := backups(t, h)
		_, left := h.Apply(context.Background(), j, h.Survey(clientOf(t, "cursor")))
		require.Len(t, left, 1)
		require.Contains(t, left[0].Words(), "mcp.json: this cannot be written: permission denied; give yourself permission")
		require.Empty(t, j.all, "nothing is remembered that was not done")
		require.NoError(t, os.Chmod(path, 0))
		plan := h.Survey(clientOf(t, "cursor"))
		require.Len(t, plan.Left, 1)
		require.Contains(t, plan.Left[0].Words(), "mcp.json: this cannot be read: permission denied; give yourself permission")
	})
	require.NoError(t, os.Chmod(path, 0o600))
	require.Equal(t, "{}\n", textOf(t, path))
}

func TestAWriteKeepsAnotherOwnerAndTheMode(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may write for somebody else")
	}
	h := host(t)
	path := h.have(t, ".cursor/mcp.json", "{}\n")
	require.NoError(t, os.Chown(path, nobody, 12345))
	require.NoError(t, os.Chmod(path, 0o664))
	j := backups(t, h)
	owned := func() {
		var is syscall.Stat_t
		require.NoError(t, syscall.Stat(path, &is))
		require.Equal(t, [3]uint32{nobody, 12345, 0o664}, [3]uint32{is.Uid, is.Gid, is.Mode & 0o777})
	}
	_, left := h.Apply(context.Background(), j, h.Survey(clientOf(t, "cursor")))
	require.Empty(t, left)
	require.Contains(t, textOf(t, path), "/opt/choicetui")
	owned()
	require.Empty(t, h.Remove(context.Background(), j, h.Removals(j, nil)[0]))
	require.Equal(t, "{}\n", textOf(t, path))
	owned()
}

func TestADiskThatFillsUpInTheMiddleLosesNothing(t *testing.T) {
	h := host(t)
	dir := filepath.Join(h.Home, ".cursor")
	require.NoError(t, os.Mkdir(dir, 0o755))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k,mode=700"); err != nil {
		t.Skip("no disk can be mounted here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	text := "{\"a\": \"" + strings.Repeat("x", 40<<10) + "\"}\n" // one copy fits on the disk, two do not
	path := h.have(t, ".cursor/mcp.json", text)
	j := backups(t, h)
	_, left := h.Apply(context.Background(), j, h.Survey(clientOf(t, "cursor")))
	require.Len(t, left, 1)
	require.Contains(t, left[0].Words(), "this cannot be written: no space left on device; free some space and run it again")
	require.Equal(t, text, textOf(t, path))
	beside, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, beside, 1, "the half that was written is gone")
	require.Empty(t, h.Removals(j, nil), "nothing is remembered that was not done")
}
