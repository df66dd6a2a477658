package desk

import (
	"context"
	"io/fs"
	"slices"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// source holds one watch on the queue. A desk usually has one, on all of it. A desk that was opened on one session has
// two, so that trouble with the rest of the queue does not reach its question: the first watches that session, the
// second everything.
type source struct {
	store  queue.Store
	only   string     // the one session that is watched; empty: all
	beside bool       // it watches the rest beside that one session
	first  chan batch // what is in the queue, while it is being read; nil: it was taken over, or is not read yet
	blind  bool       // who runs has changed and could not be read; only who reads touches it
	ended  bool       // the one session is not live any more; only who reads touches it

	mu      sync.Mutex
	watcher queue.Watcher // nil: not opened yet
	closed  bool
}

// sourcesOf returns the watches of a desk, the indispensable one first.
func sourcesOf(o Options) []*source {
	own := &source{store: o.Queue.Store, only: o.Attach}
	if o.Attach == "" || o.Alone {
		return []*source{own}
	}
	return []*source{own, {store: o.Queue.Store, beside: true}}
}

// batch holds one change of the queue, and the processes that run.
type batch struct {
	changes queue.Changes
	present []queue.Presence // counts where changes.Presence is set
	beside  bool             // of the rest of the queue, at a desk that was opened on one session
	err     error
}

// open begins the watch, unless that was done.
func (src *source) open(ctx context.Context) error {
	_, err := src.watching(ctx)
	return err
}

// watching returns the watch, and begins it if that failed before. The error is the store's, or fs.ErrClosed.
func (src *source) watching(ctx context.Context) (queue.Watcher, error) {
	src.mu.Lock()
	defer src.mu.Unlock()
	if src.closed {
		return nil, fs.ErrClosed
	}
	if src.watcher != nil {
		return src.watcher, nil
	}
	var ids []string
	if src.only != "" {
		ids = []string{src.only}
	}
	w, err := src.store.Watch(ctx, ids...)
	if err == nil {
		src.watcher = w
	}
	return w, err
}

// close ends the watch; it may come from another goroutine.
func (src *source) close() error {
	src.mu.Lock()
	defer src.mu.Unlock()
	src.closed = true
	if src.watcher == nil {
		return nil
	}
	return src.watcher.Close()
}

// read waits for the next change.
func (src *source) read(ctx context.Context) batch {
	b := batch{beside: src.beside}
	w, err := src.watching(ctx)
	if b.err = err; err != nil {
		return b
	}
	if b.changes, b.err = w.Next(ctx); b.err != nil {
		return b
	}
	if b.changes.Presence || src.blind {
		src.readPresent(ctx, &b)
	}
	if src.only != "" && slices.Contains(b.changes.Gone, src.only) {
		src.ended = true
	}
	return b
}

// readPresent reads which processes run. After an error nobody counts as gone, and it is read again soon.
func (src *source) readPresent(ctx context.Context, b *batch) {
	list, err := src.store.Present(ctx)
	b.present, b.changes.Presence = list, err == nil
	src.blind = err != nil
}
