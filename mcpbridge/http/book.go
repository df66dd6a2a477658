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

// How long, and how many, strays are remembered.
const (
	earlyFor   = 10 * time.Second // a cancel waits for its call
	brokenFor  = 10 * time.Minute // a call that broke off may be cancelled
	mostStrays = 1000
)

var errTooMany = errors.New("too many calls are waiting")

// book records which requests are in flight, which are over, and which were cancelled before they came. A call and its
// cancel come on different connections, so either may be first, and the call's may have broken meanwhile.
type book struct {
	bridge *call.Bridge
	calls  *rpc.Calls
	most   int // in flight

	mu     sync.Mutex
	strays map[string]stray
}

// stray is a request that is not in flight and may still be cancelled, or was.
type stray struct {
	until   time.Time
	cancel  *call.Withdrawn // it was faster than its call
	session string          // the queue's, of a call that broke off
}

func newBook(b *call.Bridge, calls *rpc.Calls) *book {
	return &book{bridge: b, calls: calls, most: maxCalls, strays: map[string]stray{}}
}

// start puts a call in flight, cancelled if its cancel was faster.
func (b *book) start(ctx context.Context, s *rpc.Session, key string, r *call.Reply) (*rpc.Call, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls.Len() >= b.most {
		return nil, errTooMany
	}
	c, err := b.calls.Start(ctx, s, key, r)
	if err != nil {
		return nil, err
	}
	b.sweep()
	early := b.strays[key]
	delete(b.strays, key)
	if early.cancel != nil {
		b.calls.Withdraw(key, early.cancel)
	}
	return c, nil
}

// finish takes a call out of flight and says why its result must not be written, if so. From here until forget a
// cancel is for its question.
func (b *book) finish(c *waiting) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := c.Finish()
	var withdrawn *call.Withdrawn
	if id := c.reply.Session(); id != "" && !c.from.modern() && !errors.As(err, &withdrawn) {
		b.add(c.key, stray{until: time.Now().Add(brokenFor), session: id})
	}
	return err
}

// forget is for a call whose result was written.
func (b *book) forget(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.strays, key)
}

// withdraw ends the call that a client cancelled, whether it is in flight, broke off, or is yet to come.
func (b *book) withdraw(key string, why *call.Withdrawn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls.Withdraw(key, why) {
		return
	}
	broken := b.strays[key]
	delete(b.strays, key)
	if broken.session != "" {
		go b.bridge.Withdraw(context.Background(), broken.session, why)
		return
	}
	b.add(key, stray{until: time.Now().Add(earlyFor), cancel: why})
}

// add remembers a stray, if there is room; the caller holds mu.
func (b *book) add(key string, s stray) {
	b.sweep()
	if len(b.strays) < mostStrays {
		b.strays[key] = s
	}
}

// sweep drops what was remembered for long enough; the caller holds mu.
func (b *book) sweep() {
	now := time.Now()
	maps.DeleteFunc(b.strays, func(_ string, s stray) bool { return now.After(s.until) })
}

// takeCancel serves notifications/cancelled. Since 2026-07-28 an id names no call across connections, and a client that
// sends one all the same closes its call's stream too, which is what counts: see waiting.lose.
func (b *book) takeCancel(from client, m rpc.Message) {
	if id, reason, ok := m.Cancelled(); ok && !from.modern() {
		b.withdraw(keyOf(from, id), &call.Withdrawn{Reason: reason})
	}
}
