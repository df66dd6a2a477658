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

// childMoves makes the test binary move a queue from the directory that it names to the one in its arguments.
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

// killedMove runs a move in a child process and kills it some time after that many steps. A step is a session that is
// open at the new place or closed at the old one. whole reports that the move had finished before.
func killedMove(t *testing.T, from, to string, steps int, later time.Duration) (whole bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], to)
	cmd.Env = append(os.Environ(), childMoves+"="+from)
	cmd.Stderr = os.Stderr
	open := func(dir string) int {
		names, _ := os.ReadDir(dir + "/live")
		return len(names)
	}
	steps += open(to) - open(from)
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for open(to)-open(from) < steps {
			select {
			case <-ended:
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
		time.Sleep(later)
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

// openAt returns the state of each open session at a place.
func openAt(t *testing.T, at place) map[string]string {
	t.Helper()
	live, broken, err := at.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, broken)
	open := map[string]string{}
	for _, s := range live {
		if !s.Final {
			open[s.ID] = s.Status()
		}
	}
	return open
}

func TestAMoveThatIsKilledAnywhereLeavesOneQueueWholeAndIsRunAgain(t *testing.T) {
	t.Parallel()
	const rounds, waiting = 4, 20
	dirs, random := [2]string{t.TempDir() + "/a", t.TempDir() + "/b"}, rand.New(rand.NewPCG(4, 2))
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
	all, killed, closing := openAt(t, ends[0]), 0, 0
	for round := range rounds {
		from, to := ends[round%2], ends[1-round%2]
		for whole := false; !whole; {
			whole = killedMove(t, from.name, to.name, random.IntN(2*waiting/3),
				time.Duration(random.IntN(8))*time.Millisecond)
			here, there := openAt(t, from), openAt(t, to)
			if len(here) == waiting && !whole {
				killed++
				require.Equal(t, all, here, "the old queue is whole")
				continue
			}
			if len(here) > 0 {
				closing++
			}
			require.Equal(t, all, there, "the new queue is whole before anything is closed at the old one")
		}
		report := mustMove(t, from, to)
		require.Equal(t, waiting*3/4, report.Waiting)
		require.Equal(t, waiting/4, report.Answered)
		requireOpen(t, from, map[string]string{})
	}
	t.Log("killed before the old queue was touched:", killed, "while it was closed:", closing)
	require.Greater(t, killed, rounds)
	require.NotZero(t, closing)
}
