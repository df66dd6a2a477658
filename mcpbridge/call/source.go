package call

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// rewatch is the pause before a broken watch is tried again.
const rewatch = time.Second

// scope says how much of the queue a bridge watches. In a directory one watch on everything costs the least. On a
// server each bridge watches only what it needs, or a thousand agents would be told of each other's every step.
type scope int

const (
	scopeOwn        scope = iota // the sessions that its calls wait for, one by one, and which dashboards are open
	scopeSessions                // every live session too
	scopeEverything              // and everybody who runs
)

// mostOwn limits the sessions that are watched one by one. Beyond it, one watch on all of them costs less.
const mostOwn = 16

// source is one watch over the store. When it breaks, it is opened again.
type source struct {
	watch *watch
	open  func(context.Context) (queue.Watcher, error)
	wide  bool // on more than one session
}

// start opens what the bridge watches from its first call on.
func (w *watch) start(ctx context.Context) error {
	if w.q.Shared() {
		return nil
	}
	return w.widen(ctx, scopeEverything)
}

// sees returns the scope.
func (w *watch) sees() scope {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.scope
}

// widen has at least so much of the queue watched. It returns once the first batch is taken, which is everything live.
func (w *watch) widen(ctx context.Context, to scope) error {
	w.opening.Lock()
	defer w.opening.Unlock()
	if w.sees() >= to {
		return nil
	}
	src := source{watch: w, wide: true, open: func(ctx context.Context) (queue.Watcher, error) {
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
	src.take(ctx, first)
	life, stop := context.WithCancel(w.life)
	w.mu.Lock()
	if w.wide != nil {
		w.wide()
	}
	w.scope, w.wide = to, stop
	w.run(func() { src.follow(life, from) })
	w.mu.Unlock()
	w.countDashboards(ctx)
	return nil
}

// run does something in the background until the bridge's life ends. It is called with the mutex held.
func (w *watch) run(do func()) {
	if !w.over {
		w.sources.Go(do)
	}
}

// ended is closed when no watch is left, after the end of the bridge's life.
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

// followOwn has a session watched for those who wait for it, where not all are. It is called with the mutex held.
func (w *watch) followOwn(id string) {
	if id == anySession || w.scope > scopeOwn || w.own[id] != nil {
		return
	}
	if len(w.own) == mostOwn { // many agents behind one process
		w.run(func() { _ = w.widen(w.life, scopeSessions) }) // else it is tried by the next one that is one too many
	}
	life, stop := context.WithCancel(w.life)
	w.own[id] = stop
	src := source{watch: w, open: func(ctx context.Context) (queue.Watcher, error) { return w.q.Store.Follow(ctx, id) }}
	w.run(func() {
		from, err := src.open(life)
		if err != nil {
			from = src.reopen(life, err)
		}
		src.follow(life, from)
	})
}

// leaveOwn ends the watch on a session that nobody waits for. It is called with the mutex held.
func (w *watch) leaveOwn(id string) {
	if stop := w.own[id]; stop != nil {
		stop()
		delete(w.own, id)
	}
}

// follow takes what a watch brings until ctx ends; from is nil if it has ended.
func (src source) follow(ctx context.Context, from queue.Watcher) {
	for from != nil {
		changes, err := from.Next(ctx)
		if err == nil {
			src.take(ctx, changes)
			continue
		}
		from.Close()
		from = src.reopen(ctx, err)
	}
}

func (src source) take(ctx context.Context, c queue.Changes) {
	src.watch.takeChanges(c, src.wide)
	if c.Presence {
		src.watch.countDashboards(ctx)
	}
}

// reopen opens a new watch after one broke; nil when ctx ended.
func (src source) reopen(ctx context.Context, err error) queue.Watcher {
	if ctx.Err() != nil {
		return nil
	}
	w := src.watch
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
		w.noteWhy(err)
	}
}

// noteWhy notes why what broke is broken still.
func (w *watch) noteWhy(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.why = why
}

// noteBroken notes that a watch broke, and reports whether it is the first.
func (w *watch) noteBroken(why error) (first bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.blind++
	w.why = why
	w.wakeAll()
	return w.blind == 1
}

// noteMended notes that a broken watch was opened again or ended. Sessions that ended meanwhile are not reported, so
// nothing counts as pending until a new wide watch says so.
func (w *watch) noteMended(wide bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.blind--
	if wide {
		clear(w.pending.sessions)
	}
	w.wakeAll()
}
