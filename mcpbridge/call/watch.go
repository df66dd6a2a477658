package call

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// anySession is the id for waiters that are woken by every change.
const anySession = ""

// watch records what its sources report: the live sessions of each key, the pending sessions, and whether a dashboard
// is open. It wakes the waiters of a session that changes, and decides nothing. Its scope limits what the sources
// report.
type watch struct {
	q       *queue.Queue
	logf    func(string, ...any)
	life    context.Context // ends with the bridge
	sources sync.WaitGroup
	opening sync.Mutex // held while a wide watch is opened

	mu         sync.Mutex
	over       bool // the bridge has ended, so no new source is started
	scope      scope
	endWide    context.CancelFunc            // ends the wide source; nil if there is none
	endOwn     map[string]context.CancelFunc // end the sources for single sessions, by id
	keys       keyIndex
	pending    pending
	waiters    map[string][]*waiter // by session id, or anySession
	dashboards int
	emptySince time.Time // when the last dashboard was seen to close; zero: none was ever seen
	broken     int       // the number of broken sources; if there is one, calls read the store themselves
	cause      error     // the error with which a source broke last
}

func newWatch(life context.Context, q *queue.Queue, logf func(string, ...any)) *watch {
	return &watch{
		q: q, logf: logf, life: life, pending: newPending(q.Now),
		keys:    keyIndex{ids: map[string][]string{}, keys: map[string]string{}},
		waiters: map[string][]*waiter{}, endOwn: map[string]context.CancelFunc{},
	}
}

// takeChanges records one batch and wakes the waiters for its sessions. It records only the sessions of a wide source:
// the source for one session ends with its waiter, so the end of that session would not be reported.
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

// wakeAll wakes all waiters. The caller holds the mutex.
func (w *watch) wakeAll() {
	for _, all := range w.waiters {
		for _, one := range all {
			one.wake()
		}
	}
}

// addCreated records a session that this bridge created, before a source reports it.
func (w *watch) addCreated(s queue.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.scope > scopeOwn {
		w.keys.add(s)
	}
}

// idsWithKey returns the ids of the live sessions with a key, newest last. It reads the store if the watch does not
// report all sessions.
func (w *watch) idsWithKey(ctx context.Context, key string) ([]string, error) {
	if w.currentScope() == scopeOwn {
		return w.readIDsWithKey(ctx, key)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.keys.ids[key]), nil
}

// readIDsWithKey does the work of idsWithKey with the store alone.
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

// deserted returns the time at which the last dashboard closed; zero: none was ever seen. open reports that one is
// open.
func (w *watch) deserted() (since time.Time, open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.emptySince, w.dashboards > 0
}

// err returns the reason why the watch misses changes; nil: it misses none.
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

// addWaiter returns a waiter that is woken by the changes of a session, or of anySession, until removeWaiter. stop may
// be nil.
func (w *watch) addWaiter(ctx context.Context, id string, stop *silentStop) *waiter {
	one := &waiter{ctx: ctx, ring: make(chan struct{}, 1), over: make(chan struct{}), stop: stop}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiters[id] = append(w.waiters[id], one)
	w.followOwn(id)
	return one
}

// removeWaiter ends a waiter whose call has released or collected its session.
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

// letFinish waits for all calls that are finishing with this session. They are about to release or collect it, and the
// next caller must see that. busy reports that another call still waits for the session.
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

// waiter wakes a call at every change of one session, or of any session. A call is finishing after it has stopped
// waiting and until it has released or collected the session. The next call for the session waits for that.
type waiter struct {
	ctx      context.Context // ends when the call was cancelled or its result is there
	ring     chan struct{}   // has a buffer of one, so that a burst of changes wakes the call once
	over     chan struct{}   // closed when the call has released or collected the session
	stop     *silentStop
	mu       sync.Mutex
	latest   queue.Session
	archived bool // the session is no longer live, so the call must read the store
}

// wake wakes the call. It does not block.
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

// newerThan returns the latest recorded state of the session if it is newer than s, else s. reread reports that the
// call must read the store.
func (w *waiter) newerThan(s queue.Session) (latest queue.Session, reread bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	reread, w.archived = w.archived, false
	if w.latest.Revision > s.Revision {
		return w.latest, reread
	}
	return s, reread
}

// finishing reports whether the call is finishing. It also wakes the call, because silentStop may have found that its
// client stopped it.
func (w *waiter) finishing() bool {
	if w.ctx.Err() == nil && !w.stop.searchNow() {
		return false
	}
	w.wake()
	return true
}

// keyIndex finds live sessions by their key.
type keyIndex struct {
	ids  map[string][]string // the ids of the sessions with a key, newest last
	keys map[string]string   // the key of each session, by id
}

// add adds a session, unless it has no key or its result was fetched already.
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
