package spool

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// refuse makes every fsync of one path fail until mend is called.
func refuse(s *Store, path string) (mend func()) {
	s.flush = func(f *os.File) error {
		if f.Name() == path {
			return &os.PathError{Op: "sync", Path: path, Err: syscall.EIO}
		}
		return f.Sync()
	}
	return func() { s.flush = (*os.File).Sync }
}

func TestAnAnswerThatTheDiskDidNotConfirmIsNeverAcknowledged(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := queue.New(s)
	v := storetest.Create(t, s)
	settle := queue.Settle{Answer: storetest.Answer("a")}
	answer := queue.Command{ID: "c1", By: queue.ByHuman, Surface: queue.SurfaceCLI, Do: settle}
	mend := refuse(s, s.path(liveDir, v.ID))
	for range 3 { // however often it is sent again
		_, err := q.Do(t.Context(), v.ID, answer)
		require.ErrorIs(t, err, syscall.EIO)
		require.ErrorIs(t, err, queue.ErrInDoubt, "it is there, but a power cut may take it")
	}
	mend()
	got, err := q.Do(t.Context(), v.ID, answer)
	require.NoError(t, err)
	require.EqualValues(t, 2, got.Revision, "it is stored once")
	require.Equal(t, "c1", got.Events[1].ID)
}

func TestAnAnswerWhoseFileTheDiskRefusedIsNotStored(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := storetest.Create(t, s)
	s.flush = func(*os.File) error { return syscall.EIO }
	_, err := queue.New(s).Do(t.Context(), v.ID, queue.Command{Do: queue.Settle{Answer: storetest.Answer("a")}})
	require.ErrorIs(t, err, syscall.EIO)
	require.NotErrorIs(t, err, queue.ErrInDoubt)
	got, err := s.Get(t.Context(), v.ID)
	require.NoError(t, err)
	require.Equal(t, v, got)
	require.Empty(t, list(t, s, tmpDir))
}

func TestAnAskThatTheDiskRefusedLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"", liveDir} {
		s := open(t)
		storetest.Create(t, s)
		s.anchored = false // as in a process that has not written yet
		mend := refuse(s, s.path(dir))
		for range 2 {
			_, err := queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
			require.ErrorIs(t, err, syscall.EIO)
			require.NotErrorIs(t, err, queue.ErrInDoubt)
		}
		require.Len(t, list(t, s, liveDir), 1, "a refused ask is taken back")
		require.Empty(t, list(t, s, tmpDir))
		mend()
		storetest.Create(t, s)
	}
}

// A question whose fsync failed may have been answered as soon as it was seen. The answer must stay.
func TestAnAskThatWasAnsweredBeforeItWasRefusedStays(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	person, err := Open(s.dir)
	require.NoError(t, err)
	answered := errors.New("not yet")
	s.flush = func(f *os.File) error {
		if f.Name() != s.path(liveDir) {
			return f.Sync()
		}
		for _, id := range list(t, s, liveDir) {
			_, answered = queue.New(person).Do(t.Context(), id, queue.Command{Do: queue.Settle{Answer: storetest.Answer("a")}})
		}
		return syscall.EIO
	}
	_, err = queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	require.ErrorIs(t, err, queue.ErrInDoubt)
	require.NoError(t, answered)
	require.Len(t, list(t, s, liveDir), 2)
	for _, id := range list(t, s, liveDir) {
		got, err := s.Get(t.Context(), id)
		require.NoError(t, err)
		require.NotNil(t, got.Outcome)
	}
}

// sweep removes the next staged file before it is published, as happens to a process that was suspended for more than
// an hour.
func sweep(s *Store) {
	s.flush = func(f *os.File) error {
		s.flush = (*os.File).Sync
		s.sweepTmp(time.Now().Add(2 * staleAfter))
		return nil
	}
}

func TestWhatASweepTookFromAStoppedProcessIsWrittenAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := queue.New(s)
	storetest.Create(t, s)
	sweep(s)
	v := storetest.Create(t, s)
	sweep(s)
	got, err := q.Do(t.Context(), v.ID, queue.Command{ID: "c1", By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Settle{Answer: storetest.Answer("a")}})
	require.NoError(t, err)
	require.EqualValues(t, 2, got.Revision)
	require.Equal(t, queue.StatusSelected, got.Status())
	require.Empty(t, list(t, s, tmpDir))
}
