package talk

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	lookAgain  = time.Minute // how long the store's watch is trusted
	afterError = time.Second // what a follower waits after the watch failed
)

// follower says when a session changed in a way that a conversation about it has to know.
type follower struct {
	changes chan queue.Session // the latest alone
	stop    context.CancelFunc
}

// follow watches a session until close.
func follow(ctx context.Context, q *queue.Queue, id string) (*follower, error) {
	w, err := q.Store.Watch(ctx, id)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	f := &follower{changes: make(chan queue.Session, 1), stop: stop}
	go func() {
		defer w.Close()
		f.run(ctx, q, w, id)
	}()
	return f, nil
}

func (f *follower) close() { f.stop() }

func (f *follower) run(ctx context.Context, q *queue.Queue, w queue.Watcher, id string) {
	for ctx.Err() == nil {
		s, err := q.Store.Get(ctx, id)
		if err == nil {
			s = s.At(q.Now())
			f.tell(s)
			if s.Outcome != nil {
				return
			}
		}
		step, cancel := context.WithTimeout(ctx, Patience(s, q.Now()))
		_, err = w.Next(step)
		cancel()
		if errors.Is(err, fs.ErrClosed) {
			return
		}
		if err != nil && step.Err() == nil {
			sleep(ctx, afterError)
		}
	}
}

// Patience returns how long to wait for a change of a session before looking at it again: as long as the store's watch
// is trusted, or until its time is up.
func Patience(s queue.Session, now time.Time) time.Duration {
	if left := s.Deadline.Sub(now); !s.Deadline.IsZero() && left < lookAgain {
		return max(left, time.Millisecond)
	}
	return lookAgain
}

// tell keeps the latest state for the next reader.
func (f *follower) tell(s queue.Session) {
	select {
	case <-f.changes:
	default:
	}
	f.changes <- s
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// sameFor reports whether two states of a session are the same for a conversation: whether it is over, and whether the
// team has it and how.
func sameFor(a, b queue.Session) bool {
	if (a.Outcome == nil) != (b.Outcome == nil) || (a.Widen == nil) != (b.Widen == nil) {
		return false
	}
	return a.Widen == nil || a.Widen.State == b.Widen.State
}
