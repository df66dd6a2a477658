// Package call serves an agent's tool calls, from their arguments to their results. Most calls wait for a person: a
// question for its outcome, next_message for a line. Both use the same loop, call.wait.
//
//	transport ─► rpc ─► Bridge.handle ─► call ─┬ question:     dialect.Parse ─► Fill ─► joinOrCreate
//	                                              └ next_message: announced as a listener
//	                                                    │
//	                              wait: look, beat ◄────┘◄── watch (one over the store, wakes waiters)
//	                                                    │
//	transport ◄─ rpc ◄─ dialect.Render ◄─────────────┘
//	    └─► Reply.End: collect when it was written, release or withdraw when it was not
//
// The caller waits for the question and does not own it: whatever happens to the call, the question keeps its own
// deadline. The same ask, or its session_id, continues a call that broke off. Nothing is created, opened or announced
// before the first call that needs the queue.
package call

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// CloseWithin limits how long a bridge or a transport that ends waits for calls to give their claims back. After that
// the claims end with the process.
const CloseWithin = 2 * time.Second

// AwaitClose waits until over is closed, at most for CloseWithin. It reports whether over is closed.
func AwaitClose(over <-chan struct{}) bool {
	select {
	case <-over:
		return true
	case <-time.After(CloseWithin):
		return false
	}
}

// Options holds a bridge's settings and callbacks, given by the command that starts it. Open is required.
type Options struct {
	// Open opens the queue. It is called at the first call that needs it, and again after an error.
	Open func() (*queue.Queue, error)
	// Settings returns the settings in force now; nil means the defaults.
	Settings func() config.Settings
	// AttachCommand returns the shell command that opens a session's form; nil means `choicetui attach ID`.
	AttachCommand func(id string) string
	// Page makes a link to a session's page on the web. With open it also shows the page in the person's browser, if
	// there is a browser. nil means that there are no pages: a question for the web waits like any other.
	Page    func(ctx context.Context, s queue.Session, open bool) (Page, error)
	Version string
	Log     io.Writer    // one line for each error that no caller learns of; nil: dropped
	Origin  queue.Origin // the agent as the command knows it; see ProcessOrigin
	// Listed is called when an agent is given the list of tools. It must not block; may be nil.
	Listed func()
	// Count is called with the number of pending questions at every change, until the bridge ends. The caller counts
	// the questions that are left then. Count must not block; may be nil.
	Count func(n int)
}

// Page describes a session's page on the web.
type Page struct {
	Link   string // for the agent to pass on: it opens this question and nothing else; empty: there is no link
	Bare   string // the same page for a browser that was let in already
	Opened bool   // the page was shown in the person's browser
}

// Bridge serves the calls of one process. It holds the process's name in the queue, and the queue once it is open.
type Bridge struct {
	o        Options
	instance string
	opening  chan struct{} // holds one token while the queue is opened
	open     atomic.Pointer[openedQueue]
	asking   keyLocks // by the key of an ask: the same ask twice at once must not be created twice

	bound       sync.Map // ids of sessions that belong to their callers, and end with this bridge
	pagesOpened sync.Map // ids of sessions that this bridge opened in the browser
	unconfirmed sync.Map // by the key of its ask: an unconfirmed question
	released    sync.Map // claims that calls have given back, which the store may not know yet
}

// openedQueue holds the parts of an open queue that are needed to close it again.
type openedQueue struct {
	watch   *watch
	release func() error
	stop    context.CancelFunc
	counted chan struct{} // closed when no tally runs
}

// NewBridge returns a bridge that has not touched the queue yet.
func NewBridge(o Options) *Bridge {
	if o.Settings == nil {
		o.Settings = config.Default
	}
	if o.AttachCommand == nil {
		o.AttachCommand = func(id string) string { return "choicetui attach " + id }
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	return &Bridge{o: o, instance: queue.NewToken(), opening: make(chan struct{}, 1)}
}

// Instance returns the bridge's name among the running processes.
func (b *Bridge) Instance() string { return b.instance }

// Log returns the writer for errors that no caller learns of, one line each.
func (b *Bridge) Log() io.Writer { return b.o.Log }

// openWatch opens the queue, announces this bridge and starts the one watch, all at the first use. A call that comes
// meanwhile waits for that, or ends with its context.
func (b *Bridge) openWatch(ctx context.Context) (*watch, error) {
	if u := b.open.Load(); u != nil {
		return u.watch, nil
	}
	select {
	case b.opening <- struct{}{}:
		defer func() { <-b.opening }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if u := b.open.Load(); u != nil {
		return u.watch, nil
	}
	u, err := b.startWatch(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	b.open.Store(u)
	return u.watch, nil
}

func (b *Bridge) startWatch(ctx context.Context) (*openedQueue, error) {
	q, err := b.o.Open()
	if err != nil {
		return nil, fmt.Errorf("failed to open the queue: %w", err)
	}
	life, stop := context.WithCancel(ctx)
	release, err := q.Store.Announce(life, queue.Presence{Instance: b.instance, Role: queue.RoleBridge})
	if err != nil {
		stop()
		return nil, fmt.Errorf("failed to announce this process in the queue: %w", err)
	}
	w := newWatch(life, q, b.logf)
	if err := w.start(life); err != nil {
		stop()
		release()
		return nil, fmt.Errorf("failed to watch the queue: %w", err)
	}
	u := &openedQueue{watch: w, release: release, stop: stop, counted: make(chan struct{})}
	go func() {
		defer close(u.counted)
		if b.o.Count != nil {
			b.tally(life, w)
		}
	}()
	return u, nil
}

// Close takes the bridge off the queue. It waits at most CloseWithin for each part that hangs.
func (b *Bridge) Close() {
	u := b.open.Load()
	if u == nil { // at most a call still opens the queue
		return
	}
	u.stop()
	AwaitClose(u.watch.ended())
	AwaitClose(u.counted)
	b.abandonBound(u.watch.q)
	if err := u.release(); err != nil {
		b.logf("failed to take this process off the queue: %v", err)
	}
}

// abandonBound cancels the pending sessions that belong to their callers (queue.Session.Bound). A bridge that ends in
// good order does not leave them to the next sweep.
func (b *Bridge) abandonBound(q *queue.Queue) {
	ctx, cancel := context.WithTimeout(context.Background(), CloseWithin)
	defer cancel()
	alive := func(instance string) bool { return instance != b.instance }
	b.bound.Range(func(id, _ any) bool {
		_, err := q.Do(ctx, id.(string), queue.Command{
			By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Abandon{Alive: alive},
		})
		b.logWithdrawal(id.(string), err)
		return true
	})
}

// Withdraw takes a question back for a client that cancelled a call which had broken off before. A client that only
// lost patience leaves its question.
func (b *Bridge) Withdraw(ctx context.Context, id string, why *Withdrawn) {
	if !why.timedOut() {
		b.takeBack(ctx, id, queue.Cancel{Reason: why.note()})
	}
}

// WithdrawDropped takes a question back for a client that cancelled its call by breaking it off, at least this long
// ago. A client that came back keeps its question.
func (b *Bridge) WithdrawDropped(ctx context.Context, id string, dropped time.Duration) {
	b.takeBack(ctx, id, queue.Withdraw{DroppedFor: dropped, Reason: queue.CallEnded})
}

func (b *Bridge) takeBack(ctx context.Context, id string, a queue.Action) {
	w, err := b.openWatch(ctx)
	if err == nil {
		step, cancel := stepContext(ctx)
		defer cancel()
		_, err = w.q.Do(step, id, queue.Command{
			ID: queue.NewToken(), By: queue.ByCaller, Surface: queue.SurfaceClient, Do: a,
		})
	}
	b.logWithdrawal(id, err)
}

// logWithdrawal logs a withdrawal that failed, unless the question had ended already.
func (b *Bridge) logWithdrawal(id string, err error) {
	over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrNotFound)
	if err != nil && !over {
		b.logf("failed to withdraw session %s: %v", id, err)
	}
}

func (b *Bridge) logf(format string, args ...any) { fmt.Fprintf(b.o.Log, format+"\n", args...) }

// tally tells Options.Count the number of pending questions at every change. A dashboard does so too, but it may be in
// another tmux, or in none. tally ends with ctx and leaves the number unchanged: the questions stay pending, and
// whoever runs the bridge reports the number after all withdrawals.
func (b *Bridge) tally(ctx context.Context, w *watch) {
	for w.widen(ctx, scopeSessions) != nil {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rewatch):
		}
	}
	me := w.addWaiter(ctx, anySession, nil)
	defer w.removeWaiter(anySession, me)
	timer := time.NewTimer(0)
	defer timer.Stop()
	reported := -1
	for ctx.Err() == nil {
		n, next := w.countQuestions()
		if n != reported {
			reported = n
			b.o.Count(n)
		}
		timer.Stop()
		if !next.IsZero() {
			timer.Reset(max(next.Sub(w.q.Now()), leastSleep))
		}
		select {
		case <-ctx.Done():
		case <-me.ring:
		case <-timer.C:
		}
	}
}
