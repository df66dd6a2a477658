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

// Limits of the strays that are remembered.
const (
	earlyFor   = 10 * time.Second // a cancel waits for its call
	brokenFor  = 10 * time.Minute // a call that broke off may be cancelled
	mostStrays = 1000
)

var errTooMany = errors.New("too many calls are waiting")

// registry records the requests that are in flight, that broke off, and that were cancelled before they came. A call
// and its cancel come on different connections, so either may be first, and the call's connection may have broken
// meanwhile.
type registry struct {
	bridge *call.Bridge
	calls  *rpc.Calls
	most   int // in flight

	mu     sync.Mutex
	strays map[string]stray
}

// stray is a request that is not in flight: it broke off and may be cancelled, or it was cancelled before it came.
type stray struct {
	until   time.Time
	cancel  *call.Withdrawn // of a call that has not come
	session string          // the id of the queue's session, of a call that broke off
}

func newRegistry(b *call.Bridge, calls *rpc.Calls) *registry {
	return &registry{bridge: b, calls: calls, most: maxCalls, strays: map[string]stray{}}
}

// start puts a call in flight. It cancels the call at once if its cancel came first.
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

// finish takes a call out of flight. The error says why its result must not be written. From here until forget a cancel
// withdraws the call's question.
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

// withdraw ends the call that a client cancelled, whether it is in flight, broke off, or is yet to come.
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

// addStray remembers a stray, if there is room; the caller holds mu.
func (r *registry) addStray(key string, s stray) {
	r.sweep()
	if len(r.strays) < mostStrays {
		r.strays[key] = s
	}
}

// sweep drops what was remembered for long enough; the caller holds mu.
func (r *registry) sweep() {
	now := time.Now()
	maps.DeleteFunc(r.strays, func(_ string, s stray) bool { return now.After(s.until) })
}

// takeCancel serves notifications/cancelled. Since 2026-07-28 an id names no call across connections. There a client
// cancels by closing the stream of its call: see pendingCall.drop.
func (r *registry) takeCancel(from client, m rpc.Message) {
	if id, reason, ok := m.Cancelled(); ok && !from.modern() {
		r.withdraw(keyOf(from, id), &call.Withdrawn{Reason: reason})
	}
}
