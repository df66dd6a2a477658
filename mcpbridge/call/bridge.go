// Package call serves an agent's tool calls, from their arguments to their results. Most calls wait for a person: a
// question for its outcome, next_message for a line. Both use the same loop, toolCall.wait.
//
//	transport ─► rpc ─► Bridge.serveTool ─► call ─┬ question:     dialect.Parse ─► Fill ─► joinOrCreate
//	                                              └ next_message: announced as a listener
//	                                                    │
//	      wait: look at the session, send heartbeats ◄──┘◄── watch (one over the store, wakes waiters)
//	                                                    │
//	transport ◄─ rpc ◄─ dialect.Render ◄────────────────┘
//	    └─► Reply.End: the result was written: collect the session; it was not: release or withdraw it
//
// The caller waits for the question and does not own it: if the call ends, the question keeps its deadline. The same
// ask, or its session_id, continues a call that broke off. The queue is opened, and the bridge announced there, by the
// first call that needs it.
//
// A claim says which call waits for a session. Only the holder of the claim may collect the session's one result.
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

// CloseWithin limits how long a bridge or a transport waits at its end for calls to release their claims. After that
// the claims end with the process.
const CloseWithin = 2 * time.Second

// AwaitClose waits until over is closed, but no longer than CloseWithin. It reports whether over is closed.
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
	// Open opens the queue. It is called by the first call that needs the queue, and again after an error.
	Open func() (*queue.Queue, error)
	// Settings returns the current settings; nil means the defaults.
	Settings func() config.Settings
	// AttachCommand returns the shell command that opens a session's form; nil means `choicetui attach ID`.
	AttachCommand func(id string) string
	// Page returns the link to a session's web page. If open is set, it also shows the page in the person's browser, if
	// there is one. nil means that there are no pages: a question for the web then waits like any other.
	Page    func(ctx context.Context, s queue.Session, open bool) (Page, error)
	Version string
	Log     io.Writer // receives a line for each error that is not returned to a caller; nil: they are dropped
	// Client returns what is known of a client of MCP, by its whole name; nil: nothing is known of any.
	Client func(name string) Client
	Origin queue.Origin // the origin of the one agent; see ProcessOrigin
	// Listed is called when an agent receives the list of tools. It must not block, and may be nil.
	Listed func()
	// Count is called with the number of pending questions at every change. It must not block, and may be nil. After
	// the bridge has ended, the command counts the remaining questions itself.
	Count func(n int)
}

// Page describes a session's page on the web.
type Page struct {
	Link   string // a link with a secret that opens only this question, for the agent to pass on; empty: none
	Bare   string // a link without the secret, for a browser that has access already
	Opened bool   // the page was shown in the person's browser
}

// Bridge serves the calls of one process.
type Bridge struct {
	o        Options
	instance string        // the name of this process in the queue
	opening  chan struct{} // contains a value while a call opens the queue
	open     atomic.Pointer[openedQueue]
	asking   keyLocks // by the key of an ask, so that two calls with the same ask do not both create a session

	endsWithMe  sync.Map // the ids of the sessions that end with this bridge
	pagesOpened sync.Map // the ids of sessions that this bridge opened in the browser
	unconfirmed sync.Map // an unconfirmed question, by the key of its ask
	released    sync.Map // the claims that calls have released and that the store may still have
}

// openedQueue holds an open queue and the functions that close it.
type openedQueue struct {
	watch   *watch
	release func() error
	stop    context.CancelFunc
	counted chan struct{} // closed when reportCounts has ended
}

// NewBridge returns a bridge. It does not open the queue.
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

// Log returns the writer for errors that are not returned to a caller, one line each.
func (b *Bridge) Log() io.Writer { return b.o.Log }

// openWatch opens the queue, announces this bridge and starts the watch, all at the first use. Other calls wait for
// that meanwhile, or end with their context.
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

// startWatch does the work of openWatch. The watch ends with Close.
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
			b.reportCounts(life, w)
		}
	}()
	return u, nil
}

// Close takes the bridge off the queue. It waits at most CloseWithin for each part that does not end.
func (b *Bridge) Close() {
	u := b.open.Load()
	if u == nil { // the queue was never opened
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

// abandonBound cancels the pending sessions that end with their callers (queue.Session.EndsWithCall). If the process is
// killed, a sweep of the queue does this instead.
func (b *Bridge) abandonBound(q *queue.Queue) {
	ctx, cancel := context.WithTimeout(context.Background(), CloseWithin)
	defer cancel()
	alive := func(instance string) bool { return instance != b.instance }
	b.endsWithMe.Range(func(id, _ any) bool {
		_, err := q.Do(ctx, id.(string), queue.Command{
			By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Abandon{Alive: alive},
		})
		b.logWithdrawal(id.(string), err)
		return true
	})
}

// Withdraw withdraws a question whose call had broken off before its client cancelled it. It leaves the question if the
// client only lost patience.
func (b *Bridge) Withdraw(ctx context.Context, id string, why *Withdrawn) {
	if !why.timedOut() {
		b.takeBack(ctx, id, queue.Cancel{Reason: why.note()})
	}
}

// WithdrawDropped withdraws a question whose client cancelled the call by breaking it off. If the client has come back
// since, the question stays. dropped is the time since the call broke off.
func (b *Bridge) WithdrawDropped(ctx context.Context, id string, dropped time.Duration) {
	b.takeBack(ctx, id, queue.Withdraw{DroppedFor: dropped, Reason: queue.CallEnded})
}

// takeBack applies an action that withdraws a session, and logs its errors.
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

// logWithdrawal logs the error of a withdrawal, unless the question had already ended.
func (b *Bridge) logWithdrawal(id string, err error) {
	over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrNotFound)
	if err != nil && !over {
		b.logf("failed to withdraw session %s: %v", id, err)
	}
}

// logf writes a line to the log.
func (b *Bridge) logf(format string, args ...any) { fmt.Fprintf(b.o.Log, format+"\n", args...) }

// reportCounts calls Options.Count with the number of pending questions at every change, until ctx ends. A dashboard
// counts them too, but it may run in another tmux, or no dashboard may be open.
func (b *Bridge) reportCounts(ctx context.Context, w *watch) {
	for w.raiseScope(ctx, scopeSessions) != nil {
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
