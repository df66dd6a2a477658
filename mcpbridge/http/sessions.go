package http

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
	"github.com/choicetui/choicetui/queue"
)

// session is one MCP session, from initialize to its DELETE. Its id must stay secret, although nobody can use it
// without the token.
type session struct {
	peer     *rpc.Peer
	presence *presence
	batches  bool      // its protocol version has batches; set before the session is open
	used     time.Time // when its last call ended or its last message arrived; sessions.mu guards it
	heard    bool      // its client has sent a message since initialize; sessions.mu guards it
}

// sessions holds the open sessions. It removes a session that ends, so that its id is refused from then on.
type sessions struct {
	bridge *call.Bridge
	calls  *rpc.Calls
	now    func() time.Time
	asked  atomic.Pointer[queue.Queue] // the queue; nil: there was no call yet
	mu     sync.Mutex
	ids    map[string]*session // the open sessions by id
}

func newSessions(b *call.Bridge, calls *rpc.Calls) *sessions {
	return &sessions{bridge: b, calls: calls, now: time.Now, ids: map[string]*session{}}
}

// newSession returns a session that is not open yet.
func (all *sessions) newSession() *session {
	s := &session{peer: &rpc.Peer{ID: rand.Text()}}
	s.presence = &presence{
		instance: all.bridge.Instance() + "-" + strings.TrimPrefix(fingerprint(s.peer.ID), "http:"),
		waits:    func() bool { return all.calls.Waits(s.peer) },
		log:      all.bridge.Log(), lock: make(chan struct{}, 1), asked: &all.asked,
	}
	return s
}

// openSession adds a session and reports whether there was room for it. To make room it ends overdue sessions and, if
// that is not enough, the session that takeUnused returns.
func (all *sessions) openSession(s *session) bool {
	for _, old := range all.takeOverdue() {
		all.endSession(old)
	}
	if all.addSession(s) {
		return true
	}
	old := all.takeUnused()
	if old == nil {
		return false
	}
	all.endSession(old)
	return all.addSession(s)
}

// addSession adds a session if there is room.
func (all *sessions) addSession(s *session) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.ids) >= maxSessions {
		return false
	}
	s.used = all.now()
	all.ids[s.peer.ID] = s
	return true
}

// takeOverdue removes and returns the sessions whose clients are probably gone.
func (all *sessions) takeOverdue() (overdue []*session) {
	all.mu.Lock()
	defer all.mu.Unlock()
	maps.DeleteFunc(all.ids, func(_ string, s *session) bool {
		after := sessionIdle
		if !s.heard {
			after = sessionSilent
		}
		if all.now().Sub(s.used) <= after || s.presence.waits() {
			return false
		}
		overdue = append(overdue, s)
		return true
	})
	return overdue
}

// takeUnused removes and returns the session that was unused for the longest time. It returns nil if every session was
// used within sessionSpare, has a waiting call or has a question in the queue, or if the queue cannot be read.
func (all *sessions) takeUnused() *session {
	asking, err := all.askingAgents()
	if err != nil {
		fmt.Fprintf(all.bridge.Log(), "failed to free the place of an unused session: %v\n", err)
		return nil
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	var unused *session
	for _, s := range all.ids {
		if all.now().Sub(s.used) > sessionSpare && (unused == nil || s.used.Before(unused.used)) &&
			!asking[fingerprint(s.peer.ID)] && !s.presence.waits() {
			unused = s
		}
	}
	if unused != nil {
		delete(all.ids, unused.peer.ID)
	}
	return unused
}

// askingAgents returns the agents that have a question in the queue.
func (all *sessions) askingAgents() (map[string]bool, error) {
	agents := map[string]bool{}
	q := all.asked.Load()
	if q == nil {
		return agents, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), announceWithin)
	defer cancel()
	live, _, err := q.Store.Live(ctx)
	for _, s := range live {
		if s.Outcome == nil {
			agents[s.Origin.Agent] = true
		}
	}
	return agents, err
}

// useSession returns an open session and records that it is used; nil: there is no session with this id.
func (all *sessions) useSession(id string) *session {
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.ids[id]
	if s != nil {
		s.used, s.heard = all.now(), true
	}
	return s
}

func (all *sessions) allSessions() []*session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.Collect(maps.Values(all.ids))
}

// endSession ends a session. Its calls end as if their connections had broken, so that their questions stay.
func (all *sessions) endSession(s *session) {
	all.mu.Lock()
	delete(all.ids, s.peer.ID)
	all.mu.Unlock()
	all.calls.DropPeer(s.peer)
	s.presence.leave()
}

// Limits of the remembered requests.
const (
	earlyFor       = 10 * time.Second // how long a cancel is kept for its call
	brokenFor      = 10 * time.Minute // how long a call that broke off can be cancelled
	mostRemembered = 1000
)

var errTooMany = errors.New("too many calls are waiting")

// registry records the requests that are in flight, that broke off, or that were cancelled before they arrived. A call
// and its cancel arrive on different connections: either may be first, and the connection of the call may have broken.
type registry struct {
	bridge *call.Bridge
	calls  *rpc.Calls
	most   int // the limit of calls in flight

	mu         sync.Mutex
	remembered map[string]rememberedRequest
}

// rememberedRequest holds a request that is not in flight: one that broke off and may still be cancelled, or one that
// was cancelled before it arrived.
type rememberedRequest struct {
	until   time.Time
	cancel  *call.Withdrawn // the cancel of a call that has not arrived; nil: the call broke off
	session string          // the session in the queue of a call that broke off
}

func newRegistry(b *call.Bridge, calls *rpc.Calls) *registry {
	return &registry{bridge: b, calls: calls, most: maxCalls, remembered: map[string]rememberedRequest{}}
}

// start puts a call in flight. If its cancel has arrived before, it cancels the call at once.
func (r *registry) start(ctx context.Context, p *rpc.Peer, key string, reply *call.Reply) (*rpc.Call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls.Len() >= r.most {
		return nil, errTooMany
	}
	c, err := r.calls.Start(ctx, p, key, reply)
	if err != nil {
		return nil, err
	}
	r.forgetOld()
	early := r.remembered[key]
	delete(r.remembered, key)
	if early.cancel != nil {
		r.calls.Withdraw(key, early.cancel)
	}
	return c, nil
}

// finish takes a call out of flight. The error is the reason why its result must not be written. From then until
// forgetRequest a cancel withdraws the call's question.
func (r *registry) finish(c *pendingCall) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := c.Finish()
	var withdrawn *call.Withdrawn
	if id := c.reply.Session(); id != "" && !c.from.modern() && !errors.As(err, &withdrawn) {
		r.rememberRequest(c.key, rememberedRequest{until: time.Now().Add(brokenFor), session: id})
	}
	return err
}

// forgetRequest removes a call whose result was written.
func (r *registry) forgetRequest(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.remembered, key)
}

// withdraw ends the call that a client cancelled, whether it is in flight, broke off, or has not arrived yet.
func (r *registry) withdraw(key string, why *call.Withdrawn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls.Withdraw(key, why) {
		return
	}
	broken := r.remembered[key]
	delete(r.remembered, key)
	if broken.session != "" {
		go r.bridge.Withdraw(context.Background(), broken.session, why)
		return
	}
	r.rememberRequest(key, rememberedRequest{until: time.Now().Add(earlyFor), cancel: why})
}

// rememberRequest records a request that is not in flight (see rememberedRequest), if there is room. The caller holds
// mu.
func (r *registry) rememberRequest(key string, s rememberedRequest) {
	r.forgetOld()
	if len(r.remembered) < mostRemembered {
		r.remembered[key] = s
	}
}

// forgetOld removes the remembered requests whose time is over. The caller holds mu.
func (r *registry) forgetOld() {
	now := time.Now()
	maps.DeleteFunc(r.remembered, func(_ string, s rememberedRequest) bool { return now.After(s.until) })
}

// takeCancel handles notifications/cancelled. Since 2026-07-28 request ids are valid only on their own connection, and
// a client cancels by closing the stream of its call; see pendingCall.drop.
func (r *registry) takeCancel(from client, m rpc.Message) {
	if id, reason, ok := m.Cancelled(); ok && !from.modern() {
		r.withdraw(keyOf(from, id), &call.Withdrawn{Reason: reason})
	}
}
