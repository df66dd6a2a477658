package desk

import "sync"

// The disk counts as stuck after stuckAt pieces of which the worker took none.
const stuckAt = 1024

// worklist holds the work that waits for the disk. A face puts it in on its event loop and never waits; one worker
// takes it out, piece by piece. Nothing ever falls out of it: the person's answers come first, then lookups, each in
// their order, and drafts give way to both. Of the drafts of one session only the newest is kept, so that a disk that
// hangs while somebody types costs one of them and not hundreds. Safe for several goroutines; no lock is held while a
// piece runs.
type worklist struct {
	mu     sync.Mutex
	sent   []func()
	looks  []func()
	drafts map[string]func()
	typed  []string // the sessions of drafts, longest waiting first
	behind int      // pieces that came since the worker took one
	bell   chan struct{}
}

// newWorklist returns a worklist with nothing to do.
func newWorklist() *worklist {
	return &worklist{drafts: map[string]func(){}, bell: make(chan struct{}, 1)}
}

// send adds what a person sent.
func (w *worklist) send(f func()) { w.add(func() { w.sent = append(w.sent, f) }) }

// look adds other work of the store beside the event loop.
func (w *worklist) look(f func()) { w.add(func() { w.looks = append(w.looks, f) }) }

// draft adds work on a session's draft, in place of work on it that has not begun.
func (w *worklist) draft(session string, f func()) {
	w.add(func() {
		if _, waits := w.drafts[session]; !waits {
			w.typed = append(w.typed, session)
		}
		w.drafts[session] = f
	})
}

func (w *worklist) add(put func()) {
	w.mu.Lock()
	put()
	w.behind++
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// stuck reports whether much has come in since the worker last took something out: the disk does not answer.
func (w *worklist) stuck() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.behind >= stuckAt
}

// takePiece takes the next piece out, to be run; false: there is nothing to do.
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

// runUntil does the work as it comes, until done is closed. One goroutine, the worker, runs it.
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
