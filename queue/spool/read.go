package spool

import (
	"sync"
	"sync/atomic"

	"github.com/choicetui/choicetui/queue"
)

const (
	readers   = 4  // the disk and the decoder have something to do at the same time
	fewToRead = 16 // so few are read without company
)

// reading is a session as its directory shows it. Where the reader knows that revision already, it is not read.
type reading struct {
	top     uint64
	session queue.Session
	err     error
}

// readAll reads sessions by name, in their order: at start hundreds of them, which is most of what a first frame
// waits for.
func (w *watcher) readAll(names []string) []reading {
	found := make([]reading, len(names))
	if len(names) <= fewToRead {
		for i, name := range names {
			found[i] = w.readOne(name)
		}
		return found
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				found[i] = w.readOne(names[i])
			}
		})
	}
	all.Wait()
	return found
}

// readOne only reads, also what the watcher knows: many run at once.
func (w *watcher) readOne(name string) (r reading) {
	if !queue.ValidID(name) {
		return r
	}
	if r.top, r.err = w.store.highest(name); r.err == nil && r.top > w.revisions[name] {
		r.session, r.err = w.store.readRevision(name, r.top)
	}
	return r
}
