package call

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// anySession is the id for waiters that every change rings.
const anySession = ""

// watch collects what the watches over the store report: the live sessions of each key, the waiters of each session,
// the pending sessions, and whether a dashboard is open. It wakes waiters and decides nothing. Its scope limits what it
// reports.
type watch struct {
	q       *queue.Queue
	logf    func(string, ...any)
	life    context.Context // the bridge's
	sources sync.WaitGroup
	opening sync.Mutex // held while a wide watch is opened

	mu         sync.Mutex
	over       bool // no new source is started
	scope      scope
	wide       context.CancelFunc // ends the watch on more than own sessions; nil: no such watch
	own        map[string]context.CancelFunc
	keys       keyIndex
	pending    pending
	waiters    map[string][]*waiter // by session id, or anySession
	dashboards int
	emptySince time.Time // when the last dashboard was seen to go; zero: none was ever seen
	broken     int       // sources that are broken: waiters read the store on their own
	cause      error     // of the last break
}

func newWatch(life context.Context, q *queue.Queue, logf func(string, ...any)) *watch {
	return &watch{
		q: q, logf: logf, life: life, pending: newPending(q.Now),
		keys:    keyIndex{ids: map[string][]string{}, keys: map[string]string{}},
		waiters: map[string][]*waiter{}, own: map[string]context.CancelFunc{},
	}
}

// takeChanges records one batch and wakes the waiters for its sessions. It keeps only the sessions of a wide source: a
// source on one session ends with its waiter, so the end of the session would not be seen.
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

// countDashboards reads the running processes. It wakes all waiters if the number of dashboards changed.
func (w *watch) countDashboards(ctx context.Context) {
	scope, roles := w.currentScope(), []string{queue.RoleDashboard}
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

// wakeAll wakes all waiters. It is called with the mutex held.
func (w *watch) wakeAll() {
	for _, all := range w.waiters {
		for _, one := range all {
			one.wake()
		}
	}
}

// addCreated records a session that this bridge created, before its sources report it.
func (w *watch) addCreated(s queue.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.scope > scopeOwn {
		w.keys.add(s)
	}
}

// idsWithKey returns the ids of the live sessions with a key, newest last. It reads the store where the sessions are
// not watched.
func (w *watch) idsWithKey(ctx context.Context, key string) ([]string, error) {
	if w.currentScope() == scopeOwn {
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

// deserted returns when the last dashboard went; zero: none was ever seen. open reports whether a dashboard is open.
func (w *watch) deserted() (since time.Time, open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.emptySince, w.dashboards > 0
}

// err returns the reason why the watch misses changes that it should report; nil if it misses none.
func (w *watch) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken == 0 {
		return nil
	}
	return w.cause
}

// messagesFor calls pending.messagesFor under the mutex.
func (w *watch) messagesFor(o queue.Origin) (ids []string, closing int, next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pending.messagesFor(o)
}

// countQuestions calls pending.countQuestions under the mutex.
func (w *watch) countQuestions() (n int, next time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pending.countQuestions()
}

// addWaiter returns a waiter that the changes of a session, or of anySession, ring until removeWaiter. stop may be nil.
func (w *watch) addWaiter(ctx context.Context, id string, stop *silentStop) *waiter {
	one := &waiter{ctx: ctx, ring: make(chan struct{}, 1), over: make(chan struct{}), stop: stop}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiters[id] = append(w.waiters[id], one)
	w.followOwn(id)
	return one
}

// removeWaiter ends a waiter: its call has given its claim back or collected.
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

// waiter rings a call on every change of one session, or of any. The next call for the session waits until a waiter
// that is finishing is over.
type waiter struct {
	ctx      context.Context // the call's: ends when it was cancelled or its handler returned
	ring     chan struct{}   // of size one: a burst rings once
	over     chan struct{}   // closed when the call's claim is given back or collected
	stop     *silentStop
	mu       sync.Mutex
	latest   queue.Session
	archived bool // no longer live: the call reads the store
}

// wake rings the call. It does not block.
func (w *waiter) wake() {
	select {
	case w.ring <- struct{}{}:
	default:
	}
}

// takeSession records a newer state of the session, and wakes the call.
func (w *waiter) takeSession(s queue.Session) {
	w.mu.Lock()
	if s.Revision > w.latest.Revision {
		w.latest = s
	}
	w.mu.Unlock()
	w.wake()
}

// takeArchived records that the session is no longer live, and wakes the call.
func (w *waiter) takeArchived() {
	w.mu.Lock()
	w.archived = true
	w.mu.Unlock()
	w.wake()
}

// newerThan returns the state that was recorded last if it is newer than s, else s. reread reports that the call must
// read the store.
func (w *waiter) newerThan(s queue.Session) (latest queue.Session, reread bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	reread, w.archived = w.archived, false
	if w.latest.Revision > s.Revision {
		return w.latest, reread
	}
	return s, reread
}

// finishing reports whether the call has stopped waiting, and will give its claim back or collect. It wakes a call that
// its client stopped.
func (w *waiter) finishing() bool {
	if w.ctx.Err() == nil && !w.stop.searchNow() {
		return false
	}
	w.wake()
	return true
}

// keyIndex finds live sessions by their key.
type keyIndex struct {
	ids  map[string][]string // by key, newest last
	keys map[string]string   // by id
}

func (k keyIndex) add(s queue.Session) {
	if _, known := k.keys[s.ID]; known || s.Key == "" || s.Final {
		return
	}
	k.keys[s.ID] = s.Key
	k.ids[s.Key] = append(k.ids[s.Key], s.ID)
}

func (k keyIndex) remove(id string) {
	key, known := k.keys[id]
	if !known {
		return
	}
	delete(k.keys, id)
	if left := slices.DeleteFunc(k.ids[key], func(other string) bool { return other == id }); len(left) > 0 {
		k.ids[key] = left
	} else {
		delete(k.ids, key)
	}
}
