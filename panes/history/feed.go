package history

import (
	"context"
	"slices"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

const (
	partSize    = 50 // archived sessions that one call reads: a part
	partsAtOnce = 4  // parts that the desk's worker reads in one job, after the first screen
	readAhead   = 50 // entries that are read beyond those that one key can reach
)

// feed holds the history as far as it has been read, narrowed by a search. The desk's worker reads the archive part by
// part, only as far as the person scrolls. Sessions that are settled and not archived yet are put between the others by
// time.
type feed struct {
	find    search
	entries []entry // newest first
	recent  []entry // settled sessions that are not archived and older than the entries
	ids     map[string]bool
	archive *trail.Merged // only the worker uses it
	done    bool          // the whole archive has been read
	busy    bool          // the worker is reading for this feed
	fault   string        // why reading stopped
	read    int           // archived sessions read, listed or not
	ctx     context.Context
	cancel  context.CancelFunc
}

// newFeed returns an empty feed of the sessions in the queue that match a search.
func newFeed(q *queue.Queue, find search) *feed {
	f := &feed{find: find, ids: map[string]bool{}, archive: trail.NewMerged(q, partSize, queue.Whole)}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	return f
}

// piece holds the entries that the worker found in a few parts of the archive.
type piece struct {
	entries  []entry
	sessions []queue.Session // the sessions of the entries
	last     entry           // the last session that was read, listed or not
	read     int
	done     bool
	err      error
}

// readPiece reads up to n parts more. It runs on the desk's worker.
func (f *feed) readPiece(n int) (p piece) {
	for p.read < n*partSize {
		s, at, ok, err := f.archive.Next(f.ctx)
		if err != nil || !ok {
			p.err, p.done = err, err == nil
			return p
		}
		if s.Outcome != nil && f.find.matches(s) {
			p.entries = append(p.entries, entryOf(s, at))
			p.sessions = append(p.sessions, s)
		}
		p.last.ID, p.last.At = s.ID, s.SettledAt()
		p.read++
	}
	return p
}

// addPiece adds the entries of a piece to the feed, and between them the sessions that are not archived, by time.
func (f *feed) addPiece(p piece) {
	f.done, f.read, f.busy = p.done, f.read+p.read, false
	if p.err != nil {
		f.fault = p.err.Error()
	}
	for _, e := range p.entries {
		if !f.ids[e.ID] { // not listed before it was archived
			f.listRecent(e)
			f.entries = append(f.entries, e)
		}
	}
	if p.read > 0 {
		f.listRecent(p.last)
	}
	if f.done {
		f.entries, f.recent = append(f.entries, f.recent...), nil
	}
}

// listRecent lists the sessions of recent that are newer than an entry of the archive, so that they come before it.
func (f *feed) listRecent(e entry) {
	for len(f.recent) > 0 && newestFirst(f.recent[0], e) < 0 {
		f.entries, f.recent = append(f.entries, f.recent[0]), f.recent[1:]
	}
}

// addSession lists a session that is not archived: a settled one, or a message that its agent has not fetched. It
// returns its index, or -1 if it is listed already, does not match the search, or is older than the entries.
func (f *feed) addSession(s queue.Session) int {
	if f.ids[s.ID] || !f.find.matches(s) {
		return -1
	}
	f.ids[s.ID] = true
	e, n := entryOf(s, trail.Place{}), len(f.entries)
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

// dropSession removes a session from the list and returns its index, or -1 if it was not listed.
func (f *feed) dropSession(id string) int {
	same := func(e entry) bool { return e.ID == id }
	delete(f.ids, id)
	f.recent = slices.DeleteFunc(f.recent, same)
	at := slices.IndexFunc(f.entries, same)
	if at >= 0 {
		f.entries = slices.Delete(f.entries, at, at+1)
	}
	return at
}
