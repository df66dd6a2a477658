package http

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// Limits of the strays.
const (
	earlyFor   = 10 * time.Second // how long a cancel is kept for its call
	brokenFor  = 10 * time.Minute // how long a call that broke off can be cancelled
	mostStrays = 1000
)

var errTooMany = errors.New("too many calls are waiting")

// registry records the requests that are in flight, that broke off, or that were cancelled before they arrived. A call
// and its cancel arrive on different connections: either may be first, and the connection of the call may have broken.
type registry struct {
	bridge *call.Bridge
	calls  *rpc.Calls
	most   int // the limit of calls in flight

	mu     sync.Mutex
	strays map[string]stray
}

// stray holds a request that is not in flight: one that broke off and may still be cancelled, or one that was cancelled
// before it arrived.
type stray struct {
	until   time.Time
	cancel  *call.Withdrawn // the cancel of a call that has not arrived; nil: the call broke off
	session string          // the session in the queue of a call that broke off
}

func newRegistry(b *call.Bridge, calls *rpc.Calls) *registry {
	return &registry{bridge: b, calls: calls, most: maxCalls, strays: map[string]stray{}}
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
	r.sweep()
	early := r.strays[key]
	delete(r.strays, key)
	if early.cancel != nil {
		r.calls.Withdraw(key, early.cancel)
	}
	return c, nil
}

// finish takes a call out of flight. The error is the reason why its result must not be written. From then until
// forgetStray a cancel withdraws the call's question.
func (r *registry) finish(c *pendingCall) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := c.Finish()
	var withdrawn *call.Withdrawn
	if id := c.reply.Session(); id != "" && !c.from.modern() && !errors.As(err, &withdrawn) {
		r.addStray(c.key, stray{until: time.Now().Add(brokenFor), session: id})
	}
	return err
}

// forgetStray removes a call whose result was written.
func (r *registry) forgetStray(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.strays, key)
}

// withdraw ends the call that a client cancelled, whether it is in flight, broke off, or has not arrived yet.
func (r *registry) withdraw(key string, why *call.Withdrawn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls.Withdraw(key, why) {
		return
	}
	broken := r.strays[key]
	delete(r.strays, key)
	if broken.session != "" {
		go r.bridge.Withdraw(context.Background(), broken.session, why)
		return
	}
	r.addStray(key, stray{until: time.Now().Add(earlyFor), cancel: why})
}

// addStray records a stray if there is room. The caller holds mu.
func (r *registry) addStray(key string, s stray) {
	r.sweep()
	if len(r.strays) < mostStrays {
		r.strays[key] = s
	}
}

// sweep removes the strays whose time is over. The caller holds mu.
func (r *registry) sweep() {
	now := time.Now()
	maps.DeleteFunc(r.strays, func(_ string, s stray) bool { return now.After(s.until) })
}

// takeCancel handles notifications/cancelled. Since 2026-07-28 request ids are valid only on their own connection, and
// a client cancels by closing the stream of its call; see pendingCall.drop.
func (r *registry) takeCancel(from client, m rpc.Message) {
	if id, reason, ok := m.Cancelled(); ok && !from.modern() {
		r.withdraw(keyOf(from, id), &call.Withdrawn{Reason: reason})
	}
}
