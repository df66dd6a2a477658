package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const rewatch = time.Second // after a watch that failed

// feed is the watch on the queue.
type feed struct {
	o       Options
	inbox   *inbox
	take    func(batch) // has the owner take a batch over
	watcher queue.Watcher
	release func() error
	first   chan batch // what is in the queue, while it is being read; nil: it was taken over, or is not read yet
	blind   bool       // who runs has changed and could not be read; only who reads touches it
}

// batch is one change of the queue with who runs beside it.
type batch struct {
	changes queue.Changes
	present []queue.Presence // counts where changes.Presence is set
	err     error
}

// Open joins the queue: it watches it, says that this process runs as role, and takes the one form of the session that
// the desk was opened on. The error is the store's; a session that cannot be attached is returned beside
// queue.ErrUsed, ErrSettled or ErrFinal. After an error nothing is left open.
func (f *feed) Open(ctx context.Context, role string) (s queue.Session, err error) {
	var ids []string
	if f.o.Attach != "" {
		ids = []string{f.o.Attach}
	}
	watcher, err := f.o.Queue.Store.Watch(ctx, ids...)
	if err != nil {
		return s, err
	}
	release, err := f.o.Queue.Store.Announce(ctx, queue.Presence{Instance: f.o.Instance, Role: role})
	if err != nil {
		return s, errors.Join(err, watcher.Close())
	}
	if f.o.Attach != "" { // announced first: an attached session whose form is not present counts as left
		attach := queue.Attach{Instance: f.o.Instance, Pane: f.o.Pane}
		s, err = f.o.Queue.Do(ctx, f.o.Attach, queue.Command{By: queue.ByHuman,
			Surface: queue.SurfaceAttach, Do: attach})
		if err != nil {
			_, _ = release(), watcher.Close() // the first error says what is wrong
			return s, err
		}
	}
	f.watcher, f.release = watcher, release
	return s, nil
}

// TakeFirst waits at most so long for what is in the queue, and takes it over: a first frame that shows it needs no
// second one. It is called between Open and Start, or not at all.
func (f *feed) TakeFirst(ctx context.Context, within time.Duration) {
	first := make(chan batch, 1)
	f.o.Go(func() { first <- f.read(ctx) })
	select {
	case b := <-first:
		f.take(b)
	case <-time.After(within):
		f.first = first
	}
}

func (f *feed) read(ctx context.Context) batch {
	ch, err := f.watcher.Next(ctx)
	b := batch{changes: ch, err: err}
	if err == nil && (ch.Presence || f.blind) {
		f.readPresent(ctx, &b)
	}
	return b
}

// readPresent reads who runs. An error is no list: nobody counts as gone by it, and it is read again soon.
func (f *feed) readPresent(ctx context.Context, b *batch) {
	list, err := f.o.Queue.Store.Present(ctx)
	b.present, b.changes.Presence = list, err == nil
	f.blind = err != nil
}

// lookOnce reads once more who runs, after a while: there may be no other change that would have it read.
func (f *feed) lookOnce(ctx context.Context) {
	time.Sleep(rewatch)
	var b batch
	if f.readPresent(ctx, &b); !f.blind && ctx.Err() == nil {
		f.inbox.Do(func() { f.take(b) })
	}
}

// follow hands over what the watch reports until ctx ends, beginning with what TakeFirst still waits for.
func (f *feed) follow(ctx context.Context) {
	if f.first != nil {
		b := <-f.first
		f.inbox.Do(func() { f.take(b) })
	}
	for ctx.Err() == nil {
		b := f.read(ctx)
		if ctx.Err() != nil || errors.Is(b.err, context.Canceled) {
			return
		}
		f.inbox.Do(func() { f.take(b) })
		switch {
		case b.err != nil:
			time.Sleep(rewatch)
		case f.blind:
			f.lookOnce(ctx)
		}
	}
}

// Leave leaves the queue: the watch ends, and this process counts as gone.
func (f *feed) Leave() { _, _ = f.release(), f.watcher.Close() } // the process ends: the kernel does the same
