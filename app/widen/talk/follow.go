package talk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// afterError is what a follower waits after its wait failed.
const afterError = time.Second

// follower says when a session changed in a way that a conversation about it has to know.
type follower struct {
	changes chan queue.Session // the latest alone
	stop    context.CancelFunc
}

// follow tells the states of a session until it is over, or until close.
func follow(ctx context.Context, q *queue.Queue, id string) *follower {
	ctx, stop := context.WithCancel(ctx)
	f := &follower{changes: make(chan queue.Session, 1), stop: stop}
	go f.run(ctx, q, id)
	return f
}

func (f *follower) close() { f.stop() }

func (f *follower) run(ctx context.Context, q *queue.Queue, id string) {
	tell := func(s queue.Session) (over bool) {
		f.tell(s)
		return s.Outcome != nil
	}
	for ctx.Err() == nil {
		if _, err := q.Await(ctx, id, 0, tell); err == nil {
			return
		}
		sleep(ctx, afterError)
	}
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
