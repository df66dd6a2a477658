package http

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// presenceFor is the time for which an MCP session without calls counts as a running agent, because a client
	// that crashes does not end its session.
	presenceFor = time.Hour
	// announceWithin limits how long the store may take to announce a session.
	announceWithin = 30 * time.Second
)

// presence announces one MCP session as a running process. Each session is an agent of its own. When the session ends,
// the agent counts as gone, even while this server runs: no message waits for it, and its questions have no caller. A
// store that does not answer blocks only this session.
type presence struct {
	instance string
	waits    func() bool // reports whether a call of the session is in flight
	log      io.Writer
	asked    *atomic.Pointer[queue.Queue] // sessions.asked, which each call sets

	lock    chan struct{} // contains a value while it is locked; it guards the fields below
	release func() error  // ends the announcement; nil: the session is not announced
	idle    *time.Timer
	ended   bool
}

// announce announces the session in the queue, or renews its announcement. It returns when the store has it, so that
// the session's questions always have a caller. If the store fails, the next call tries again.
func (p *presence) announce(ctx context.Context, q *queue.Queue) {
	p.asked.Store(q)
	select {
	case p.lock <- struct{}{}:
		defer func() { <-p.lock }()
	case <-ctx.Done():
		return
	}
	switch {
	case p.ended || ctx.Err() != nil:
		return
	case p.release != nil:
		p.idle.Reset(presenceFor)
		return
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), announceWithin)
	defer cancel()
	release, err := q.Store.Announce(step, queue.Presence{Instance: p.instance, Role: queue.RoleBridge})
	if err != nil {
		fmt.Fprintf(p.log, "failed to announce a session in the queue: %v\n", err)
		return
	}
	p.release, p.idle = release, time.AfterFunc(presenceFor, p.expire)
}

// expire ends the announcement of a session without calls.
func (p *presence) expire() {
	p.lock <- struct{}{}
	defer func() { <-p.lock }()
	if p.waits() && p.release != nil {
		p.idle.Reset(presenceFor)
		return
	}
	p.remove()
}

// leave ends the announcement for good.
func (p *presence) leave() {
	p.lock <- struct{}{}
	defer func() { <-p.lock }()
	p.ended = true
	p.remove()
}

// remove ends the announcement. The caller holds the lock.
func (p *presence) remove() {
	if p.release == nil {
		return
	}
	p.idle.Stop()
	if err := p.release(); err != nil {
		fmt.Fprintf(p.log, "failed to take a session off the queue: %v\n", err)
	}
	p.release = nil
}
