package socket

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAppServerOfAnotherUserIsAskedNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can listen as somebody else")
	}
	dir, err := os.MkdirTemp("", "cx")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o777))
	path, listens := filepath.Join(dir, "s"), make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: this thread is another user's, and ends with the goroutine
		const nobody = 65534
		if _, _, failed := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), nobody, ^uintptr(0)); failed != 0 {
			listens <- failed
			return
		}
		l, err := net.Listen("unix", path)
		if err == nil {
			t.Cleanup(func() { l.Close() })
		}
		listens <- err
	}()
	require.NoError(t, <-listens)
	_, err = DialOwn(soon(t), path)
	require.ErrorIs(t, err, ErrNoServer)
	require.ErrorContains(t, err, "user 65534 listens there")
}
