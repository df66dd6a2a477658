package mcpbridge

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// presenceFor is how long an MCP session that neither calls nor waits still counts as a running agent: clients that
// crash do not say so.
const presenceFor = time.Hour

// attendance is one MCP session among the running processes. Each is an agent of its own, and gone when it ends, not
// when this server does: what the person writes to it must not wait for it then, and its questions are nobody's.
type attendance struct {
	release func() error
	idle    *time.Timer
}

// attend announces the session of a call, or notes that it is still there.
func (hs *httpServer) attend(c *httpCall) func(ctx context.Context, q *queue.Queue) {
	return func(ctx context.Context, q *queue.Queue) {
		hs.mu.Lock()
		defer hs.mu.Unlock()
		if a := hs.present[c.session]; a != nil {
			a.idle.Reset(presenceFor)
			return
		}
		if hs.closed() || c.ctx.Err() != nil {
			return
		}
		step, cancel := stepContext(ctx)
		defer cancel()
		release, err := q.Store.Announce(step, queue.Presence{Instance: c.reply.instance, Role: queue.RoleBridge})
		if err != nil {
			hs.b.logf("failed to announce a session in the queue: %v", err)
			return
		}
		hs.present[c.session] = &attendance{release: release, idle: time.AfterFunc(presenceFor, func() { hs.tire(c.session) })}
	}
}

// tire lets a session go that was not heard of for long, unless it waits.
func (hs *httpServer) tire(session string) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	a := hs.present[session]
	for _, c := range hs.calls {
		if a != nil && c.session == session {
			a.idle.Reset(presenceFor)
			return
		}
	}
	hs.leave(session)
}

// leave takes a session off the running; the caller holds mu.
func (hs *httpServer) leave(session string) {
	a := hs.present[session]
	if a == nil {
		return
	}
	delete(hs.present, session)
	a.idle.Stop()
	if err := a.release(); err != nil {
		hs.b.logf("failed to take a session off the queue: %v", err)
	}
}
