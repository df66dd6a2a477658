package call

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// anySession is the id under which a waiter is rung on every change.
const anySession = ""

// watch collects what the watches over the store report: the live sessions of each key, the waiters of each session,
// the pending sessions, and whether a dashboard is open. It wakes waiters and decides nothing. Its scope says how much
// of the queue it sees.
type watch struct {
	q       *queue.Queue
	logf    func(string, ...any)
	life    context.Context // the bridge's
	sources sync.WaitGroup
	opening sync.Mutex // one wide watch is opened at a time

	mu         sync.Mutex
	over       bool // nothing new is watched
	scope      scope
	wide       context.CancelFunc // ends the watch on more than own sessions; nil: no such watch
	own        map[string]context.CancelFunc
	keys       keyIndex
	pending    pending
	waiters    map[string][]*waiter // by session id, or anySession
	dashboards int
	emptySince time.Time // when the last dashboard was seen to go; zero: none was ever seen
	blind      int       // watches that are broken: waiters look for themselves
	why        error     // what broke the last of them
}

func newWatch(life context.Context, q *queue.Queue, logf func(string, ...any)) *watch {
	return &watch{
		q: q, logf: logf, life: life, keys: newKeyIndex(), pending: newPending(q.Now),
		waiters: map[string][]*waiter{}, own: map[string]context.CancelFunc{},
	}
}

// takeChanges takes one batch in and wakes who waits for any of them. Only what comes from a wide watch is kept: of
// what is seen no further than its waiter waits, nobody learns that it went.
func (w *watch) takeChanges(c queue.Changes, wide bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if wide {
		w.pending.takeChanges(c)
	}
	for _, s := range c.Sessions {
		if wide {
			w.keys.add(s)
		}
		for _, one := range w.waiters[s.ID] {
			one.takeSession(s)
		}
	}
	for _, id := range c.Gone {
		w.keys.remove(id)
		for _, one := range w.waiters[id] {
			one.takeArchived()
		}
	}
	for _, one := range w.waiters[anySession] {
		one.wake()
	}
}

// countDashboards looks who runs, and wakes everybody: the last dashboard may have gone, or the first come.
func (w *watch) countDashboards(ctx context.Context) {
	scope, roles := w.sees(), []string{queue.RoleDashboard}
	if scope == scopeEverything {
		roles = nil
	}
	present, err := w.q.Store.Present(ctx, roles...)
	if err != nil {
		return
	}
	n := 0
	for _, p := range present {
		if p.Role == queue.RoleDashboard {
			n++
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if n == 0 && w.dashboards > 0 {
		w.emptySince = w.q.Now()
	}
	changed := n != w.dashboards
	w.dashboards = n
	if scope == scopeEverything {
		w.pending.takePresence(present)
	}
	if changed || scope == scopeEverything {
		w.wakeAll()
	}
}

func (w *watch) wakeAll() {
	for _, all := range w.waiters {
		for _, one := range all {
			one.wake()
		}
	}
}

// addCreated tells of a session created here, sooner than the watch will.
func (w *watch) addCreated(s queue.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.scope > scopeOwn {
		w.keys.add(s)
	}
}

// idsWithKey returns the live sessions with a key, newest last. Where they are not watched, they are read.
func (w *watch) idsWithKey(ctx context.Context, key string) ([]string, error) {
	if w.sees() == scopeOwn {
		return w.readIDsWithKey(ctx, key)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.keys.ids[key]), nil
}

func (w *watch) readIDsWithKey(ctx context.Context, key string) (ids []string, err error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	live, _, err := w.q.Store.Live(step)
	if err != nil {
		w.logf("failed to see whether the same was asked before: %v", err)
	}
	slices.SortFunc(live, func(a, b queue.Session) int { return a.AskedAt.Compare(b.AskedAt) })
	for _, s := range live {
		if s.Key == key && !s.Final {
			ids = append(ids, s.ID)
		}
	}
	return ids, err
}

// deserted returns since when no dashboard is open; open reports that one is.
func (w *watch) deserted() (since time.Time, open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.emptySince, w.dashboards > 0
}

// trouble returns why the watch misses changes that it should see; nil if it misses none.
func (w *watch) trouble() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.blind == 0 {
		return nil
	}
	return w.why
}

// messagesFor is pending's.
func (w *watch) messagesFor(o queue.Origin) (ids []string, closing int, next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pending.messagesFor(o)
}

// countQuestions is pending's.
func (w *watch) countQuestions() (n int, next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pending.countQuestions()
}

// addWaiter has somebody rung on the changes of a session, or of anySession, until removeWaiter. stop may be nil.
func (w *watch) addWaiter(ctx context.Context, id string, stop *stop) *waiter {
	one := newWaiter(ctx, stop)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiters[id] = append(w.waiters[id], one)
	w.followOwn(id)
	return one
}

func (w *watch) removeWaiter(id string, gone *waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if left := slices.DeleteFunc(w.waiters[id], func(one *waiter) bool { return one == gone }); len(left) > 0 {
		w.waiters[id] = left
	} else {
		delete(w.waiters, id)
		w.leaveOwn(id)
	}
	close(gone.over)
}

// letFinish waits until every call that is merely finishing with this session is over: its claim is about to be given
// back or collected, and the next caller must see that. It reports whether another call still waits.
func (w *watch) letFinish(ctx context.Context, id string) (busy bool) {
	w.mu.Lock()
	waiters := slices.Clone(w.waiters[id])
	w.mu.Unlock()
	for _, one := range waiters {
		if !one.finishing() {
			busy = true
			continue
		}
		select {
		case <-one.over:
		case <-ctx.Done():
		}
	}
	return busy
}
