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
	idle      *time.Timer
	announced chan struct{} // closed when the store has it, or failed to take it
	release   func() error  // set before announced is closed; nil: the store does not have it
	left      bool          // the session ended; who announces it takes it off again. Guarded by the server's mutex
}

// attend announces the session of a call, or notes that it is still there. It returns when the store has the session:
// what is asked then never looks like a question of nobody's. The mutex is held for the books alone, so that a disk
// that hangs stops this session's calls and no other's.
func (hs *httpServer) attend(c *httpCall) func(ctx context.Context, q *queue.Queue) {
	return func(ctx context.Context, q *queue.Queue) {
		a, first := hs.enlist(c)
		switch {
		case first:
			hs.announce(ctx, q, c, a)
		case a != nil:
			select {
			case <-a.announced:
			case <-c.ctx.Done():
			}
		}
	}
}

// enlist puts a call's session on the books; first says that it has to be announced. A session that ended has none.
func (hs *httpServer) enlist(c *httpCall) (a *attendance, first bool) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if a = hs.present[c.session]; a != nil {
		a.idle.Reset(presenceFor)
		return a, false
	}
	if hs.closed() || c.ctx.Err() != nil {
		return nil, false
	}
	a = &attendance{announced: make(chan struct{})}
	a.idle = time.AfterFunc(presenceFor, func() { hs.tire(c.session) })
	hs.present[c.session] = a
	return a, true
}

// announce tells the store of a session. What could not be announced leaves the books, so that the next call tries.
func (hs *httpServer) announce(ctx context.Context, q *queue.Queue, c *httpCall, a *attendance) {
	step, cancel := stepContext(ctx)
	defer cancel()
	release, err := q.Store.Announce(step, queue.Presence{Instance: c.reply.instance, Role: queue.RoleBridge})
	if err != nil {
		hs.b.logf("failed to announce a session in the queue: %v", err)
	}
	hs.mu.Lock()
	left := a.left
	a.release = release
	if err != nil {
		a.release = nil
		if hs.present[c.session] == a {
			hs.strike(c.session)
		}
	}
	close(a.announced)
	hs.mu.Unlock()
	if left {
		hs.release(a)
	}
}

// tire lets a session go that was not heard of for long, unless it waits.
func (hs *httpServer) tire(session string) {
	hs.mu.Lock()
	for _, c := range hs.calls {
		if a := hs.present[session]; a != nil && c.session == session {
			a.idle.Reset(presenceFor)
			hs.mu.Unlock()
			return
		}
	}
	a := hs.strike(session)
	hs.mu.Unlock()
	hs.release(a)
}

// strike takes a session off the books; the caller holds mu, and calls release with what it returns when it does not any
// more. A session that is still being announced is left to who announces it: then there is nothing to release.
func (hs *httpServer) strike(session string) *attendance {
	a := hs.present[session]
	if a == nil {
		return nil
	}
	delete(hs.present, session)
	a.idle.Stop()
	a.left = true
	select {
	case <-a.announced:
		return a
	default:
		return nil
	}
}

// release takes a session that is off the books off the running.
func (hs *httpServer) release(a *attendance) {
	if a == nil || a.release == nil {
		return
	}
	if err := a.release(); err != nil {
		hs.b.logf("failed to take a session off the queue: %v", err)
	}
}
