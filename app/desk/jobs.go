package desk

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	storeWithin = 5 * time.Second // what one command or read of the store may take
	flushWithin = 2 * time.Second // a disk that hangs keeps nobody from leaving
)

// storeContext is the context of one job of the worker; it ends after storeWithin.
type storeContext = context.Context

// Later has the worker run f, after what the person sent; from any goroutine, never waiting.
func (d *Desk) Later(f func()) { d.work.look(f) }

// Store has the worker run f with a context that bounds what the store may take.
func (d *Desk) Store(f func(storeContext)) { d.Later(within(f)) }

func within(f func(storeContext)) func() {
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeWithin)
		defer cancel()
		f(ctx)
	}
}

// Beside runs f beside the owner and the worker: what it asks may take seconds, and answers must not wait for it.
func (d *Desk) Beside(f func()) { d.o.Go(f) }

// Command has the worker run a command before all that nobody sent, and then the owner take its result over, unless the
// disk did not confirm it.
func (d *Desk) Command(id string, c queue.Command, then func(queue.Session, error)) {
	if c.ID == "" {
		c.ID = queue.NewToken()
	}
	d.work.send(within(func(ctx storeContext) {
		s, err := d.o.Queue.Do(ctx, id, c)
		d.Do(func() {
			if !errors.Is(err, queue.ErrInDoubt) {
				d.takeResult(s)
			}
			if then != nil {
				then(s, err)
			}
		})
	}))
}

// SaveDraft keeps what was typed, soon, in the place of what this instance kept of the same session before.
func (d *Desk) SaveDraft(draft queue.Draft) {
	d.work.draft(draft.Session+" "+draft.Instance, within(func(ctx storeContext) {
		err := d.o.Queue.Store.SaveDraft(ctx, draft)
		d.Do(func() { d.noteDraft(err) })
	}))
}

// DropDraft forgets what an instance kept of a session.
func (d *Desk) DropDraft(id, instance string) {
	d.work.draft(id+" "+instance, within(func(ctx storeContext) {
		_ = d.o.Queue.Store.DropDraft(ctx, id, instance) // it ends with its time
	}))
}

// noteDraft notes how saving a draft went.
func (d *Desk) noteDraft(err error) {
	was := d.trouble.Draft
	if d.trouble.Draft = err; was != nil || err != nil {
		d.tell(Troubled{})
	}
}

// Work does what is there for the worker now, and reports whether there was anything. Tests drive a desk with it.
func (d *Desk) Work() (busy bool) {
	for f, ok := d.work.takePiece(); ok; f, ok = d.work.takePiece() {
		f()
		busy = true
	}
	return busy
}

// runWorker works until ctx ends.
func (d *Desk) runWorker(ctx context.Context) {
	defer close(d.idle)
	d.work.runUntil(ctx.Done())
}

// flush does what is left when the faces have closed: the last draft, an answer under way.
func (d *Desk) flush() {
	select {
	case <-d.idle:
		d.work.finish()
	case <-time.After(flushWithin):
	}
}
