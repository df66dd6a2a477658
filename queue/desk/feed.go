package desk

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const rewatch = time.Second // the pause after a failed read

// feed passes the changes of the queue to the desk.
type feed struct {
	o         Options
	inbox     *inbox
	takeBatch func(batch) // applies a batch; only the owner may call it
	sources   []*source
	release   func() error
}

// Open joins the queue: it starts the watch, announces this process in its role, and attaches to the session that the
// desk was opened on. The error is the store's, or queue.ErrUsed, ErrSettled or ErrFinal beside the session that cannot
// be attached. After an error nothing is left open.
func (f *feed) Open(ctx context.Context, role string) (s queue.Session, err error) {
	sources := sourcesOf(f.o)
	if err := sources[0].openWatch(ctx); err != nil {
		return s, err
	}
	release, err := f.o.Queue.Store.Announce(ctx, queue.Presence{Instance: f.o.Instance, Role: role})
	if err != nil {
		return s, errors.Join(err, sources[0].closeWatch())
	}
	if f.o.Attach != "" { // announced first: an attached session whose form is not present counts as left
		attach := queue.Attach{Instance: f.o.Instance, Pane: f.o.Pane}
		s, err = f.o.Queue.Do(ctx, f.o.Attach, queue.Command{By: queue.ByHuman,
			Surface: queue.SurfaceAttach, Do: attach})
		if err != nil {
			_, _ = release(), sources[0].closeWatch() // the first error says what is wrong
			return s, err
		}
	}
	f.sources, f.release = sources, release
	return s, nil
}

// TakeFirst reads the content of the queue and applies it, so that the first frame shows it. It waits for within at
// most. Call it between Open and Start, or not at all.
func (f *feed) TakeFirst(ctx context.Context, within time.Duration) {
	due := time.After(within)
	for _, src := range f.sources {
		first := make(chan batch, 1)
		f.o.Go(func() { first <- src.readBatch(ctx) })
		src.first = first
	}
	for _, src := range f.sources {
		select {
		case b := <-src.first:
			src.first, src.begun = nil, b.err == nil
			f.takeBatch(b)
		case <-due:
			return
		}
	}
}

// followSource passes the batches of one source to the owner until ctx ends or the source has nothing more to report.
// It begins with the first batch if TakeFirst did not wait for that.
func (f *feed) followSource(ctx context.Context, src *source) {
	if src.first != nil {
		b := <-src.first
		src.begun = b.err == nil
		f.inbox.Do(func() { f.takeBatch(b) })
	}
	for ctx.Err() == nil && !f.closeSpent(src) {
		b := src.readBatch(ctx)
		if ctx.Err() != nil || errors.Is(b.err, context.Canceled) || src.left(b.err) {
			return
		}
		for src.begun && len(b.changes.Sessions) > mostAtOnce && ctx.Err() == nil { // keys come between two parts
			part := batch{from: src, changes: queue.Changes{Sessions: b.changes.Sessions[:mostAtOnce]}}
			b.changes.Sessions = b.changes.Sessions[mostAtOnce:]
			f.giveBatch(ctx, part)
		}
		src.begun = src.begun || b.err == nil
		f.giveBatch(ctx, b)
		switch {
		case b.err != nil:
			time.Sleep(rewatch)
		case src.blind:
			f.lookOnce(ctx, src)
		}
	}
}

// mostAtOnce is the number of sessions that the owner takes without looking at a key. The first batch of a source is
// taken as a whole, since it is what was there.
const mostAtOnce = 500

// A batch that took the owner longer than briefly is followed by a pause of three times that, so that keys have most of
// its time; what comes meanwhile is in the next batch.
const (
	briefly   = 5 * time.Millisecond
	mostPause = time.Second
)

// giveBatch passes a batch to the owner, and waits until the owner has it or ctx ends.
func (f *feed) giveBatch(ctx context.Context, b batch) {
	taken := make(chan time.Duration, 1)
	f.inbox.Do(func() {
		began := time.Now()
		f.takeBatch(b)
		taken <- time.Since(began)
	})
	select {
	case took := <-taken:
		if took > briefly {
			pause(ctx, min(3*took, mostPause))
		}
	case <-ctx.Done():
	}
}

// closeSpent reports whether a source is no longer needed, because its one session has ended and the other source
// reports the rest of the queue. It closes such a source.
func (f *feed) closeSpent(src *source) bool {
	spent := src.ended && !f.o.Alone
	if spent {
		_ = src.closeWatch()
	}
	return spent
}

// lookOnce reads the list of processes once more after a while, because an earlier read failed and perhaps no other
// change leads to another one.
func (f *feed) lookOnce(ctx context.Context, src *source) {
	time.Sleep(rewatch)
	b := batch{from: src}
	if src.readPresent(ctx, &b); !src.blind && ctx.Err() == nil {
		f.inbox.Do(func() { f.takeBatch(b) })
	}
}

// Leave leaves the queue: the watch ends, and this process counts as gone.
func (f *feed) Leave() {
	_ = f.release() // after an error the kernel does the same when the process ends
	for _, src := range f.sources {
		_ = src.closeWatch()
	}
}

// source watches a queue. A desk usually has one source for all of this machine's. A desk that was opened on one
// session has two, so that trouble with other sessions does not reach its question: the first watches that session, the
// second everything. Each other host that is shown has a source too.
type source struct {
	store  queue.Store
	host   string // the host of the queue; empty: it is this machine's
	only   string // the id of the one session that is watched; empty: all are
	beside bool   // this is the second source, for the rest of the queue
	// receives the first batch that TakeFirst has requested; nil: it was not requested, or the desk has it
	first chan batch
	// the list of processes has changed and could not be read; used only on the goroutine that reads
	blind bool
	ended bool // the one session is no longer live; used only on the goroutine that reads
	begun bool // the owner has the first batch; used only on the goroutine that reads

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
	from    *source
	err     error
}

// left reports whether an error of the watch says that closeHost has ended it.
func (src *source) left(err error) bool { return src.host != "" && errors.Is(err, fs.ErrClosed) }

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
	w, err := src.store.Watch(ctx, queue.AllNews, ids...)
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
	b := batch{from: src}
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
