package talk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// follow returns a channel with the latest state of a session, until the session is over or ctx ends.
func follow(ctx context.Context, q *queue.Queue, id string) <-chan queue.Session {
	changes := make(chan queue.Session, 1)
	tell := func(s queue.Session) (over bool) {
		select {
		case <-changes: // an older state that was not read
		default:
		}
		changes <- s
		return s.Outcome != nil
	}
	go func() {
		for ctx.Err() == nil {
			if _, err := q.Await(ctx, id, 0, tell); err == nil {
				return
			}
			queue.Sleep(ctx, TryEvery)
		}
	}()
	return changes
}

// sameFor reports whether two states of a session make no difference to a conversation: both are over or not, and the
// team has both or neither, in the same state.
func sameFor(a, b queue.Session) bool {
	if (a.Outcome == nil) != (b.Outcome == nil) || (a.Widen == nil) != (b.Widen == nil) {
		return false
	}
	return a.Widen == nil || a.Widen.State == b.Widen.State
}

// TryEvery is the interval of retries while the queue's server is away.
const TryEvery = time.Second

// Outlast calls do, and calls it again as long as the queue's server is away. A call that failed may have been stored
// all the same, so do must be something that can be repeated. Before each further call it calls wait with the last
// error. It fails with the error of wait.
func Outlast(do func() error, wait func(error) error) error {
	for {
		err := do()
		if !errors.Is(err, queue.ErrUnreachable) {
			return err
		}
		if err := wait(err); err != nil {
			return err
		}
	}
}

// Outlast repeats do while the queue's server is away, as the function Outlast does. It tells the person that it waits
// for the queue, and when the server is back. After Ctrl-C it fails with errStopped.
func (t *Talk) Outlast(ctx context.Context, do func() error) error {
	told := false
	err := Outlast(do, func(why error) error {
		if !told {
			t.sayToned(toneRed, say.Capital(say.QueueUnread(why)[0])+".",
				" What you typed is kept until it can be. Ctrl-C stops waiting.")
			told = true
		}
		select {
		case <-t.o.After(TryEvery):
			return nil
		case <-t.o.Interrupt:
			return errStopped
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if told && ctx.Err() == nil && !errors.Is(err, errStopped) {
		t.sayLine("The queue can be reached again.")
	}
	return err
}
