package call

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// rewatch is the pause before a broken source is opened again.
const rewatch = time.Second

// scope limits the part of the queue that a bridge watches. In a directory one source for everything costs the least.
// On a server each bridge watches only what it needs, or a thousand agents would learn of each other's every step.
type scope int

const (
	scopeOwn        scope = iota // the sessions that its calls wait for, one by one, and the open dashboards
	scopeSessions                // also every live session
	scopeEverything              // also every running process
)

// mostOwn limits the sessions that are watched one by one. Beyond it, one source for all of them costs less.
const mostOwn = 16

// source opens a watch over the store, and opens it again when it breaks.
type source struct {
	open func(context.Context) (queue.Watcher, error)
	wide bool // for more than one session
}

// start opens the sources that the bridge has from its first call on.
func (w *watch) start(ctx context.Context) error {
	if w.q.Shared() {
		return nil
	}
	return w.widen(ctx, scopeEverything)
}

// currentScope returns the scope.
func (w *watch) currentScope() scope {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scope
}

// widen raises the scope to at least to. It returns once the first batch is recorded, which holds everything live.
func (w *watch) widen(ctx context.Context, to scope) error {
	w.opening.Lock()
	defer w.opening.Unlock()
	if w.currentScope() >= to {
		return nil
	}
	src := source{wide: true, open: func(ctx context.Context) (queue.Watcher, error) {
		if to == scopeEverything {
			return w.q.Store.Watch(ctx)
		}
		return w.q.Store.Follow(ctx)
	}}
	from, err := src.open(ctx)
	if err != nil {
		return err
	}
	first, err := from.Next(ctx)
	if err != nil {
		from.Close()
		return err
	}
	w.takeBatch(ctx, first, src.wide)
	life, stop := context.WithCancel(w.life)
	w.mu.Lock()
	if w.wide != nil {
		w.wide()
	}
	w.scope, w.wide = to, stop
	w.runSource(func() { w.followSource(life, src, from) })
	w.mu.Unlock()
	w.countDashboards(ctx)
	return nil
}

// runSource starts a goroutine that ended waits for, unless the watch is over. It is called with the mutex held.
func (w *watch) runSource(do func()) {
	if !w.over {
		w.sources.Go(do)
	}
}

// ended returns a channel that is closed when no source is left, after the end of the bridge's life.
func (w *watch) ended() <-chan struct{} {
	all := make(chan struct{})
	go func() {
		w.mu.Lock()
		w.over = true
		w.mu.Unlock()
		w.sources.Wait()
		close(all)
	}()
	return all
}

// followOwn starts a source for one session, unless a wide source reports it. It is called with the mutex held.
func (w *watch) followOwn(id string) {
	if id == anySession || w.scope > scopeOwn || w.own[id] != nil {
		return
	}
	if len(w.own) == mostOwn { // many agents behind one process
		// If widen fails, the next session beyond mostOwn tries again.
		w.runSource(func() { _ = w.widen(w.life, scopeSessions) })
	}
	life, stop := context.WithCancel(w.life)
	w.own[id] = stop
	src := source{open: func(ctx context.Context) (queue.Watcher, error) { return w.q.Store.Follow(ctx, id) }}
	w.runSource(func() {
		from, err := src.open(life)
		if err != nil {
			from = w.reopenSource(life, src, err)
		}
		w.followSource(life, src, from)
	})
}

// leaveOwn ends the source for a session that nobody waits for. It is called with the mutex held.
func (w *watch) leaveOwn(id string) {
	if stop := w.own[id]; stop != nil {
		stop()
		delete(w.own, id)
	}
}

// followSource records the changes of a source until ctx ends. from is its open watch; nil if ctx has ended.
func (w *watch) followSource(ctx context.Context, src source, from queue.Watcher) {
	for from != nil {
		changes, err := from.Next(ctx)
		if err == nil {
			w.takeBatch(ctx, changes, src.wide)
			continue
		}
		from.Close()
		from = w.reopenSource(ctx, src, err)
	}
}

// takeBatch records one batch of a source.
func (w *watch) takeBatch(ctx context.Context, c queue.Changes, wide bool) {
	w.takeChanges(c, wide)
	if c.Presence {
		w.countDashboards(ctx)
	}
}

// reopenSource opens a source again after it broke with err. It returns nil when ctx ended.
func (w *watch) reopenSource(ctx context.Context, src source, err error) queue.Watcher {
	if ctx.Err() != nil {
		return nil
	}
	if w.noteBroken(err) {
		w.logf("failed to watch the queue, looking each second: %v", err)
	}
	for {
		select {
		case <-ctx.Done():
			w.noteMended(false)
			return nil
		case <-time.After(rewatch):
		}
		var from queue.Watcher
		if from, err = src.open(ctx); err == nil {
			w.noteMended(src.wide)
			w.countDashboards(ctx)
			return from
		}
		w.mu.Lock()
		w.cause = err
		w.mu.Unlock()
	}
}

// noteBroken records that a source broke, and reports whether it is the only broken one.
func (w *watch) noteBroken(cause error) (first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken++
	w.cause = cause
	w.wakeAll()
	return w.broken == 1
}

// noteMended records that a broken source was opened again or ended. A new wide source does not report the sessions
// that ended meanwhile, so none counts as pending until it reports one.
func (w *watch) noteMended(wide bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken--
	if wide {
		clear(w.pending.sessions)
	}
	w.wakeAll()
}
