package mcpbridge

import (
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

var errNoSession = errors.New("no such session")

// httpSessions knows the MCP sessions that are open. mcp-go asks it; an ended one is forgotten and so refused.
type httpSessions struct {
	now  func() time.Time
	mu   sync.Mutex
	used map[string]time.Time
}

var _ server.SessionIdManager = (*httpSessions)(nil)

func newHTTPSessions(now func() time.Time) *httpSessions {
	return &httpSessions{now: now, used: map[string]time.Time{}}
}

// Generate opens a session.
func (s *httpSessions) Generate() string {
	id := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used[id] = s.now()
	return id
}

// Validate refuses what is not open, and notes the use of what is.
func (s *httpSessions) Validate(id string) (isTerminated bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, open := s.used[id]; !open {
		return false, errNoSession
	}
	s.used[id] = s.now()
	return false, nil
}

// Terminate forgets a session.
func (s *httpSessions) Terminate(id string) (isNotAllowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.used, id)
	return false, nil
}

// stale is what must go so that there is room for one more: all that nobody used for sessionIdle, and beyond most the
// ones unused longest.
func (s *httpSessions) stale(most int, busy func(id string) bool) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for id := range s.used {
		if !busy(id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return s.used[a].Compare(s.used[b]) })
	n := max(0, len(s.used)+1-most)
	for n < len(ids) && s.now().Sub(s.used[ids[n]]) > sessionIdle {
		n++
	}
	return ids[:min(n, len(ids))]
}

func (s *httpSessions) full(most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.used) >= most
}

// room forgets stale sessions and reports whether one more may be opened.
func (hs *httpServer) room() bool {
	hs.mu.Lock()
	busy := map[string]bool{}
	for _, c := range hs.calls {
		busy[c.session] = true
	}
	hs.mu.Unlock()
	for _, id := range hs.sessions.stale(maxSessions, func(id string) bool { return busy[id] }) {
		hs.forget(id)
	}
	return !hs.sessions.full(maxSessions)
}

// forget ends a session by itself, as its client's DELETE would.
func (hs *httpServer) forget(id string) {
	r, err := http.NewRequest(http.MethodDelete, "http://127.0.0.1"+HTTPPath, nil)
	if err != nil {
		return
	}
	r.Header.Set(server.HeaderKeySessionID, id)
	hs.mcp.ServeHTTP(newRecorder(), r)
	hs.drop(id)
}

// end serves DELETE: what waits in the session ends as dropped, its questions stay.
func (hs *httpServer) end(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		http.Error(w, "which session? send "+server.HeaderKeySessionID, http.StatusBadRequest)
		return
	}
	if _, err := hs.sessions.Validate(id); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	rec := newRecorder()
	hs.mcp.ServeHTTP(rec, r) // refuses new calls from here on
	hs.drop(id)
	rec.relay(w)
}

// drop ends a session's calls, waits until their claims are given back, and forgets its streams.
func (hs *httpServer) drop(id string) {
	hs.mu.Lock()
	var ended []*httpCall
	for _, c := range hs.calls {
		if c.session == id {
			c.cancel(errEnded)
			ended = append(ended, c)
		}
	}
	for token, st := range hs.streams {
		if st.session == id {
			delete(hs.streams, token)
		}
	}
	left := hs.strike(id)
	hs.mu.Unlock()
	hs.release(left)
	late := time.After(closeWithin)
	for _, c := range ended {
		select {
		case <-c.over:
		case <-late:
			return
		}
	}
}
