package desk

import "sync"

// stuckAt is the number of pieces that may arrive without the worker taking one before the disk counts as stuck.
const stuckAt = 1024

// worklist holds functions for the worker, which wait for the disk. A face adds a piece from its event loop without
// waiting, and the worker takes the pieces out one by one. No piece is ever dropped: the person's answers come first,
// then lookups, each in their order, then drafts. Of the drafts of one session only the newest is kept, so that a
// hanging disk costs one piece of work and not hundreds. The methods may be called from several goroutines; no lock is
// held while a piece runs.
type worklist struct {
	mu     sync.Mutex
	sent   []func()          // commands, such as answers
	looks  []func()          // other work
	drafts map[string]func() // by session: the piece that saves or drops its draft
	typed  []string          // the sessions of drafts, the longest waiting first
	behind int               // the pieces that were added since the worker last took one
	bell   chan struct{}
}

// newWorklist returns a worklist with nothing to do.
func newWorklist() *worklist {
	return &worklist{drafts: map[string]func(){}, bell: make(chan struct{}, 1)}
}

// addSent adds a piece of the first rank: an answer or another command.
func (w *worklist) addSent(f func()) { w.addPiece(func() { w.sent = append(w.sent, f) }) }

// addLookup adds a piece of the second rank: any other work.
func (w *worklist) addLookup(f func()) { w.addPiece(func() { w.looks = append(w.looks, f) }) }

// addDraft adds a piece of the last rank, which saves or drops the draft of a session. It replaces an earlier piece for
// the same session that has not begun.
func (w *worklist) addDraft(session string, f func()) {
	w.addPiece(func() {
		if _, waits := w.drafts[session]; !waits {
			w.typed = append(w.typed, session)
		}
		w.drafts[session] = f
	})
}

// addPiece calls put, which adds a piece, and wakes the worker.
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

// stuck reports whether the disk does not answer: many pieces were added since the worker last took one.
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
