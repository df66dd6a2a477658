package rpc

import (
	"context"
	"errors"
	"sync"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// The errors of Calls.Start.
var (
	ErrInFlight = errors.New("another request with this id is in flight")
	ErrClosing  = errors.New("the server is closing")
)

// Calls holds the requests of one server that are in flight. A transport starts a call before it reads the next
// message, so a later cancel always finds the call.
type Calls struct {
	srv    *Server
	mu     sync.Mutex
	flight map[string]*Call
	closed bool
	busy   sync.WaitGroup // the calls that have not ended
}

// NewCalls returns the Calls of a server, without requests.
func NewCalls(srv *Server) *Calls {
	return &Calls{srv: srv, flight: map[string]*Call{}}
}

// Call is one request in flight. Its transport calls Start, Serve and Finish, writes the response, and calls End.
type Call struct {
	Reply  *call.Reply
	calls  *Calls
	peer   *Peer
	key    string
	ctx    context.Context
	cancel context.CancelCauseFunc
	over   chan struct{}   // closed by End
	why    *call.Withdrawn // the client's cancel; nil: none came; Calls.mu guards it
}

// Start puts a request in flight. key combines the key of the request's id (Key) with the name of the client. The
// errors are ErrInFlight and ErrClosing.
func (cs *Calls) Start(ctx context.Context, p *Peer, key string, r *call.Reply) (*Call, error) {
	c := &Call{Reply: r, calls: cs, peer: p, key: key, over: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	if err := cs.addCall(c); err != nil {
		c.cancel(nil)
		return nil, err
	}
	return c, nil
}

// addCall puts a call in flight.
func (cs *Calls) addCall(c *Call) error {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	switch {
	case cs.closed:
		return ErrClosing
	case cs.flight[c.key] != nil:
		return ErrInFlight
	}
	cs.flight[c.key] = c
	cs.busy.Add(1)
	return nil
}

// Serve serves the request and returns the response.
func (c *Call) Serve(raw []byte) *Envelope { return c.calls.srv.Serve(c.ctx, c.peer, c.Reply, raw) }

// Finish takes the call out of flight. The error is the reason why its response must not be written. The transport
// calls Finish before it writes the response, because a client may use the id again as soon as it has read that.
func (c *Call) Finish() error {
	c.calls.mu.Lock()
	defer c.calls.mu.Unlock()
	delete(c.calls.flight, c.key)
	switch {
	case c.why != nil:
		return c.why
	case c.Reply.CallerGone():
		return call.ErrClosed
	}
	return nil
}

// End ends the call after its response was written (nil) or could not be written, as Reply.End does.
func (c *Call) End(err error) {
	c.Reply.End(err)
	c.cancel(nil)
	close(c.over)
	c.calls.busy.Done()
}

// Context returns the context of the call. It ends with the call, or earlier by Drop or Withdraw.
func (c *Call) Context() context.Context { return c.ctx }

// Drop ends a call whose connection is gone.
func (c *Call) Drop() { c.cancel(call.ErrClosed) }

// Withdraw ends the call with this key because its client cancelled it. It reports whether there is such a call.
func (cs *Calls) Withdraw(key string, why *call.Withdrawn) bool {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c := cs.flight[key]
	if c == nil {
		return false
	}
	c.why = why
	c.cancel(why)
	return true
}

// Len returns the number of calls in flight.
func (cs *Calls) Len() int {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return len(cs.flight)
}

// Waits reports whether a call of this client is in flight.
func (cs *Calls) Waits(p *Peer) bool { return len(cs.callsOf(p)) > 0 }

// callsOf returns the calls of a client; nil means those of all clients.
func (cs *Calls) callsOf(p *Peer) (all []*Call) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.flight {
		if p == nil || c.peer == p {
			all = append(all, c)
		}
	}
	return all
}

// DropPeer ends the calls of a client and waits, at most for call.CloseWithin each, until they have released their
// claims.
func (cs *Calls) DropPeer(p *Peer) {
	ended := cs.callsOf(p)
	for _, c := range ended {
		c.Drop()
	}
	for _, c := range ended {
		if !call.AwaitClose(c.over) {
			return
		}
	}
}

// Close ends all calls and refuses new ones. It waits at most for call.CloseWithin until the calls have released their
// claims.
func (cs *Calls) Close() {
	cs.mu.Lock()
	cs.closed = true
	cs.mu.Unlock()
	for _, c := range cs.callsOf(nil) {
		c.Drop()
	}
	idle := make(chan struct{})
	go func() {
		cs.busy.Wait()
		close(idle)
	}()
	call.AwaitClose(idle)
}
