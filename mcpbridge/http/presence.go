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
	// presenceFor limits the time for which an MCP session without calls counts as a running agent: a client that
	// crashes does not end its session.
	presenceFor = time.Hour
	// announceWithin limits how long the store may take to announce a session.
	announceWithin = 30 * time.Second
)

// presence lists one MCP session among the running processes. Each session is an agent of its own, which is gone when
// its session ends, even while this server runs: then no message waits for it, and its questions have no caller. A
// store that hangs blocks this session and no other.
type presence struct {
	instance string
	waits    func() bool // a call of the session is in flight
	log      io.Writer
	asked    *atomic.Pointer[queue.Queue] // learns the queue at each call

	lock    chan struct{} // full while locked; it guards the rest
	release func() error  // nil: the store does not have the session
	idle    *time.Timer
	ended   bool
}

// announce announces the session in the queue, or renews its presence. It returns when the store has it, so that the
// session's questions always have a caller. If the store fails, the next call tries again.
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

// expire takes a session without calls off the running processes.
func (p *presence) expire() {
	p.lock <- struct{}{}
	defer func() { <-p.lock }()
	if p.waits() && p.release != nil {
		p.idle.Reset(presenceFor)
		return
	}
	p.remove()
}

// leave takes the session off the running processes for good.
func (p *presence) leave() {
	p.lock <- struct{}{}
	defer func() { <-p.lock }()
	p.ended = true
	p.remove()
}

// remove takes the session off the running processes. It is called with the lock held.
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
