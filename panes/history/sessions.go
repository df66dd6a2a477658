package history

import (
	"context"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// listed reports whether the history lists a session: it is settled, or it is a message that its agent has not fetched.
func listed(s queue.Session) bool { return s.Outcome != nil || s.IsMessage() }

// keepNewest takes over the newest state of a session that is listed.
func (l *listing) keepNewest(s queue.Session) {
	if !listed(s) {
		return
	}
	newer, ended := l.shelf.storeState(s)
	if !newer {
		return
	}
	l.insertSession(s, ended)
	if l.soon != nil {
		if ended {
			l.soon.dropSession(s.ID)
		}
		l.soon.addSession(s)
	}
}

// insertSession puts a session into the list on screen. isNew: the session was not settled until now, so it may be
// listed at another place already. The cursor stays on the session that it is on.
func (l *listing) insertSession(s queue.Session, isNew bool) {
	f := l.feed
	on := isNew && l.cursor < len(f.entries) && f.entries[l.cursor].ID == s.ID
	if isNew {
		if at := f.dropSession(s.ID); at >= 0 && at < l.cursor {
			l.cursor--
		}
	}
	at := f.addSession(s)
	switch {
	case on:
		l.cursor = max(min(max(at, 0), len(f.entries)-1), 0)
	case at >= 0 && at <= l.cursor && l.cursor+1 < len(f.entries):
		l.cursor++
		if l.top > 0 {
			l.top++
		}
	}
}

// current returns the whole session under the cursor; false while it is being read, or if nothing is listed.
func (l *listing) current() (queue.Session, bool) {
	if l.cursor >= len(l.feed.entries) {
		return queue.Session{}, false
	}
	return l.shelf.findSession(l.feed.entries[l.cursor].ID)
}

// showCurrent makes the session under the cursor available to the preview. It reads it from the archive if it is
// missing, or if the archive has further events of it.
func (l *listing) showCurrent() {
	if l.ended || l.cursor >= len(l.feed.entries) {
		return
	}
	e := l.feed.entries[l.cursor]
	s, known := l.shelf.findSession(e.ID)
	if known {
		l.shelf.on = s
	}
	if !known || l.shelf.old[e.ID] {
		l.fetchSession(e)
	}
}

// fetchSession reads again the part of the archive that an entry came from. A session that is no longer in it is read
// by its id.
func (l *listing) fetchSession(e entry) {
	if l.asked == e.ID {
		return
	}
	l.asked = e.ID
	q := l.desk.Queue()
	l.desk.StoreFor(e.ID, func(ctx context.Context) {
		var found []queue.Session
		if e.at.Store != nil {
			found, _, _ = e.at.Store.History(ctx, e.at.Cursor, partSize, queue.Whole)
		}
		if !holds(found, e.ID) {
			if s, err := q.Get(ctx, e.ID); err == nil && s.Outcome != nil {
				found = append(found, s)
			}
		}
		l.post(func() { l.storeFetched(e.ID, found) })
	})
}

// storeFetched keeps the sessions that were fetched. A session that was not found is not fetched again until the cursor
// has left it.
func (l *listing) storeFetched(id string, found []queue.Session) {
	for _, s := range found {
		if s.Outcome != nil {
			l.shelf.storeArchived(s)
		}
	}
	if _, known := l.shelf.findSession(id); l.asked == id && known && !l.shelf.old[id] {
		l.asked = ""
	}
}

func holds(list []queue.Session, id string) bool {
	return slices.ContainsFunc(list, func(s queue.Session) bool { return s.ID == id })
}
