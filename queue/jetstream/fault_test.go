package jetstream

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAKilledServerLosesNothingAndNoWriteComesLate(t *testing.T) {
	t.Parallel()
	n := startServer(t)
	s, other := n.open(), n.open()
	first := storetest.Create(t, s)
	w := watching(t, other)
	require.Len(t, next(t, w).Sessions, 1)

	n.kill()
	begin := time.Now()
	late := queue.Command{ID: "late", By: queue.ByHuman, Do: queue.Settle{Answer: storetest.Answer("a")}}
	_, err := queue.New(s).Do(t.Context(), first.ID, late)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	_, err = s.Put(t.Context(), first)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	v := first
	v.ID = queue.NewID()
	_, err = s.Create(t.Context(), v)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.NotErrorIs(t, err, queue.ErrInDoubt, "without a connection nothing was sent")
	_, _, err = s.Live(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.Less(t, time.Since(begin), 8*time.Second, "the first call may wait for an answer, the others fail at once")
	_, err = w.Next(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable, "a reader is told")

	n.start()
	back := time.Now()
	require.True(t, next(t, w).Presence, "and told that it is over")
	require.Less(t, time.Since(back), 5*time.Second)
	live := liveOf(t, other)
	require.Equal(t, []queue.Session{first}, live, "all that was acknowledged, and nothing else")
	require.Equal(t, live, liveOf(t, s), "each client comes back in its own time")
	second := storetest.Create(t, s)
	require.Equal(t, []queue.Session{second}, next(t, w).Sessions, "the watch goes on")

	done, err := queue.New(s).Do(t.Context(), first.ID, late)
	require.NoError(t, err, "the same command sent again")
	require.Len(t, done.Events, 2)
}

func liveOf(t *testing.T, s *Store) []queue.Session {
	t.Helper()
	var live []queue.Session
	require.Eventually(t, func() bool {
		var err error
		live, _, err = s.Live(t.Context())
		return err == nil
	}, 10*time.Second, 20*time.Millisecond)
	return live
}

func TestASessionThatEndsWhileAWatcherIsCutOffIsGone(t *testing.T) {
	t.Parallel()
	n := startServer(t)
	s := n.open()
	a, b := storetest.Create(t, s), storetest.Create(t, s)
	w := watching(t, s)
	require.Len(t, next(t, w).Sessions, 2)
	s.link.noteDown() // the watch is closed as if the connection had broken
	_, err := w.Next(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable)
	other := n.open()
	require.NoError(t, other.Archive(t.Context(), storetest.Finish(t, other, a, time.Second)))
	b, err = other.Put(t.Context(), b)
	require.NoError(t, err)
	s.link.noteUp(nil)
	ch := next(t, w)
	require.Equal(t, []string{a.ID}, ch.Gone)
	require.Equal(t, []queue.Session{b}, ch.Sessions)
}

func TestWithoutAServerEveryCallFailsSoonAndOneThatComesIsUsed(t *testing.T) {
	t.Parallel()
	n := startServer(t)
	n.kill()
	s := n.open()
	begin := time.Now()
	_, err := s.Get(t.Context(), "k7f3m2qx")
	require.ErrorIs(t, err, queue.ErrUnreachable)
	_, err = s.Watch(t.Context(), queue.AllNews)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	_, err = s.Announce(t.Context(), queue.Presence{Instance: "x"})
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.Less(t, time.Since(begin), 3*time.Second)
	n.start()
	require.Empty(t, liveOf(t, s))
	storetest.Create(t, s)
}

// freeze stops the server's process and waits until none of its threads runs. On a busy machine a thread may still
// answer before that.
func (n *natsServer) freeze() {
	require.NoError(n.t, n.cmd.Process.Signal(syscall.SIGSTOP))
	require.Eventually(n.t, func() bool {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", n.cmd.Process.Pid)) // none on macOS
		for _, thread := range threads {
			if stat, err := os.ReadFile(thread); err == nil && !strings.Contains(string(stat), ") T ") {
				return false
			}
		}
		return true
	}, 10*time.Second, 10*time.Millisecond, "the server is stopped")
}

func TestAStoppedServerIsGivenThreeSecondsAndAGhostCannotWin(t *testing.T) {
	t.Parallel()
	n := startServer(t)
	s := n.open()
	v := storetest.Create(t, s)
	n.freeze()
	begin := time.Now()
	_, err := s.Put(t.Context(), v)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.NotErrorIs(t, err, context.DeadlineExceeded, "it is not the caller's time that ended")
	require.Less(t, time.Since(begin), 2*answerWithin)
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = s.Put(short, v)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.ErrorIs(t, err, context.DeadlineExceeded, "now it is")
	require.ErrorContains(t, err, "the queue cannot be reached: the server did not answer in time")
	require.NotContains(t, err.Error(), "context")
	require.NoError(t, n.cmd.Process.Signal(syscall.SIGCONT))
	other := n.open()
	now, err := other.Get(t.Context(), v.ID)
	require.NoError(t, err)
	won, err := other.Put(t.Context(), now)
	require.NoError(t, err)
	_, err = s.Put(t.Context(), v)
	require.ErrorIs(t, err, queue.ErrConflict, "whatever became of the write: it is compared")
	got, err := s.Get(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, won, got)
}

func TestACreateThatNobodyAcknowledgedIsFoundOrBarred(t *testing.T) {
	t.Parallel()
	s := open(t)
	there := storetest.Create(t, s)
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	kv, err := s.bucket(c, pendingStream, orMake)
	require.NoError(t, err)
	raw, err := queue.EncodeSession(there)
	require.NoError(t, err)
	require.NoError(t, s.resolveCreate(t.Context(), kv, there.ID, raw, queue.ErrUnreachable), "it is there")

	err = s.resolveCreate(t.Context(), kv, "k7f3m2qx", raw, queue.ErrUnreachable)
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.NotErrorIs(t, err, queue.ErrInDoubt)
	_, err = kv.Update(c, "k7f3m2qx", raw, 0)
	require.True(t, isMismatch(err), "the write that was under way comes too late: %v", err)
	again := there
	again.ID = "k7f3m2qx"
	_, err = s.Create(t.Context(), again)
	require.NoError(t, err, "a new one is another matter")
}

func TestSyncWritesWhatIsThereAndCostsNobodyARevision(t *testing.T) {
	t.Parallel()
	s := open(t)
	other := again(t, s)
	v := storetest.Create(t, s)
	require.NoError(t, other.Sync(t.Context(), v.ID))
	put, err := s.Put(t.Context(), v)
	require.NoError(t, err, "the key moved on, the session did not")
	require.EqualValues(t, 2, put.Revision)
}

func TestWhatTheServerTakesNoMoreOfIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	v.Outcome = &queue.Outcome{Reason: strings.Repeat("x", 1<<20)}
	_, err := s.Put(t.Context(), v)
	var invalid *queue.Invalid
	require.ErrorAs(t, err, &invalid)
	require.Contains(t, err.Error(), "max_payload")
}

func watching(t testing.TB, s *Store, ids ...string) queue.Watcher {
	t.Helper()
	w, err := s.Watch(t.Context(), queue.AllNews, ids...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return w
}

// next returns the next batch.
func next(t testing.TB, w queue.Watcher) queue.Changes {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ch, err := w.Next(ctx)
	require.NoError(t, err)
	return ch
}
