package call

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// rewatch is how long a broken watch rests before it is tried again.
const rewatch = time.Second

// anySession is what a waiter waits for that is rung on every change.
const anySession = ""

// watch is what the one watch over the store knows: which live sessions have which key, who waits for which, what is
// pending, and whether a dashboard is open. It wakes waiters; it decides nothing.
type watch struct {
	q       *queue.Queue
	logf    func(string, ...any)
	stopped chan struct{}

	mu         sync.Mutex
	keys       keyIndex
	pending    pending
	waiters    map[string][]*waiter // by session id, or anySession
	dashboards int
	emptySince time.Time // when the last dashboard was seen to go; zero: none was ever seen
	blind      bool      // the watch is broken: waiters look for themselves
}

func newWatch(q *queue.Queue, logf func(string, ...any)) *watch {
	return &watch{
		q: q, logf: logf, stopped: make(chan struct{}), keys: newKeyIndex(), pending: newPending(q.Now),
		waiters: map[string][]*waiter{},
	}
}

// start opens the watch and takes its first batch, which is everything live, so that joining sees it all.
func (w *watch) start(ctx context.Context) error {
	source, err := w.q.Store.Watch(ctx)
	if err != nil {
		return err
	}
	first, err := source.Next(ctx)
	if err != nil {
		source.Close()
		return err
	}
	w.takeChanges(first)
	w.countDashboards(ctx)
	go w.follow(ctx, source)
	return nil
}

func (w *watch) follow(ctx context.Context, source queue.Watcher) {
	defer close(w.stopped)
	for {
		changes, err := source.Next(ctx)
		if err == nil {
			w.takeChanges(changes)
			if changes.Presence {
				w.countDashboards(ctx)
			}
			continue
		}
		source.Close()
		if source = w.reopen(ctx, err); source == nil {
			return
		}
	}
}

// reopen opens a new watch after one broke; nil when ctx ended.
func (w *watch) reopen(ctx context.Context, err error) queue.Watcher {
	w.logf("failed to watch the queue, looking each second: %v", err)
	w.setBlind(true)
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(rewatch):
		}
		var source queue.Watcher
		if source, err = w.q.Store.Watch(ctx); err == nil {
			w.setBlind(false)
			w.countDashboards(ctx)
			return source
		}
	}
	return nil
}

// setBlind says whether the watch is broken. What ends meanwhile is not reported, so afterwards nothing is pending
// until the new watch says so.
func (w *watch) setBlind(blind bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.blind = blind
	if !blind {
		clear(w.pending.sessions)
	}
	w.wakeAll()
}

// takeChanges takes one batch in and wakes who waits for any of them.
func (w *watch) takeChanges(c queue.Changes) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending.takeChanges(c)
	for _, s := range c.Sessions {
		w.keys.add(s)
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
	present, err := w.q.Store.Present(ctx)
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
	w.dashboards = n
	w.pending.takePresence(present)
	w.wakeAll()
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
	w.keys.add(s)
}

// idsWithKey returns the live sessions with a key, newest last.
func (w *watch) idsWithKey(key string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.keys.ids[key])
}

// deserted returns since when no dashboard is open; open reports that one is.
func (w *watch) deserted() (since time.Time, open bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.emptySince, w.dashboards > 0
}

func (w *watch) isBlind() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.blind
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

// addWaiter has somebody rung on the changes of a session, or of anySession, until removeWaiter.
func (w *watch) addWaiter(ctx context.Context, id string) *waiter {
	one := newWaiter(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiters[id] = append(w.waiters[id], one)
	return one
}

func (w *watch) removeWaiter(id string, gone *waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if left := slices.DeleteFunc(w.waiters[id], func(one *waiter) bool { return one == gone }); len(left) > 0 {
		w.waiters[id] = left
	} else {
		delete(w.waiters, id)
	}
	close(gone.over)
}

// letFinish waits until every call that merely finishes with this session is over: its claim is about to be given back
// or collected, and whoever comes next must see that. It reports whether a call goes on.
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

// keyIndex finds live sessions by their key.
type keyIndex struct {
	ids map[string][]string // by key, newest last
	of  map[string]string   // the key of an id
}

func newKeyIndex() keyIndex { return keyIndex{ids: map[string][]string{}, of: map[string]string{}} }

func (k keyIndex) add(s queue.Session) {
	if _, known := k.of[s.ID]; known || s.Key == "" || s.Final {
		return
	}
	k.of[s.ID] = s.Key
	k.ids[s.Key] = append(k.ids[s.Key], s.ID)
}

func (k keyIndex) remove(id string) {
	key, known := k.of[id]
	if !known {
		return
	}
	delete(k.of, id)
	if left := slices.DeleteFunc(k.ids[key], func(other string) bool { return other == id }); len(left) > 0 {
		k.ids[key] = left
	} else {
		delete(k.ids, key)
	}
}
