package call

import (
	"context"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// waiter waits for the queue: it is rung on every change of one session, or of any. A call's waiter is in turn awaited
// by the next call that wants its session.
type waiter struct {
	ctx      context.Context // the call's: ends when it was cancelled or its handler returned
	ring     chan struct{}   // of size one: a burst rings once
	over     chan struct{}   // closed when the call's claim is given back or collected
	stop     *stop
	mu       sync.Mutex
	latest   queue.Session
	archived bool // gone from the live ones: read again
}

func newWaiter(ctx context.Context, stop *stop) *waiter {
	return &waiter{ctx: ctx, ring: make(chan struct{}, 1), over: make(chan struct{}), stop: stop}
}

func (w *waiter) wake() {
	select {
	case w.ring <- struct{}{}:
	default:
	}
}

// takeSession notes what the watch says of the session, and wakes.
func (w *waiter) takeSession(s queue.Session) {
	w.mu.Lock()
	if s.Revision > w.latest.Revision {
		w.latest = s
	}
	w.mu.Unlock()
	w.wake()
}

// takeArchived notes that the session is gone from the live ones, and wakes.
func (w *waiter) takeArchived() {
	w.mu.Lock()
	w.archived = true
	w.mu.Unlock()
	w.wake()
}

// newerThan returns what the watch last said if that is newer than s; reread reports that the store must be asked.
func (w *waiter) newerThan(s queue.Session) (latest queue.Session, reread bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	reread, w.archived = w.archived, false
	if w.latest.Revision > s.Revision {
		return w.latest, reread
	}
	return s, reread
}

// finishing says that the call waits no longer and is about to give its claim back or to collect. A call that its
// client stopped is told so.
func (w *waiter) finishing() bool {
	if w.ctx.Err() == nil && !w.stop.now() {
		return false
	}
	w.wake()
	return true
}
