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
	batches    bool      // the protocol version that it agreed on has them; set before it is open
	used       time.Time // when its last call ended, or another message came; guarded by the mutex of sessions
	heard      bool      // its client has sent something since initialize; likewise
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

// open lets a session in and reports whether there was room. Only those that are overdue make room: a client that is
// still there never loses its session to another one.
func (all *sessions) open(s *session) bool {
	for _, old := range all.takeOverdue() {
		all.end(old)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.ids) >= maxSessions {
		return false
	}
	s.used = all.now()
	all.ids[s.SessionID()] = s
	return true
}

// takeOverdue refuses from now on the sessions whose clients are gone, as far as anybody can tell, and returns them.
func (all *sessions) takeOverdue() (overdue []*session) {
	all.mu.Lock()
	defer all.mu.Unlock()
	maps.DeleteFunc(all.ids, func(_ string, s *session) bool {
		after := sessionIdle
		if !s.heard {
			after = sessionSilent
		}
		if all.now().Sub(s.used) <= after || s.attendance.waits() {
			return false
		}
		overdue = append(overdue, s)
		return true
	})
	return overdue
}

// find returns an open session and notes its use; nil if the id is unknown.
func (all *sessions) find(id string) *session {
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.ids[id]
	if s != nil {
		s.used, s.heard = all.now(), true
	}
	return s
}

func (all *sessions) all() []*session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Collect(maps.Values(all.ids))
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
