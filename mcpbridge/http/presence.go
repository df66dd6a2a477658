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
	// presenceFor is the time for which an MCP session that neither calls nor waits still counts as a running agent:
	// clients that crash do not say so.
	presenceFor = time.Hour
	// announceWithin bounds how long the store may take to hear of a session.
	announceWithin = 30 * time.Second
)

// attendance lists one MCP session among the running processes. Each session is an agent of its own, and gone when it
// ends, not when this server does: the person's messages to it must not wait for it then, and its questions are
// nobody's. A store that hangs stops this session and no other.
type attendance struct {
	instance string
	waits    func() bool // a call of the session is in flight
	log      io.Writer
	asked    *atomic.Pointer[queue.Queue] // learns the queue at each call

	turn    chan struct{} // holds one token while the store is told; it guards the rest
	release func() error  // nil: the store does not have the session
	idle    *time.Timer
	ended   bool
}

// come announces the session, or notes that it is still there. It returns when the store has it: what is asked then
// never looks like a question of nobody's. If the store fails the next call tries again.
func (a *attendance) come(ctx context.Context, q *queue.Queue) {
	a.asked.Store(q)
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return
	}
	switch {
	case a.ended || ctx.Err() != nil:
		return
	case a.release != nil:
		a.idle.Reset(presenceFor)
		return
	}
	step, cancel := context.WithTimeout(context.WithoutCancel(ctx), announceWithin)
	defer cancel()
	release, err := q.Store.Announce(step, queue.Presence{Instance: a.instance, Role: queue.RoleBridge})
	if err != nil {
		fmt.Fprintf(a.log, "failed to announce a session in the queue: %v\n", err)
		return
	}
	a.release, a.idle = release, time.AfterFunc(presenceFor, a.tire)
}

// tire lets a session go that was not heard of for long, unless it waits.
func (a *attendance) tire() {
	a.turn <- struct{}{}
	defer func() { <-a.turn }()
	if a.waits() && a.release != nil {
		a.idle.Reset(presenceFor)
		return
	}
	a.depart()
}

// leave takes the session off the running for good.
func (a *attendance) leave() {
	a.turn <- struct{}{}
	defer func() { <-a.turn }()
	a.ended = true
	a.depart()
}

// depart takes the session off the running; the caller has the turn.
func (a *attendance) depart() {
	if a.release == nil {
		return
	}
	a.idle.Stop()
	if err := a.release(); err != nil {
		fmt.Fprintf(a.log, "failed to take a session off the queue: %v\n", err)
	}
	a.release = nil
}
