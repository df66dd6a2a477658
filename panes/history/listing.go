package history

import (
	"context"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// listing holds the page's entries and the cursor in them. Only the goroutine that owns the desk touches it; the
// worker's results come back through Desk.Do.
//
//	want ─► busy? ─► worker: Store.History, match, entry ─► Do: took ─► entries ─► want …
type listing struct {
	desk    *desk.Desk
	reach   func() int // returns how many entries below the cursor one or two keys may bring on screen
	changed func()     // called when the worker has delivered something

	feed  *feed // the feed on screen
	soon  *feed // the feed for the words that were typed since; it replaces feed when its first piece is there
	shelf shelf
	asked string // the id of the session that is being fetched for the preview
	total int    // the number of sessions that are only in the archive; -1: not known
	exact bool   // total is exact, because the whole archive was read

	cursor, top int
	toEnd       bool   // the person went to the last entry, so the whole archive is being read
	find        string // the words that narrow the list
	ended       bool   // stopReading was called
}

// newListing returns a list that knows the sessions that are not archived, and has read nothing of the archive yet.
func newListing(d *desk.Desk, reach func() int, changed func()) *listing {
	l := &listing{desk: d, reach: reach, changed: changed, total: -1, shelf: newShelf(),
		feed: newFeed(d.Queue(), search{})}
	now := d.Now()
	d.Sessions(func(s queue.Session) {
		if s = s.At(now); listed(s) {
			l.shelf.kept[s.ID] = s
		}
	})
	return l
}

// startReading has the worker read the first entries, then count the archive.
func (l *listing) startReading() {
	l.addUnarchived(l.feed)
	l.readMore()
	l.countArchive()
}

// stopReading ends all reading of the archive for the list.
func (l *listing) stopReading() {
	l.ended = true
	l.feed.cancel()
	if l.soon != nil {
		l.soon.cancel()
	}
}

// post runs f on the goroutine that owns the desk, unless the page has ended by then.
func (l *listing) post(f func()) {
	l.desk.Do(func() {
		if !l.ended {
			f()
			l.changed()
		}
	})
}

// addUnarchived adds the sessions that are not archived to a new feed.
func (l *listing) addUnarchived(f *feed) {
	for _, s := range l.shelf.kept {
		f.addSession(s)
	}
}

// feedBeingFilled returns the feed that is being filled: the one for the words that were typed last.
func (l *listing) feedBeingFilled() *feed {
	if l.soon != nil {
		return l.soon
	}
	return l.feed
}

// blank reports whether the first entries are still being read.
func (l *listing) blank() bool { return len(l.feed.entries) == 0 && l.feed.busy }

// narrow lists only the sessions that have the words. The old list stays on screen until the new one has its first
// entries.
func (l *listing) narrow(find string) {
	if find == l.find {
		return
	}
	l.find, l.toEnd = find, false
	if l.soon != nil {
		l.soon.cancel()
	}
	l.soon = newFeed(l.desk.Queue(), newSearch(find, l.desk.Now()))
	l.addUnarchived(l.soon)
	l.readMore()
}

// move moves the cursor. To go to the last entry everything is read first; any other motion stops that.
func (l *listing) move(a action.Name, page int) {
	l.toEnd = a == action.Last && !l.feedBeingFilled().done
	l.feedBeingFilled().fault = "" // after an error reading is tried again
	if !l.toEnd {
		l.cursor = max(min(panes.Scrolled(l.cursor, a, page), len(l.feed.entries)-1), 0)
	}
	l.readMore()
}

// readMore has the worker read more of the archive if the screen needs it, or the person has gone to the last entry.
func (l *listing) readMore() {
	f := l.feedBeingFilled()
	if l.ended || f.busy || f.done || f.fault != "" {
		return
	}
	if !l.toEnd && len(f.entries) >= l.cursor+l.reach()+readAhead {
		return
	}
	f.busy = true
	n := partsAtOnce
	if f.read == 0 {
		n = 1 // the first screen comes soonest
	}
	l.desk.Later(func() {
		p := f.readPiece(n)
		l.post(func() { l.addPiece(f, p) })
	})
}

// addPiece adds a piece of the archive to the feed for which the worker read it, and shows that feed if it is a new
// one.
func (l *listing) addPiece(f *feed, p piece) {
	if f.ctx.Err() != nil {
		return
	}
	f.addPiece(p)
	for _, s := range p.sessions {
		l.shelf.storeArchived(s)
	}
	if f.done && len(f.find.words) == 0 {
		l.total, l.exact = len(f.entries)-len(l.shelf.kept), true
	}
	if f == l.soon {
		l.feed.cancel()
		l.feed, l.soon = f, nil
		l.cursor, l.top = 0, 0
	}
	if l.toEnd && (f.done || f.fault != "") {
		l.toEnd = false
		l.cursor = max(len(f.entries)-1, 0)
	}
	l.readMore()
}

// countArchive asks the stores for the number of archived sessions. The worker does that after it has read the first
// entries. A host that cannot be reached counts none.
func (l *listing) countArchive() {
	queues := l.desk.Queue().All()
	l.desk.Store(func(ctx context.Context) {
		var newest []queue.Session
		sum := 0
		for i, q := range queues {
			n, err := q.Store.CountHistory(ctx)
			if err != nil && i == 0 {
				return
			}
			page, _, _ := q.Store.History(ctx, "", partSize, queue.Whole)
			sum, newest = sum+n, append(newest, page...)
		}
		l.post(func() { l.storeCount(sum, newest) })
	})
}

// storeCount stores the number of archived sessions. A session that was archived a moment ago may be among those that
// are kept as not archived too, and counts once.
func (l *listing) storeCount(n int, newest []queue.Session) {
	if l.exact {
		return
	}
	l.total = n
	for _, s := range newest {
		if _, kept := l.shelf.kept[s.ID]; kept {
			l.total--
		}
	}
}

// settled returns the number of all settled sessions, listed or not, and whether it is known.
func (l *listing) settled() (n int, known bool) {
	n = len(l.feed.entries)
	switch {
	case n == 0:
		return 0, false
	case l.find == "" && l.feed.done: // the entries are all sessions
	case l.total >= 0:
		n = l.total + len(l.shelf.kept)
	default:
		return 0, false
	}
	return max(n-l.shelf.countWaiting(), 0), true
}
