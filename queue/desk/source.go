package desk

import (
	"context"
	"io/fs"
	"slices"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// source watches the queue. A desk usually has one source for all of it. A desk that was opened on one session has two,
// so that trouble with other sessions does not reach its question: the first watches that session, the second
// everything.
type source struct {
	store  queue.Store
	only   string // the id of the one session that is watched; empty: all are
	beside bool   // this is the second source, for the rest of the queue
	// receives the first batch that TakeFirst has requested; nil: it was not requested, or the desk has it
	first chan batch
	// the list of processes has changed and could not be read; used only on the goroutine that reads
	blind bool
	ended bool // the one session is no longer live; used only on the goroutine that reads

	mu      sync.Mutex
	watcher queue.Watcher // nil: not open yet
	closed  bool
}

// sourcesOf returns the sources of a desk, the indispensable one first.
func sourcesOf(o Options) []*source {
	own := &source{store: o.Queue.Store, only: o.Attach}
	if o.Attach == "" || o.Alone {
		return []*source{own}
	}
	return []*source{own, {store: o.Queue.Store, beside: true}}
}

// batch is one change of the queue, with the processes that run.
type batch struct {
	changes queue.Changes
	present []queue.Presence // valid if changes.Presence is set
	beside  bool             // the batch comes from the second source
	err     error
}

// openWatch starts the watch if that has not been done.
func (src *source) openWatch(ctx context.Context) error {
	_, err := src.watching(ctx)
	return err
}

// watching returns the watch. If there is none yet it tries to start it. The error is the store's, or fs.ErrClosed.
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

// closeWatch ends the watch. Any goroutine may call it.
func (src *source) closeWatch() error {
	src.mu.Lock()
	defer src.mu.Unlock()
	src.closed = true
	if src.watcher == nil {
		return nil
	}
	return src.watcher.Close()
}

// readBatch waits for the next change.
func (src *source) readBatch(ctx context.Context) batch {
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

// readPresent reads which processes run. After an error no process counts as gone, and follow reads the list again
// soon.
func (src *source) readPresent(ctx context.Context, b *batch) {
	list, err := src.store.Present(ctx)
	b.present, b.changes.Presence = list, err == nil
	src.blind = err != nil
}
