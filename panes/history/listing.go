package history

import (
	"context"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// listing holds the page's entries and the cursor in them. Only the desk's owner touches it: the worker's results come
// back through Do.
//
//	want ─► busy? ─► worker: Store.History, match, entry ─► Do: took ─► entries ─► want …
type listing struct {
	desk    *desk.Desk
	reach   func() int // how many entries below the cursor a key or two may bring on screen
	changed func()     // called when the worker has delivered something

	feed  *feed // the feed on screen
	soon  *feed // the feed for the words typed since; it replaces feed with its first piece
	shelf shelf
	asked string // the id of the session that is being fetched for the preview
	total int    // archived and not kept; -1: not known
	exact bool   // total was counted by reading the whole archive

	cursor, top int
	toEnd       bool   // reading continues to the oldest session
	find        string // the words that narrow the list
	ended       bool
}

func newListing(d *desk.Desk, reach func() int, changed func()) *listing {
	l := &listing{desk: d, reach: reach, changed: changed, total: -1, shelf: newShelf(), feed: newFeed(search{})}
	now := d.Now()
	d.Sessions(func(s queue.Session) {
		if s = s.At(now); listed(s) {
			l.shelf.kept[s.ID] = s
		}
	})
	return l
}

// begin has the worker read the first entries, then count the archive.
func (l *listing) begin() {
	l.start(l.feed)
	l.want()
	l.count()
}

// end stops all reading for the list.
func (l *listing) end() {
	l.ended = true
	l.feed.cancel()
	if l.soon != nil {
		l.soon.cancel()
	}
}

// post runs f on the desk's goroutine, unless the page has ended by then.
func (l *listing) post(f func()) {
	l.desk.Do(func() {
		if !l.ended {
			f()
			l.changed()
		}
	})
}

// start adds the sessions that are not archived to a new feed.
func (l *listing) start(f *feed) {
	for _, s := range l.shelf.kept {
		f.add(s)
	}
}

// filling returns the feed that is being filled, which has the words that were typed last.
func (l *listing) filling() *feed {
	if l.soon != nil {
		return l.soon
	}
	return l.feed
}

// blank reports whether the first entries are still being read.
func (l *listing) blank() bool { return len(l.feed.entries) == 0 && l.feed.busy }

// narrow lists the sessions that have the words. The old list stays on screen until the new one has its first entries.
func (l *listing) narrow(find string) {
	if find == l.find {
		return
	}
	l.find, l.toEnd = find, false
	if l.soon != nil {
		l.soon.cancel()
	}
	l.soon = newFeed(newSearch(find, l.desk.Now()))
	l.start(l.soon)
	l.want()
}

// move moves the cursor. Going to the last entry reads everything first; any other motion stops that.
func (l *listing) move(a keys.Action, page int) {
	l.toEnd = a == deed.Last && !l.filling().done
	l.filling().fault = "" // a disk that failed is asked again
	if !l.toEnd {
		l.cursor = max(min(panes.Scrolled(l.cursor, a, page), len(l.feed.entries)-1), 0)
	}
	l.want()
}

// want lets the worker read more if the screen, or the way to the last entry, needs it.
func (l *listing) want() {
	f := l.filling()
	if l.ended || f.busy || f.done || f.fault != "" {
		return
	}
	if !l.toEnd && len(f.entries) >= l.cursor+l.reach()+ahead {
		return
	}
	f.busy = true
	n := parts
	if f.read == 0 {
		n = 1 // the first screen comes soonest
	}
	store, next, first := l.desk.Queue().Store, f.next, len(f.parts)
	l.desk.Later(func() {
		p := readPiece(f.ctx, store, f.find, next, first, n)
		l.post(func() { l.took(f, p) })
	})
}

// took adds a piece to the feed for which it was read.
func (l *listing) took(f *feed, p piece) {
	if f.ctx.Err() != nil {
		return
	}
	f.take(p)
	for _, s := range p.sessions {
		l.shelf.archived(s)
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
	l.want()
}

// count asks for the size of the archive, after the first entries are on screen.
func (l *listing) count() {
	store := l.desk.Queue().Store
	l.desk.Store(func(ctx context.Context) {
		n, err := store.CountHistory(ctx)
		if err != nil {
			return
		}
		newest, _, _ := store.History(ctx, "", partSize)
		l.post(func() { l.counted(n, newest) })
	})
}

// counted stores the size of the archive. A session that was archived a moment ago is also kept as recent, but counts
// once.
func (l *listing) counted(n int, newest []queue.Session) {
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
	case l.find == "" && l.feed.done:
	case l.total >= 0:
		n = l.total + len(l.shelf.kept)
	default:
		return 0, false
	}
	return max(n-l.shelf.waiting(), 0), true
}
