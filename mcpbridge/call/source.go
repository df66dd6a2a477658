package call

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// rewatch is the pause before a broken source is opened again.
const rewatch = time.Second

// scope is the part of the queue that a bridge watches. In a directory one source for everything costs the least. On a
// server each bridge watches only the sessions that it needs, because else a thousand agents would learn of each
// other's every step.
type scope int

const (
	scopeOwn        scope = iota // the sessions that calls wait for, each with its own source, and the dashboards
	scopeSessions                // every live session, and the dashboards
	scopeEverything              // every live session and every running process
)

// mostOwn limits the sessions with a source of their own. For more sessions one source for all of them costs less.
const mostOwn = 16

// source describes a watch over the store that is opened again after it breaks.
type source struct {
	open func(context.Context) (queue.Watcher, error)
	wide bool // it reports more than one session
}

// start opens, at the first call, the source that reports all sessions. On a server it does nothing: there a source is
// opened only when a call needs it (see scope).
func (w *watch) start(ctx context.Context) error {
	if w.q.Shared() {
		return nil
	}
	return w.raiseScope(ctx, scopeEverything)
}

// currentScope returns the scope under the mutex.
func (w *watch) currentScope() scope {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scope
}

// raiseScope makes the watch report at least the scope to. It returns after the first batch was recorded, which
// contains everything that is live.
func (w *watch) raiseScope(ctx context.Context, to scope) error {
	w.opening.Lock()
	defer w.opening.Unlock()
	if w.currentScope() >= to {
		return nil
	}
	src := source{wide: true, open: func(ctx context.Context) (queue.Watcher, error) {
		if to == scopeEverything {
			return w.q.Store.Watch(ctx, queue.AllNews)
		}
		return w.q.Store.Watch(ctx, queue.FewNews)
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
	if w.endWide != nil {
		w.endWide()
	}
	w.scope, w.endWide = to, stop
	w.runSource(func() { w.followSource(life, src, from) })
	w.mu.Unlock()
	w.countDashboards(ctx)
	return nil
}

// runSource starts a goroutine that ended waits for, unless the watch is over. The caller holds the mutex.
func (w *watch) runSource(do func()) {
	if !w.over {
		w.sources.Go(do)
	}
}

// ended returns a channel that is closed when all sources have ended. Call it after the end of the bridge's life.
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

// followOwn starts a source for one session, unless a wide source reports it. The caller holds the mutex.
func (w *watch) followOwn(id string) {
	if id == anySession || w.scope > scopeOwn || w.endOwn[id] != nil {
		return
	}
	if len(w.endOwn) == mostOwn { // this process serves many agents
		// If raiseScope fails, the next session beyond mostOwn tries again.
		w.runSource(func() { _ = w.raiseScope(w.life, scopeSessions) })
	}
	life, end := context.WithCancel(w.life)
	w.endOwn[id] = end
	src := source{open: func(ctx context.Context) (queue.Watcher, error) {
		return w.q.Store.Watch(ctx, queue.FewNews, id)
	}}
	w.runSource(func() {
		from, err := src.open(life)
		if err != nil {
			from = w.reopenSource(life, src, err)
		}
		w.followSource(life, src, from)
	})
}

// leaveOwn ends the source for a session that no call waits for any more. The caller holds the mutex.
func (w *watch) leaveOwn(id string) {
	if end := w.endOwn[id]; end != nil {
		end()
		delete(w.endOwn, id)
	}
}

// followSource records the changes of a source until ctx ends. from is the opened source; nil if ctx has ended.
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

// reopenSource opens a source again after it broke with err. It returns nil when ctx ends.
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
			w.noteEnded()
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

// noteBroken records that a source broke. first reports that no other source is broken.
func (w *watch) noteBroken(cause error) (first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken++
	w.cause = cause
	w.wakeAll()
	return w.broken == 1
}

// noteEnded records that a broken source has ended.
func (w *watch) noteEnded() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken--
	w.wakeAll()
}

// noteMended records that a broken source was opened again. A new wide source does not report sessions that ended
// meanwhile, so the pending sessions are forgotten until it reports them.
func (w *watch) noteMended(wide bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken--
	if wide {
		clear(w.pending.sessions)
	}
	w.wakeAll()
}
