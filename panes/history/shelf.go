package history

import "github.com/choicetui/choicetui/queue"

// shelfHolds limits the number of archived sessions that are kept in memory.
const shelfHolds = 300

// shelf keeps whole sessions in memory, for the preview: all that are not archived, and those that were last read from
// the archive.
type shelf struct {
	kept  map[string]queue.Session // those that were not archived when the page was opened, or were settled since
	old   map[string]bool          // those of kept that were archived since, so that they may have further events
	read  map[string]queue.Session // the sessions read from the archive
	order []string                 // the ids in read, oldest first
	on    queue.Session            // the session that was under the cursor last; read may not have it any more
}

func newShelf() shelf {
	return shelf{kept: map[string]queue.Session{}, old: map[string]bool{}, read: map[string]queue.Session{}}
}

// findSession returns a whole session, and whether the shelf has it.
func (h *shelf) findSession(id string) (queue.Session, bool) {
	if s, ok := h.kept[id]; ok {
		return s, true
	}
	if h.on.ID == id {
		return h.on, true
	}
	s, ok := h.read[id]
	return s, ok
}

// storeState stores the state of a session that is not archived. newer: the state was newer than the stored one. ended:
// the session was pending until now.
func (h *shelf) storeState(s queue.Session) (newer, ended bool) {
	was, known := h.kept[s.ID]
	if known && (was.Revision > s.Revision || was.Revision == s.Revision && was.Outcome != nil) {
		return false, false
	}
	h.kept[s.ID] = s
	delete(h.old, s.ID)
	return true, known && was.Outcome == nil && s.Outcome != nil
}

// noteLeft notes that a session was archived. Its later events are read when the cursor is on it.
func (h *shelf) noteLeft(id string) {
	if s, known := h.kept[id]; known && !s.Final {
		h.old[id] = true
	}
}

// storeArchived stores a session with all its events, as it was read from the archive.
func (h *shelf) storeArchived(s queue.Session) {
	was, ours := h.kept[s.ID]
	if !ours {
		h.storeRead(s)
		return
	}
	if was.Revision <= s.Revision {
		h.kept[s.ID] = s
	}
	delete(h.old, s.ID)
}

// storeRead keeps a session that was read from the archive, and drops the oldest one if there are too many.
func (h *shelf) storeRead(s queue.Session) {
	if _, known := h.read[s.ID]; !known {
		h.order = append(h.order, s.ID)
	}
	h.read[s.ID] = s
	for len(h.order) > shelfHolds {
		delete(h.read, h.order[0])
		h.order = h.order[1:]
	}
}

// countWaiting returns the number of kept messages that no agent has fetched, so that they are not settled.
func (h *shelf) countWaiting() (n int) {
	for _, s := range h.kept {
		if s.Outcome == nil {
			n++
		}
	}
	return n
}
