package history

import "github.com/choicetui/choicetui/queue"

// shelfHolds limits the sessions of the archive that are kept in full.
const shelfHolds = 300

// shelf holds sessions in full, for the preview: all that are not archived, and of the archive those read last.
type shelf struct {
	kept  map[string]queue.Session // the sessions that were settled and not archived when the page was opened, or since
	old   map[string]bool          // the ids of kept sessions that have been archived since, with further events
	read  map[string]queue.Session // the sessions read from the archive
	order []string                 // the ids in read, oldest first
	on    queue.Session            // the session last under the cursor, which may have been dropped since
}

func newShelf() shelf {
	return shelf{kept: map[string]queue.Session{}, old: map[string]bool{}, read: map[string]queue.Session{}}
}

// session returns a session in full, and whether it is there.
func (h *shelf) session(id string) (queue.Session, bool) {
	if s, ok := h.kept[id]; ok {
		return s, true
	}
	if h.on.ID == id {
		return h.on, true
	}
	s, ok := h.read[id]
	return s, ok
}

// keep keeps the newest state of a session that is not archived. newer reports that the state was newer than the kept
// one, ended that the session was pending until now.
func (h *shelf) keep(s queue.Session) (newer, ended bool) {
	was, known := h.kept[s.ID]
	if known && (was.Revision > s.Revision || was.Revision == s.Revision && was.Outcome != nil) {
		return false, false
	}
	h.kept[s.ID] = s
	delete(h.old, s.ID)
	return true, known && was.Outcome == nil && s.Outcome != nil
}

// leave notes that a session is no longer live. Its later events are read when the person looks at it.
func (h *shelf) leave(id string) {
	if s, known := h.kept[id]; known && !s.Final {
		h.old[id] = true
	}
}

// archived stores a session as the archive has it, which is complete.
func (h *shelf) archived(s queue.Session) {
	was, ours := h.kept[s.ID]
	if !ours {
		h.put(s)
		return
	}
	if was.Revision <= s.Revision {
		h.kept[s.ID] = s
	}
	delete(h.old, s.ID)
}

func (h *shelf) put(s queue.Session) {
	if _, known := h.read[s.ID]; !known {
		h.order = append(h.order, s.ID)
	}
	h.read[s.ID] = s
	for len(h.order) > shelfHolds {
		delete(h.read, h.order[0])
		h.order = h.order[1:]
	}
}

// waiting counts the kept messages that no agent has fetched. They are not settled.
func (h *shelf) waiting() (n int) {
	for _, s := range h.kept {
		if s.Outcome == nil {
			n++
		}
	}
	return n
}
