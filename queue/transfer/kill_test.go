package transfer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
)

// The test binary runs itself to move a queue from the directory that this names to the one in its arguments.
const childMoves = "CHOICETUI_TRANSFER_FROM"

func moveAsChild(from string) int {
	var ends [2]place
	for i, dir := range []string{from, os.Args[1]} {
		store, err := spool.Open(dir)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		ends[i] = place{store, dir}
	}
	if _, err := move(context.Background(), ends[0], ends[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// killedMove moves in a process of its own that is killed once so many more have arrived; whole says that it had
// finished before.
func killedMove(t *testing.T, from, to string, more int) (whole bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], to)
	cmd.Env = append(os.Environ(), childMoves+"="+from)
	cmd.Stderr = os.Stderr
	arrived := func() int {
		names, _ := os.ReadDir(to + "/live")
		return len(names)
	}
	enough := arrived() + more
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for arrived() < enough {
			select {
			case <-ended:
				return
			case <-time.After(time.Millisecond):
			}
		}
		_ = cmd.Process.Kill()
	})
	err := cmd.Wait()
	close(ended)
	watch.Wait()
	if err != nil && cmd.ProcessState.ExitCode() >= 0 {
		require.NoError(t, err, "it was not killed, it failed")
	}
	return err == nil
}

func TestAMoveThatIsKilledGoesOn(t *testing.T) {
	t.Parallel()
	const rounds, waiting = 4, 24
	dirs, random, killed := [2]string{t.TempDir() + "/a", t.TempDir() + "/b"}, rand.New(rand.NewPCG(4, 2)), 0
	ends := [2]place{}
	for i, dir := range dirs {
		store, err := spool.Open(dir)
		require.NoError(t, err)
		ends[i] = place{store, dir}
	}
	for i := range waiting {
		s := storetest.Create(t, ends[0].Store)
		if i%4 == 0 {
			give(t, ends[0], s.ID, queue.Settle{Answer: storetest.Answer("a")})
		}
	}
	for round := range rounds {
		from, to := round%2, 1-round%2
		for whole := false; !whole; {
			whole = killedMove(t, dirs[from], dirs[to], 1+random.IntN(12))
			if !whole {
				killed++
			}
		}
		report := mustMove(t, ends[from], ends[to])
		require.Equal(t, waiting*3/4, report.Waiting)
		require.Equal(t, waiting/4, report.Answered)
		requireOpen(t, ends[from], map[string]string{})
	}
	require.Greater(t, killed, rounds, "it was killed in the middle")
}
