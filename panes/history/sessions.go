package history

import (
	"context"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// listed reports whether history lists a session: it is settled, or a message that its agent has not fetched.
func listed(s queue.Session) bool { return s.Outcome != nil || s.IsMessage() }

// take keeps a listed session's newest state.
func (l *listing) take(s queue.Session) {
	if !listed(s) {
		return
	}
	newer, ended := l.shelf.keep(s)
	if !newer {
		return
	}
	l.insert(s, ended)
	if l.soon != nil {
		if ended {
			l.soon.drop(s.ID)
		}
		l.soon.add(s)
	}
}

// insert puts a session into the list on screen. If anew is set, the session was pending until now and changes its
// place. The cursor stays on its session.
func (l *listing) insert(s queue.Session, anew bool) {
	f := l.feed
	on := anew && l.cursor < len(f.entries) && f.entries[l.cursor].ID == s.ID
	if anew {
		if at := f.drop(s.ID); at >= 0 && at < l.cursor {
			l.cursor--
		}
	}
	at := f.add(s)
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

// current returns the session under the cursor, in full; false while it is being read, and where nothing is listed.
func (l *listing) current() (queue.Session, bool) {
	if l.cursor >= len(l.feed.entries) {
		return queue.Session{}, false
	}
	return l.shelf.session(l.feed.entries[l.cursor].ID)
}

// look reads the session under the cursor, if it is missing or the archive has more of it.
func (l *listing) look() {
	if l.ended || l.cursor >= len(l.feed.entries) {
		return
	}
	e := l.feed.entries[l.cursor]
	s, known := l.shelf.session(e.ID)
	if known {
		l.shelf.on = s
	}
	if !known || l.shelf.old[e.ID] {
		l.fetch(e)
	}
}

// fetch reads again the part of the archive that an entry came from. A session that is no longer in it is read by its
// id.
func (l *listing) fetch(e entry) {
	if l.asked == e.ID {
		return
	}
	l.asked = e.ID
	store, cursor := l.desk.Queue().Store, ""
	if e.part != notArchived {
		cursor = l.feed.parts[e.part]
	}
	l.desk.Store(func(ctx context.Context) {
		var found []queue.Session
		if e.part != notArchived {
			found, _, _ = store.History(ctx, cursor, partSize)
		}
		if !holds(found, e.ID) {
			if s, err := store.Get(ctx, e.ID); err == nil && s.Outcome != nil {
				found = append(found, s)
			}
		}
		l.post(func() { l.fetched(e.ID, found) })
	})
}

// fetched keeps the sessions that were fetched. A missing one is not fetched again until the cursor has left it.
func (l *listing) fetched(id string, found []queue.Session) {
	for _, s := range found {
		if s.Outcome != nil {
			l.shelf.archived(s)
		}
	}
	if _, known := l.shelf.session(id); l.asked == id && known && !l.shelf.old[id] {
		l.asked = ""
	}
}

func holds(list []queue.Session, id string) bool {
	return slices.ContainsFunc(list, func(s queue.Session) bool { return s.ID == id })
}
