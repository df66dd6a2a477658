package history

import (
	"context"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

const (
	partSize = 50 // archived sessions of one read; the cursor of each part is kept, so that it can be read again
	parts    = 4  // parts read in one job of the worker while the person waits for more than the next screen
	ahead    = 50 // entries read ahead of what the cursor can reach with one key
)

// feed holds the history as far as it has been read, narrowed by a search. The archive comes from the worker, part by
// part, only as far as somebody looks; sessions that are settled and not archived yet are merged in by time.
type feed struct {
	find    search
	entries []entry // newest first
	recent  []entry // settled sessions that are not archived and older than the entries
	ids     map[string]bool
	parts   []string // the cursor of each part read so far
	next    string   // the cursor of the next part
	done    bool     // the whole archive has been read
	busy    bool
	fault   string // why reading stopped
	read    int    // archived sessions read, listed or not
	ctx     context.Context
	cancel  context.CancelFunc
}

func newFeed(find search) *feed {
	f := &feed{find: find, ids: map[string]bool{}}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	return f
}

// piece holds the entries that the worker found in a few parts of the archive.
type piece struct {
	entries  []entry
	sessions []queue.Session // the sessions of the entries
	last     entry           // the last session that was read, listed or not
	parts    []string
	next     string
	read     int
	done     bool
	err      error
}

// readPiece reads up to n parts from a cursor on, and counts them from the given number. It runs on the worker.
func readPiece(ctx context.Context, store queue.Store, find search, cursor string, first, n int) piece {
	var p piece
	p.next = cursor
	for range n {
		page, next, err := store.History(ctx, p.next, partSize)
		if err != nil {
			p.err = err
			return p
		}
		for _, s := range page {
			if s.Outcome != nil && find.matches(s) {
				p.entries = append(p.entries, entryOf(s, first+len(p.parts)))
				p.sessions = append(p.sessions, s)
			}
		}
		if n := len(page); n > 0 {
			p.last.ID, p.last.At = page[n-1].ID, page[n-1].SettledAt()
		}
		p.parts = append(p.parts, p.next)
		p.read += len(page)
		if p.next = next; next == "" {
			p.done = true
			return p
		}
	}
	return p
}

// take adds a piece to the feed, and the recent sessions that belong between its entries.
func (f *feed) take(p piece) {
	f.parts = append(f.parts, p.parts...)
	f.next, f.done, f.read, f.busy = p.next, p.done, f.read+p.read, false
	if p.err != nil {
		f.fault = p.err.Error()
	}
	for _, e := range p.entries {
		if !f.ids[e.ID] { // listed before it was archived
			f.merge(e)
			f.entries = append(f.entries, e)
		}
	}
	if p.read > 0 {
		f.merge(p.last)
	}
	if f.done {
		f.entries, f.recent = append(f.entries, f.recent...), nil
	}
}

// merge lists the recent sessions that are newer than an entry of the archive.
func (f *feed) merge(e entry) {
	for len(f.recent) > 0 && newestFirst(f.recent[0], e) < 0 {
		f.entries, f.recent = append(f.entries, f.recent[0]), f.recent[1:]
	}
}

// add lists a session that is settled, or a message that waits for its agent, and that is not in the archive as far as
// it was read. It returns its index, or -1 if it is listed already, does not match, or is older than the entries.
func (f *feed) add(s queue.Session) int {
	if f.ids[s.ID] || !f.find.matches(s) {
		return -1
	}
	f.ids[s.ID] = true
	e, n := entryOf(s, notArchived), len(f.entries)
	if !f.done && (n == 0 || newestFirst(e, f.entries[n-1]) > 0) {
		at, _ := slices.BinarySearchFunc(f.recent, e, newestFirst)
		f.recent = slices.Insert(f.recent, at, e)
		return -1
	}
	at, found := slices.BinarySearchFunc(f.entries, e, newestFirst)
	if found {
		return -1
	}
	f.entries = slices.Insert(f.entries, at, e)
	return at
}

// drop removes a session from the list and returns its index, or -1 if it was not listed.
func (f *feed) drop(id string) int {
	same := func(e entry) bool { return e.ID == id }
	delete(f.ids, id)
	f.recent = slices.DeleteFunc(f.recent, same)
	at := slices.IndexFunc(f.entries, same)
	if at >= 0 {
		f.entries = slices.Delete(f.entries, at, at+1)
	}
	return at
}
