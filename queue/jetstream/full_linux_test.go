package jetstream

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAServerThatCannotWriteToItsDiskIsSaidToStoreNothingUntilItIsStartedAgain(t *testing.T) {
	t.Parallel()
	n := startServer(t)
	s := n.open()
	_, err := s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleBridge})
	require.NoError(t, err)
	for range 20 {
		storetest.Create(t, s)
	}
	limit := func(bytes uint64) { // limits the size of every file, as if the disk were full beyond it
		pid := n.cmd.Process.Pid
		require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil))
	}
	limit(4 << 10) // the announcements are smaller, the questions larger
	require.ErrorIs(t, TryRoom(t.Context(), s), errStoresNothing)
	limit(unix.RLIM_INFINITY) // and it stays so when there is room again
	n.kill()
	n.start()
	require.Len(t, liveOf(t, s), 20)
	require.NoError(t, TryRoom(t.Context(), s))
}
