package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const rewatch = time.Second // after a watch that failed

// feed brings the changes of the queue to the desk.
type feed struct {
	o       Options
	inbox   *inbox
	take    func(batch) // has the owner take a batch over
	sources []*source
	release func() error
}

// Open joins the queue: it watches it, says that this process runs as role, and takes the one form of the session that
// the desk was opened on. The error is the store's; a session that cannot be attached is returned beside
// queue.ErrUsed, ErrSettled or ErrFinal. After an error nothing is left open.
func (f *feed) Open(ctx context.Context, role string) (s queue.Session, err error) {
	sources := sourcesOf(f.o)
	if err := sources[0].open(ctx); err != nil {
		return s, err
	}
	release, err := f.o.Queue.Store.Announce(ctx, queue.Presence{Instance: f.o.Instance, Role: role})
	if err != nil {
		return s, errors.Join(err, sources[0].close())
	}
	if f.o.Attach != "" { // announced first: an attached session whose form is not present counts as left
		attach := queue.Attach{Instance: f.o.Instance, Pane: f.o.Pane}
		s, err = f.o.Queue.Do(ctx, f.o.Attach, queue.Command{By: queue.ByHuman,
			Surface: queue.SurfaceAttach, Do: attach})
		if err != nil {
			_, _ = release(), sources[0].close() // the first error says what is wrong
			return s, err
		}
	}
	f.sources, f.release = sources, release
	return s, nil
}

// TakeFirst waits at most within for the content of the queue, and takes it over, so that the first frame shows it. It
// is called between Open and Start, or not at all.
func (f *feed) TakeFirst(ctx context.Context, within time.Duration) {
	due := time.After(within)
	for _, src := range f.sources {
		first := make(chan batch, 1)
		f.o.Go(func() { first <- src.read(ctx) })
		src.first = first
	}
	for _, src := range f.sources {
		select {
		case b := <-src.first:
			src.first = nil
			f.take(b)
		case <-due:
			return
		}
	}
}

// follow hands over what one source reports until ctx ends or it has nothing more to report, beginning with what
// TakeFirst still waits for.
func (f *feed) follow(ctx context.Context, src *source) {
	if src.first != nil {
		b := <-src.first
		f.inbox.Do(func() { f.take(b) })
	}
	for ctx.Err() == nil && !f.spent(src) {
		b := src.read(ctx)
		if ctx.Err() != nil || errors.Is(b.err, context.Canceled) {
			return
		}
		f.inbox.Do(func() { f.take(b) })
		switch {
		case b.err != nil:
			time.Sleep(rewatch)
		case src.blind:
			f.lookOnce(ctx, src)
		}
	}
}

// spent reports whether another source reports everything that this one still could, and ends it then.
func (f *feed) spent(src *source) bool {
	spent := src.ended && len(f.sources) > 1
	if spent {
		_ = src.close()
	}
	return spent
}

// lookOnce reads once more which processes run, after a while: there may be no other change that leads to a read.
func (f *feed) lookOnce(ctx context.Context, src *source) {
	time.Sleep(rewatch)
	b := batch{beside: src.beside}
	if src.readPresent(ctx, &b); !src.blind && ctx.Err() == nil {
		f.inbox.Do(func() { f.take(b) })
	}
}

// Leave leaves the queue: the watch ends, and this process counts as gone.
func (f *feed) Leave() {
	_ = f.release() // the process ends: the kernel does the same
	for _, src := range f.sources {
		_ = src.close()
	}
}
