package http

import (
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// session is one MCP session, from initialize to its DELETE. Its id is half a secret.
type session struct {
	*rpc.Session
	attendance *attendance
	used       time.Time // guarded by the mutex of sessions
}

// sessions are those that are open. One that ended is forgotten, and so refused.
type sessions struct {
	now func() time.Time
	mu  sync.Mutex
	ids map[string]*session
}

func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, ids: map[string]*session{}}
}

// newSession is one that is not open yet.
func (t *transport) newSession() *session {
	s := &session{Session: rpc.NewSession(rand.Text())}
	s.attendance = &attendance{
		instance: t.instanceOf(s.SessionID()), logf: t.logf, turn: make(chan struct{}, 1),
		waits: func() bool { return t.book.calls.Waits(s.Session) },
	}
	return s
}

func (all *sessions) open(s *session) {
	all.mu.Lock()
	defer all.mu.Unlock()
	s.used = all.now()
	all.ids[s.SessionID()] = s
}

// find returns an open session and notes its use; nil: there is none.
func (all *sessions) find(id string) *session {
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.ids[id]
	if s != nil {
		s.used = all.now()
	}
	return s
}

func (all *sessions) close(s *session) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.ids, s.SessionID())
}

func (all *sessions) all() []*session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Collect(maps.Values(all.ids))
}

// stale is what must go so that there is room for one more: all that nobody used for sessionIdle, and beyond most
// the ones unused longest.
func (all *sessions) stale(most int, waits func(*session) bool) []*session {
	all.mu.Lock()
	defer all.mu.Unlock()
	idle := slices.SortedFunc(maps.Values(all.ids), func(a, b *session) int { return a.used.Compare(b.used) })
	idle = slices.DeleteFunc(idle, waits)
	n := max(0, len(all.ids)+1-most)
	for n < len(idle) && all.now().Sub(idle[n].used) > sessionIdle {
		n++
	}
	return idle[:min(n, len(idle))]
}

func (all *sessions) full(most int) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.ids) >= most
}

// room ends stale sessions and reports whether one more may be opened.
func (t *transport) room() bool {
	for _, s := range t.sessions.stale(maxSessions, func(s *session) bool { return s.attendance.waits() }) {
		t.endSession(s)
	}
	return !t.sessions.full(maxSessions)
}

// end serves DELETE.
func (t *transport) end(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		http.Error(w, "which session? send "+server.HeaderKeySessionID, http.StatusBadRequest)
		return
	}
	s := t.sessions.find(id)
	if s == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	t.endSession(s)
	w.WriteHeader(http.StatusOK)
}

// endSession refuses new calls of a session, ends those that wait as dropped, so that their questions stay, and takes
// it off the running.
func (t *transport) endSession(s *session) {
	t.sessions.close(s)
	t.book.calls.DropSession(s.Session)
	s.attendance.leave()
}
