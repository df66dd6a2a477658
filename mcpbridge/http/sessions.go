package http

import (
	"crypto/rand"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// session is one MCP session, from initialize to its DELETE. Its id is half a secret.
type session struct {
	*rpc.Session
	attendance *attendance
	used       time.Time // guarded by the mutex of sessions
}

// sessions holds the open sessions. A session that ended is forgotten, and so refused.
type sessions struct {
	bridge *call.Bridge
	calls  *rpc.Calls
	now    func() time.Time
	mu     sync.Mutex
	ids    map[string]*session
}

func newSessions(b *call.Bridge, calls *rpc.Calls) *sessions {
	return &sessions{bridge: b, calls: calls, now: time.Now, ids: map[string]*session{}}
}

// begin returns a session that is not open yet.
func (all *sessions) begin() *session {
	s := &session{Session: rpc.NewSession(rand.Text())}
	s.attendance = &attendance{
		instance: all.bridge.Instance() + "-" + strings.TrimPrefix(fingerprint(s.SessionID()), "http:"),
		waits:    func() bool { return all.calls.Waits(s.Session) },
		log:      all.bridge.Log(), turn: make(chan struct{}, 1),
	}
	return s
}

func (all *sessions) open(s *session) {
	all.mu.Lock()
	defer all.mu.Unlock()
	s.used = all.now()
	all.ids[s.SessionID()] = s
}

// find returns an open session and notes its use; nil if the id is unknown.
func (all *sessions) find(id string) *session {
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.ids[id]
	if s != nil {
		s.used = all.now()
	}
	return s
}

func (all *sessions) all() []*session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Collect(maps.Values(all.ids))
}

// stale returns the sessions that must go so that there is room for one more: all that were unused for sessionIdle, and
// beyond most the ones unused longest. It spares those that wait.
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

// makeRoom ends stale sessions and reports whether one more may be opened.
func (all *sessions) makeRoom() bool {
	for _, s := range all.stale(maxSessions, func(s *session) bool { return s.attendance.waits() }) {
		all.end(s)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.ids) < maxSessions
}

// end refuses new calls of a session, ends those that wait as dropped, so that their questions stay, and takes it off
// the running.
func (all *sessions) end(s *session) {
	all.mu.Lock()
	delete(all.ids, s.SessionID())
	all.mu.Unlock()
	all.calls.DropSession(s.Session)
	s.attendance.leave()
}
