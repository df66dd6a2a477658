// Package call is a tool call of an agent's, from its arguments to its result. Most calls wait for a person: a question
// for its outcome, next_message for a line. Both are one waiting call.
//
//	transport ─► mcp-go ─► Bridge.handle ─► call ─┬ question:     dialect.Parse ─► Fill ─► enter (join, create)
//	                                              └ next_message: announced as a listener
//	                                                    │
//	                              wait: look, beat ◄────┘◄── watch (one over the store, wakes waiters)
//	                                                    │
//	transport ◄─ mcp-go ◄─ dialect.Render ◄─────────────┘
//	    └─► Reply.End: collect when it was written, release or withdraw when it was not
//
// The caller is a waiter, not the owner: whatever happens to the call, the question lives by its own deadline. A call
// that broke off is continued by the same ask, or by its session_id. Nothing is created, opened or announced before the
// first call that needs the queue.
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

// CloseWithin bounds how long a bridge or a transport waits at its end for calls to give their claims back; if that
// takes longer, the death of the process says the same.
const CloseWithin = 2 * time.Second

// AwaitClose waits until over is closed, but no longer than CloseWithin. It reports whether it is.
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
	// AttachCommand is the shell command that opens a session's form; nil means `choicetui attach ID`.
	AttachCommand func(id string) string
	// Page makes a link to a session's page on the web, and with open shows it in the person's browser, where there is
	// one. nil: there are no pages, and a question that is to open there waits like any other.
	Page    func(ctx context.Context, s queue.Session, open bool) (Page, error)
	Version string
	Log     io.Writer    // one line per thing that went wrong and that nobody else is told; nil: dropped
	Origin  queue.Origin // what the command knows of the agent; see ProcessOrigin
	// Count is told how many questions wait, until the bridge ends; what it leaves behind, the caller has to count. It
	// must not block; nil: nobody wants to know.
	Count func(n int)
}

// Page describes a session's page on the web.
type Page struct {
	Link   string // for the agent to pass on: it opens this question and nothing else; empty: none may be given
	Bare   string // the same page for whoever was let in already
	Opened bool   // it was shown in the person's browser
}

// Bridge serves the calls of one process: its name among the running ones, and the queue once somebody asked.
type Bridge struct {
	o        Options
	instance string
	opening  chan struct{} // holds one token while the queue is opened
	used     atomic.Pointer[used]
	bound    sync.Map // ids of sessions that belong to their callers, and end with this bridge
	opened   sync.Map // ids of sessions that this bridge opened in the browser
	owed     owedClaims
	doubts   doubts
	admit    keyed // one at a time per key: the same ask twice at once must not be created twice
}

// used holds the parts of an opened queue that are needed to close it again.
type used struct {
	watch   *watch
	release func() error
	stop    context.CancelFunc
	counted chan struct{} // closed when there is no tally, or not any more
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

// Log takes one line per thing that went wrong and that nobody else is told.
func (b *Bridge) Log() io.Writer { return b.o.Log }

// openWatch opens the queue, announces this bridge and starts the one watch, all at the first use. Who comes meanwhile
// waits for that, or for the end of its call.
func (b *Bridge) openWatch(ctx context.Context) (*watch, error) {
	if u := b.used.Load(); u != nil {
		return u.watch, nil
	}
	select {
	case b.opening <- struct{}{}:
		defer func() { <-b.opening }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if u := b.used.Load(); u != nil {
		return u.watch, nil
	}
	u, err := b.startWatch(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	b.used.Store(u)
	return u.watch, nil
}

func (b *Bridge) startWatch(ctx context.Context) (*used, error) {
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
	u := &used{watch: w, release: release, stop: stop, counted: make(chan struct{})}
	go func() {
		defer close(u.counted)
		if b.o.Count != nil {
			b.tally(life, w)
		}
	}()
	return u, nil
}

// Close takes the bridge off the queue. It waits for nothing that hangs: the death of the process says the same.
func (b *Bridge) Close() {
	u := b.used.Load()
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

// abandonBound cancels what belongs to its callers (queue.Session.Bound) and still waits. A bridge that ends in good
// order does not leave that to the next sweep.
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

// Withdraw takes a question back for a client that cancelled a call which had broken off before. One that only lost
// patience leaves it.
func (b *Bridge) Withdraw(ctx context.Context, id string, why *Withdrawn) {
	if !why.timedOut() {
		b.takeBack(ctx, id, queue.Cancel{Reason: why.note()})
	}
}

// WithdrawDropped takes a question back for a client that cancelled its call by breaking it off, at least this long
// ago. One that came back keeps it.
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

// logWithdrawal logs a withdrawal that failed, except where somebody else had ended the question already.
func (b *Bridge) logWithdrawal(id string, err error) {
	over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrNotFound)
	if err != nil && !over {
		b.logf("failed to withdraw session %s: %v", id, err)
	}
}

func (b *Bridge) logf(format string, args ...any) { fmt.Fprintf(b.o.Log, format+"\n", args...) }
