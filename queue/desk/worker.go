package desk

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	storeWithin = 5 * time.Second // the longest time for one command or read of the store
	// the longest wait for one piece of work when the process ends: a hanging disk must not keep the person from
	// leaving
	flushWithin = 3 * time.Second
)

// storeContext is the context of one piece of work; it ends after storeWithin.
type storeContext = context.Context

// worker runs slow work, such as reading and writing the store, on one goroutine of its own, so that the owner does not
// wait. It takes the pieces of work from the worklist. The work for
// sessions of another host has a goroutine and a worklist for each host, so that a slow connection delays nothing else.
type worker struct {
	worklist *worklist
	remote   map[string]*worklist // by host; only for the owner
	ended    <-chan struct{}      // closed when the goroutines have to end; nil: they have not been started
	idle     chan struct{}        // closed when the goroutine has ended
	start    func(func())         // starts a goroutine
	queue    *queue.Queue
	inbox    *inbox
	faults   *faults
	unsaved  map[string]queue.Draft // by session and instance: drafts that could not be saved; only for the owner
	saving   map[string]bool        // by session and instance: drafts that are wanted in the store; only for the owner
}

// Later makes the worker run f, after everything that the person sent. Any goroutine may call it, and it never waits.
func (w *worker) Later(f func()) { w.worklist.addLookup(f) }

// Store makes the worker run f with a context that ends after storeWithin.
func (w *worker) Store(f func(storeContext)) { w.Later(withTimeout(f)) }

// withTimeout returns f as a piece of work whose context ends after storeWithin.
func withTimeout(f func(storeContext)) func() {
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), storeWithin)
		defer cancel()
		f(ctx)
	}
}

// Beside runs f on a goroutine of its own and not on the worker's, because a call that takes seconds must not delay the
// answers that the worker stores.
func (w *worker) Beside(f func()) { w.start(f) }

// doCommand makes the worker run a command before all work of lower rank. The owner then calls then with the result.
func (w *worker) doCommand(id string, c queue.Command, then func(queue.Session, error)) {
	if c.ID == "" {
		c.ID = queue.NewToken()
	}
	w.listFor(id).addSent(withTimeout(func(ctx storeContext) {
		s, err := w.queue.Do(ctx, id, c)
		w.inbox.Do(func() { then(s, err) })
	}))
}

// saveDraft stores a draft soon. It replaces the draft that the same instance saved for the session before.
func (w *worker) saveDraft(draft queue.Draft) {
	draft.Person = w.queue.Person
	name := draft.Session + " " + draft.Instance
	w.saving[name] = true
	w.listFor(draft.Session).addDraft(name, withTimeout(func(ctx storeContext) {
		err := w.queue.SaveDraft(ctx, draft)
		w.inbox.Do(func() { w.noteSaved(name, draft, err) })
	}))
}

// noteSaved notes whether saving a draft failed. It ignores a draft that was dropped meanwhile. The fault remains as
// long as any draft is unsaved.
func (w *worker) noteSaved(name string, draft queue.Draft, err error) {
	if !w.saving[name] {
		return
	}
	delete(w.unsaved, name)
	if err != nil {
		w.unsaved[name] = draft
	}
	if err != nil || len(w.unsaved) == 0 {
		w.faults.noteDraft(err)
	}
}

// saveUnsaved tries again to save the drafts that could not be saved.
func (w *worker) saveUnsaved() {
	for _, draft := range w.unsaved {
		w.saveDraft(draft)
	}
}

// dropDraft deletes the draft that an instance saved for a session.
func (w *worker) dropDraft(id, instance string) {
	name := id + " " + instance
	delete(w.saving, name)
	if delete(w.unsaved, name); len(w.unsaved) == 0 {
		w.faults.noteDraft(nil)
	}
	w.listFor(id).addDraft(name, withTimeout(func(ctx storeContext) {
		_ = w.queue.DropDraft(ctx, id, instance) // a draft that stays behind expires
	}))
}

// StoreFor works like Store, for work that has to do with one session.
func (w *worker) StoreFor(id string, f func(storeContext)) { w.listFor(id).addLookup(withTimeout(f)) }

// listFor returns the worklist for a session's work.
func (w *worker) listFor(id string) *worklist {
	host, _ := queue.SplitID(id)
	if host == "" {
		return w.worklist
	}
	list := w.remote[host]
	if list == nil {
		list = newWorklist()
		w.remote[host] = list
		if w.ended != nil {
			w.start(func() { list.runUntil(w.ended) })
		}
	}
	return list
}

// Work runs all pieces that are there now, on the caller's goroutine, and reports whether there were any. Tests use it
// in place of the worker's goroutine.
func (w *worker) Work() (busy bool) {
	for _, list := range w.lists() {
		for f, ok := list.takePiece(); ok; f, ok = list.takePiece() {
			f()
			busy = true
		}
	}
	return busy
}

// lists returns the worklists, this machine's first.
func (w *worker) lists() []*worklist {
	return append([]*worklist{w.worklist}, slices.Collect(maps.Values(w.remote))...)
}

// begin starts the goroutines that run the worklists until ctx ends.
func (w *worker) begin(ctx context.Context) {
	w.ended = ctx.Done()
	w.start(func() {
		defer close(w.idle)
		w.worklist.runUntil(w.ended)
	})
	for _, list := range w.remote {
		w.start(func() { list.runUntil(w.ended) })
	}
}

// finish runs the work that is left when the frontends have closed, such as saving the last draft, and the work that
// follows from it. It waits flushWithin at most for each piece and gives up at the first that takes longer, because the
// disk hangs then. A piece that the worker's goroutine still runs does not delay the others for longer than that.
func (w *worker) finish() {
	closesSoon(w.idle)
	for _, list := range w.lists() {
		for {
			w.inbox.Drain()
			f, ok := list.takePiece()
			if !ok || !runsSoon(f) {
				break
			}
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

// errands runs functions on goroutines of their own, outside the owner and the worker: a call of tmux may take seconds,
// and answers must not wait for it.
type errands struct {
	start   func(func()) // starts a goroutine
	running sync.WaitGroup
}

// runErrand runs f on a goroutine; f returns its result to the owner with Desk.Do.
func (e *errands) runErrand(f func()) {
	e.running.Add(1)
	e.start(func() {
		defer e.running.Done()
		f()
	})
}

// waitForErrands waits until all errands have ended, for a few seconds at most.
func (e *errands) waitForErrands() { runsSoon(e.running.Wait) }

// stuckAt is the number of pieces that may arrive without the worker taking one before the disk counts as stuck.
const stuckAt = 1024

// worklist holds functions for the worker, which wait for the disk. A frontend adds a piece from its event loop without
// waiting, and the worker takes the pieces out one by one. No piece is ever dropped: the person's answers come first,
// then lookups, each in their order, then drafts. Of the drafts of one session only the newest is kept, so that a
// hanging disk costs one piece of work and not hundreds. The methods may be called from several goroutines; no lock is
// held while a piece runs.
type worklist struct {
	mu     sync.Mutex
	sent   []func()          // commands, such as answers
	looks  []func()          // other work
	drafts map[string]func() // by session: the work that saves or drops its draft
	typed  []string          // the sessions of drafts, the longest waiting first
	behind int               // the pieces of work that were added since the worker last took one
	bell   chan struct{}
}

// newWorklist returns a worklist with nothing to do.
func newWorklist() *worklist {
	return &worklist{drafts: map[string]func(){}, bell: make(chan struct{}, 1)}
}

// addSent adds work of the first rank: an answer or another command.
func (w *worklist) addSent(f func()) { w.addPiece(func() { w.sent = append(w.sent, f) }) }

// addLookup adds work of the second rank, which is everything except commands and drafts.
func (w *worklist) addLookup(f func()) { w.addPiece(func() { w.looks = append(w.looks, f) }) }

// addDraft adds work of the last rank, which saves or drops the draft of a session. It replaces earlier work on the
// draft of the same session that has not begun.
func (w *worklist) addDraft(session string, f func()) {
	w.addPiece(func() {
		if _, waits := w.drafts[session]; !waits {
			w.typed = append(w.typed, session)
		}
		w.drafts[session] = f
	})
}

// addPiece calls put, which adds a piece of work to one of the lists, and wakes the worker.
func (w *worklist) addPiece(put func()) {
	w.mu.Lock()
	put()
	w.behind++
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// stuck reports whether the disk does not answer: much work was added since the worker last took one.
func (w *worklist) stuck() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.behind >= stuckAt
}

// takePiece removes and returns the next piece; ok is false if there is nothing to do.
func (w *worklist) takePiece() (f func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.sent) > 0:
		f, w.sent = w.sent[0], w.sent[1:]
	case len(w.looks) > 0:
		f, w.looks = w.looks[0], w.looks[1:]
	case len(w.typed) > 0:
		f = w.drafts[w.typed[0]]
		delete(w.drafts, w.typed[0])
		w.typed = w.typed[1:]
	default:
		return nil, false
	}
	w.behind = 0
	return f, true
}

// runUntil runs the pieces as they come until done is closed. Only one goroutine, the worker, runs it.
func (w *worklist) runUntil(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		if f, ok := w.takePiece(); ok {
			f()
			continue
		}
		select {
		case <-w.bell:
		case <-done:
			return
		}
	}
}
