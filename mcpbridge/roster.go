package mcpbridge

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// rewatch is how long a broken watch rests before it is tried again.
const rewatch = time.Second

// roster is what the one watch over the store knows: which live sessions have which key, who waits for which, and
// whether a dashboard is open. It wakes waiters; it decides nothing.
type roster struct {
	q       *queue.Queue
	logf    func(string, ...any)
	stopped chan struct{}
	board   *board

	mu         sync.Mutex
	keys       map[string][]string // session ids by key
	keyOf      map[string]string
	stays      map[string][]*stay // by session id
	dashboards int
	emptySince time.Time // when the last dashboard was seen to go; zero: none was ever seen
	blind      bool      // the watch is broken: waiters look for themselves
}

// stay is one call's time with one session: woken on every change, and awaited by who wants the session next.
type stay struct {
	ctx      context.Context // the call's: ends when it was cancelled or its handler returned
	ring     chan struct{}   // of size one: a burst wakes once
	over     chan struct{}   // closed when its claim is given back or collected
	mu       sync.Mutex
	latest   queue.Session
	archived bool // gone from the live ones: look again
}

func newRoster(q *queue.Queue, logf func(string, ...any)) *roster {
	return &roster{
		q: q, logf: logf, stopped: make(chan struct{}), board: newBoard(q.Now),
		keys: map[string][]string{}, keyOf: map[string]string{}, stays: map[string][]*stay{},
	}
}

// start opens the watch and takes its first batch, which is everything live, so that joining sees it all.
func (r *roster) start(ctx context.Context) error {
	w, err := r.q.Store.Watch(ctx)
	if err != nil {
		return err
	}
	first, err := w.Next(ctx)
	if err != nil {
		w.Close()
		return err
	}
	r.apply(first)
	r.count(ctx)
	go r.follow(ctx, w)
	return nil
}

func (r *roster) follow(ctx context.Context, w queue.Watcher) {
	defer close(r.stopped)
	for {
		changes, err := w.Next(ctx)
		if err == nil {
			r.apply(changes)
			if changes.Presence {
				r.count(ctx)
			}
			continue
		}
		w.Close()
		if w = r.again(ctx, err); w == nil {
			return
		}
	}
}

// again opens a new watch after one broke; nil when ctx ended.
func (r *roster) again(ctx context.Context, err error) queue.Watcher {
	for ctx.Err() == nil {
		r.logf("failed to watch the queue, looking each second: %v", err)
		r.setBlind(true)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(rewatch):
		}
		var w queue.Watcher
		if w, err = r.q.Store.Watch(ctx); err == nil {
			r.setBlind(false)
			r.board.reset() // what ended meanwhile is not reported
			r.count(ctx)
			return w
		}
	}
	return nil
}

func (r *roster) setBlind(blind bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blind = blind
	r.ringAll()
}

// apply takes one batch of changes in and wakes who waits for any of them.
func (r *roster) apply(c queue.Changes) {
	defer r.board.apply(c)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range c.Sessions {
		r.note(s)
		for _, st := range r.stays[s.ID] {
			st.update(s)
		}
	}
	for _, id := range c.Gone {
		r.forget(id)
		for _, st := range r.stays[id] {
			st.vanish()
		}
	}
}

// note keeps a session's key; the caller holds mu.
func (r *roster) note(s queue.Session) {
	if _, known := r.keyOf[s.ID]; known || s.Key == "" || s.Final {
		return
	}
	r.keyOf[s.ID] = s.Key
	r.keys[s.Key] = append(r.keys[s.Key], s.ID)
}

func (r *roster) forget(id string) {
	key, known := r.keyOf[id]
	if !known {
		return
	}
	delete(r.keyOf, id)
	if left := slices.DeleteFunc(r.keys[key], func(k string) bool { return k == id }); len(left) > 0 {
		r.keys[key] = left
	} else {
		delete(r.keys, key)
	}
}

// made tells of a session created here, sooner than the watch will.
func (r *roster) made(s queue.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(s)
}

// sameKey returns the ids of live sessions with a key, newest last.
func (r *roster) sameKey(key string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.keys[key])
}

// count looks which dashboards run, and wakes everybody when the last went or the first came.
func (r *roster) count(ctx context.Context) {
	present, err := r.q.Store.Present(ctx)
	if err != nil {
		return
	}
	defer r.board.present(present) // after the dashboards are counted
	n := 0
	for _, p := range present {
		if p.Role == queue.RoleDashboard {
			n++
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n == 0 && r.dashboards > 0 {
		r.emptySince = r.q.Now()
	}
	r.dashboards = n
	r.ringAll()
}

func (r *roster) ringAll() {
	for _, all := range r.stays {
		for _, st := range all {
			st.wake()
		}
	}
}

// deserted returns since when no dashboard is open; open reports that one is.
func (r *roster) deserted() (since time.Time, open bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.emptySince, r.dashboards > 0
}

func (r *roster) isBlind() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.blind
}

// join starts a stay with a session.
func (r *roster) join(ctx context.Context, id string) *stay {
	st := &stay{ctx: ctx, ring: make(chan struct{}, 1), over: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stays[id] = append(r.stays[id], st)
	return st
}

// leave ends a stay.
func (r *roster) leave(id string, st *stay) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if left := slices.DeleteFunc(r.stays[id], func(x *stay) bool { return x == st }); len(left) > 0 {
		r.stays[id] = left
	} else {
		delete(r.stays, id)
	}
	close(st.over)
}

// settle waits until every stay that merely finishes is over: its claim is about to be given back or collected,
// and whoever comes next must see that. It reports whether a stay goes on.
func (r *roster) settle(ctx context.Context, id string) (busy bool) {
	r.mu.Lock()
	stays := slices.Clone(r.stays[id])
	r.mu.Unlock()
	for _, st := range stays {
		if !st.finishing() {
			busy = true
			continue
		}
		select {
		case <-st.over:
		case <-ctx.Done():
		}
	}
	return busy
}

func (st *stay) update(s queue.Session) {
	st.mu.Lock()
	if s.Revision > st.latest.Revision {
		st.latest = s
	}
	st.mu.Unlock()
	st.wake()
}

// finishing says that the call waits no longer and is about to give its claim back or to collect.
func (st *stay) finishing() bool { return st.ctx.Err() != nil }

func (st *stay) vanish() {
	st.mu.Lock()
	st.archived = true
	st.mu.Unlock()
	st.wake()
}

func (st *stay) wake() {
	select {
	case st.ring <- struct{}{}:
	default:
	}
}

// newer returns what the watch last said if that is newer than s; look reports that it must be read instead.
func (st *stay) newer(s queue.Session) (latest queue.Session, look bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	look, st.archived = st.archived, false
	if st.latest.Revision > s.Revision {
		return st.latest, look
	}
	return s, look
}
