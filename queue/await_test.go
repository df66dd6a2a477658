package queue_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// faulty is a store whose reads and watches fail while a test says so.
type faulty struct {
	queue.Store
	get, follow, next atomic.Pointer[error]
	follows, gets     atomic.Int32
	open              atomic.Int32 // watches that were not closed
	got               func()       // called after a read
}

func failing(p *atomic.Pointer[error]) error {
	if err := p.Load(); err != nil {
		return *err
	}
	return nil
}

func (f *faulty) Get(ctx context.Context, id string) (queue.Session, error) {
	f.gets.Add(1)
	if err := failing(&f.get); err != nil {
		return queue.Session{}, err
	}
	s, err := f.Store.Get(ctx, id)
	if f.got != nil {
		f.got()
	}
	return s, err
}

func (f *faulty) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	f.follows.Add(1)
	if err := failing(&f.follow); err != nil {
		return nil, err
	}
	w, err := f.Store.Watch(ctx, news, ids...)
	if err == nil {
		f.open.Add(1)
	}
	return faultyWatch{w, f}, err
}

type faultyWatch struct {
	queue.Watcher
	f *faulty
}

func (w faultyWatch) Next(ctx context.Context) (queue.Changes, error) {
	if err := failing(&w.f.next); err != nil {
		return queue.Changes{}, err
	}
	return w.Watcher.Next(ctx)
}

func (w faultyWatch) Close() error {
	w.f.open.Add(-1)
	return w.Watcher.Close()
}

// awaiting runs a test with a question in a faulty store, in simulated time.
func awaiting(t *testing.T, test func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session)) {
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{Store: storetest.NewMemory()}
		q := queue.New(f)
		s, err := q.Create(t.Context(), queue.Session{Ask: storetest.Ask()})
		require.NoError(t, err)
		test(t, f, q, s)
		require.Zero(t, f.open.Load(), "every watch is closed")
	})
}

func cancelLater(t *testing.T, q *queue.Queue, id string, after time.Duration) {
	go func() {
		time.Sleep(after)
		_, err := q.Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: queue.Cancel{Reason: "enough"}})
		require.NoError(t, err)
	}()
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	awaiting(t, func(t *testing.T, _ *faulty, q *queue.Queue, s queue.Session) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		last, err := q.Await(ctx, s.ID, 0, nil)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, s.ID, last.ID, "what was read last is returned too")
		_, err = q.Await(ctx, s.ID, 0, nil)
		require.ErrorIs(t, err, context.Canceled, "also where it had ended before")
	})
}

func TestAwaitSeesWhatWasSettledBetweenItsReadAndItsWait(t *testing.T) {
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		f.got = func() {
			f.got = nil
			_, err := queue.New(f.Store).Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
			require.NoError(t, err)
		}
		began := time.Now()
		over, err := q.Await(t.Context(), s.ID, 0, nil)
		require.NoError(t, err)
		require.Equal(t, queue.StatusCancelled, over.Status())
		require.Equal(t, began, time.Now(), "at once")
	})
}

func TestAwaitReturnsATimeoutWhenTheClockRunsOut(t *testing.T) {
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		over, err := q.Await(t.Context(), s.ID, 0, nil)
		require.NoError(t, err)
		require.Equal(t, queue.StatusTimeout, over.Status())
		require.WithinDuration(t, s.Deadline, time.Now(), 10*time.Millisecond)
		require.Less(t, f.gets.Load(), int32(20), "nothing is read without a reason")
	})
}

func TestAwaitOutlastsAStoreThatIsAway(t *testing.T) {
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		away := queue.ErrUnreachable
		asked := 0
		time.AfterFunc(2*time.Second, func() {
			f.get.Store(&away)
			f.follow.Store(&away)
			f.next.Store(&away)
		})
		time.AfterFunc(20*time.Second, func() {
			f.get.Store(nil)
			f.follow.Store(nil)
			f.next.Store(nil)
		})
		cancelLater(t, q, s.ID, 30*time.Second)
		over, err := q.Await(t.Context(), s.ID, time.Second, func(s queue.Session) bool { asked++; return s.Outcome != nil })
		require.NoError(t, err)
		require.Equal(t, "enough", over.Outcome.Reason)
		require.InDelta(t, 30, asked, 5, "each second, with the last state while the store is away")
		require.Less(t, f.gets.Load(), int32(50), "a store that is away is not hurried")
	})
}

func TestAwaitWatchesAgainWhereItsWatchBreaks(t *testing.T) {
	broken := errors.New("broken")
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		f.next.Store(&broken)
		time.AfterFunc(10*time.Second, func() { f.next.Store(nil) })
		cancelLater(t, q, s.ID, 30*time.Second)
		began := time.Now()
		_, err := q.Await(t.Context(), s.ID, 0, nil)
		require.NoError(t, err)
		require.Equal(t, 30*time.Second, time.Since(began))
		require.InDelta(t, 11, f.follows.Load(), 2)
	})
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		f.follow.Store(&broken) // without a watch Await reads every second
		cancelLater(t, q, s.ID, 5500*time.Millisecond)
		over, err := q.Await(t.Context(), s.ID, 0, nil)
		require.NoError(t, err)
		require.Equal(t, "enough", over.Outcome.Reason)
	})
}

func TestAwaitFailsWhereTheSessionVanishedOrCannotBeRead(t *testing.T) {
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		time.AfterFunc(time.Second, func() { f.Store.(*storetest.Memory).Lose(s.ID) })
		last, err := q.Await(t.Context(), s.ID, 0, nil)
		require.ErrorIs(t, err, queue.ErrNotFound)
		require.Equal(t, s.ID, last.ID)
	})
	awaiting(t, func(t *testing.T, f *faulty, q *queue.Queue, s queue.Session) {
		rotten := errors.New("rotten")
		f.get.Store(&rotten)
		_, err := q.Await(t.Context(), s.ID, 0, nil)
		require.ErrorIs(t, err, rotten)
	})
}
