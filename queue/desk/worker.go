package desk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	storeWithin = 5 * time.Second // what one command or read of the store may take
	flushWithin = 3 * time.Second // what one of them may take at the end: a disk that hangs keeps nobody from leaving
)

// storeContext is the context of one job of the worker; it ends after storeWithin.
type storeContext = context.Context

// worker does what takes time, beside the owner: one goroutine goes through the worklist.
type worker struct {
	worklist *worklist
	idle     chan struct{} // closed when the goroutine has ended
	start    func(func())  // starts a goroutine
	queue    *queue.Queue
	inbox    *inbox
	faults   *faults
	unsaved  map[string]queue.Draft // what could not be saved, by session and instance; the owner's
	saving   map[string]bool        // what is to be saved and was not forgotten since, by the same; the owner's
}

// Later has the worker run f, after what the person sent; from any goroutine, never waiting.
func (w *worker) Later(f func()) { w.worklist.look(f) }

// Store has the worker run f with a context that bounds what the store may take.
func (w *worker) Store(f func(storeContext)) { w.Later(within(f)) }

func within(f func(storeContext)) func() {
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeWithin)
		defer cancel()
		f(ctx)
	}
}

// Beside runs f beside the owner and the worker: what it asks may take seconds, and answers must not wait for it.
func (w *worker) Beside(f func()) { w.start(f) }

// doCommand has the worker run a command before all that nobody sent, and then the owner take what came of it.
func (w *worker) doCommand(id string, c queue.Command, then func(queue.Session, error)) {
	if c.ID == "" {
		c.ID = queue.NewToken()
	}
	w.worklist.send(within(func(ctx storeContext) {
		s, err := w.queue.Do(ctx, id, c)
		w.inbox.Do(func() { then(s, err) })
	}))
}

// saveDraft keeps what was typed, soon, in the place of what this instance kept of the same session before.
func (w *worker) saveDraft(draft queue.Draft) {
	draft.Person = w.queue.Person
	name := draft.Session + " " + draft.Instance
	w.saving[name] = true
	w.worklist.draft(name, within(func(ctx storeContext) {
		err := w.queue.Store.SaveDraft(ctx, draft)
		w.inbox.Do(func() { w.noteSaved(name, draft, err) })
	}))
}

// noteSaved notes how saving a draft went. One that was forgotten meanwhile is nobody's trouble, and while another one
// is not saved that stays said.
func (w *worker) noteSaved(name string, draft queue.Draft, err error) {
	if !w.saving[name] {
		return
	}
	if delete(w.unsaved, name); err != nil {
		w.unsaved[name] = draft
	}
	if err != nil || len(w.unsaved) == 0 {
		w.faults.noteDraft(err)
	}
}

// saveUnsaved tries again to save what could not be saved.
func (w *worker) saveUnsaved() {
	for _, draft := range w.unsaved {
		w.saveDraft(draft)
	}
}

// dropDraft forgets what an instance kept of a session.
func (w *worker) dropDraft(id, instance string) {
	name := id + " " + instance
	delete(w.saving, name)
	if delete(w.unsaved, name); len(w.unsaved) == 0 {
		w.faults.noteDraft(nil)
	}
	w.worklist.draft(name, within(func(ctx storeContext) {
		_ = w.queue.Store.DropDraft(ctx, id, instance) // it ends with its time
	}))
}

// Work does what is there for the worker now, and reports whether there was anything. Tests drive a desk with it.
func (w *worker) Work() (busy bool) {
	for f, ok := w.worklist.takePiece(); ok; f, ok = w.worklist.takePiece() {
		f()
		busy = true
	}
	return busy
}

// runUntil works until ctx ends.
func (w *worker) runUntil(ctx context.Context) {
	defer close(w.idle)
	w.worklist.runUntil(ctx.Done())
}

// finish does what is left when the faces have closed, such as the last draft or an answer under way, and what that
// leaves to do. It waits for each piece, but not longer than flushWithin, and gives up at the first that takes longer:
// the disk hangs. A piece that the goroutine still has does not keep the others.
func (w *worker) finish() {
	closesSoon(w.idle)
	for {
		w.inbox.Drain()
		f, ok := w.worklist.takePiece()
		if !ok || !runsSoon(f) {
			return
		}
	}
}

// runsSoon runs f on a goroutine, and reports whether it ended within flushWithin.
func runsSoon(f func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return closesSoon(done)
}

// closesSoon waits until done is closed, for flushWithin at most, and reports whether it was.
func closesSoon(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	case <-time.After(flushWithin):
		return false
	}
}
