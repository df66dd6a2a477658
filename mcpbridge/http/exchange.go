package http

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// pendingCall is a tools/call request, alone or in a batch, until its response was written. One goroutine serves the
// call. The goroutine of the connection writes the response after that.
type pendingCall struct {
	*rpc.Call
	from      client
	raw       []byte
	registry  *registry
	key       string // the call's key in the registry
	reply     *call.Reply
	beats     chan<- any // receives the messages that are written before the result
	abandoned bool       // the client cancelled by closing the stream
}

// newPendingCall returns a call of this client. holder names the agent if the client has no session.
func newPendingCall(from client, m rpc.Message, raw []byte, holder string, beats chan<- any) *pendingCall {
	c := &pendingCall{from: from, raw: raw, beats: beats}
	c.reply = &call.Reply{ID: m.ID, Agent: holder, Progress: c.progress}
	if from.modern() { // without a session the ids of different clients may be equal
		c.key = rand.Text()
		return c
	}
	id, _ := rpc.Key(m.ID)
	c.key = keyOf(from, id)
	c.reply.Agent = fingerprint(from.peer.ID)
	c.reply.Instance = from.session.presence.instance
	c.reply.Opened = from.session.presence.announce
	return c
}

// keyOf returns the key in the registry for a request of a client.
func keyOf(from client, id string) string { return from.peer.ID + "\x00" + id }

// start puts the call in flight. The call's context outlives the connection, so that the call can release its claim.
func (c *pendingCall) start(connected context.Context, r *registry) (err error) {
	c.registry = r
	c.Call, err = r.start(context.WithoutCancel(connected), c.from.peer, c.key, c.reply)
	return err
}

// serve returns the response to the call. It recovers from panics.
func (c *pendingCall) serve(log io.Writer) (response *rpc.Envelope) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(log, "panic while a call was served: %v\n", p)
			response = rpc.Refuse(c.reply.ID, mcp.INTERNAL_ERROR, call.ErrPanicked.Error())
		}
	}()
	return c.Serve(c.raw)
}

// progress hands a message to the goroutine of the connection. That goroutine writes it before it receives the result.
func (c *pendingCall) progress(token any, value float64, words string) {
	select {
	case c.beats <- rpc.Progress(token, value, words):
	case <-c.Context().Done():
	}
}

// drop ends a call whose connection is gone. In protocol versions up to 2025-11-25 that cancels nothing, so the
// question stays. Since 2026-07-28 a client cancels by closing the stream.
func (c *pendingCall) drop() {
	c.abandoned = c.from.modern()
	c.Drop()
}

// cutShort is the response to a client that is still connected although its call has ended, because its session or this
// server ended. Without a response the client would continue to wait.
const cutShort = "the call ended before the person did anything, and nothing was chosen: ask the same again to continue"

// finish takes the call out of flight. It returns the response to write, or nil. If that is not the result of the call,
// err is the reason.
func (c *pendingCall) finish(connected context.Context, response *rpc.Envelope) (*rpc.Envelope, error) {
	err := c.registry.finish(c)
	var withdrawn *call.Withdrawn
	switch {
	case errors.As(err, &withdrawn):
		return nil, err
	case err != nil, c.Context().Err() != nil, connected.Err() != nil:
		return rpc.Refuse(c.reply.ID, mcp.INTERNAL_ERROR, cutShort), call.ErrClosed
	}
	return response, nil
}

// endCall ends the call after its response was written (nil) or could not be written.
func (c *pendingCall) endCall(err error) {
	if err == nil {
		c.registry.forgetRequest(c.key)
	}
	c.End(err)
}

// exchange is one HTTP request for a tools/call, or for a batch, with its response.
type exchange struct {
	calls   []*pendingCall
	refused []*rpc.Envelope // the responses to messages of a batch that were refused
	batch   bool
	beats   chan any // the messages of the calls that are written before the results
}

// serve serves all calls in parallel. The returned channel receives their responses together.
func (e *exchange) serve(log io.Writer) <-chan []*rpc.Envelope {
	answered := make(chan []*rpc.Envelope, 1)
	go func() {
		responses := make([]*rpc.Envelope, len(e.calls))
		var all sync.WaitGroup
		for i, c := range e.calls {
			all.Go(func() { responses[i] = c.serve(log) })
		}
		all.Wait()
		answered <- responses
	}()
	return answered
}

// await returns the responses. Until then it writes comments, the first after openAt and one after each beat, and the
// messages of the calls. If the connection breaks, it ends the calls.
func (e *exchange) await(
	connected context.Context, out *events, answered <-chan []*rpc.Envelope, openAt, beat time.Duration,
) []*rpc.Envelope {
	tick := time.NewTimer(openAt)
	defer tick.Stop()
	broken := connected.Done() // nil once the connection has broken, so that nothing more is written
	for {
		var err error
		select {
		case responses := <-answered:
			return responses
		case <-broken:
			err = connected.Err()
		case note := <-e.beats:
			if broken != nil {
				err = out.writeMessage(note)
			}
		case <-tick.C:
			if broken != nil {
				err = out.writeComment()
			}
			tick.Reset(beat)
		}
		if err != nil {
			broken = nil
			for _, c := range e.calls {
				c.drop()
			}
		}
	}
}

// finish writes the responses and ends the calls. responses are those to e.calls, in the same order.
func (e *exchange) finish(connected context.Context, out *events, responses []*rpc.Envelope) {
	all, errs := e.refused, make([]error, len(e.calls))
	for i, c := range e.calls {
		response, err := c.finish(connected, responses[i])
		if errs[i] = err; response != nil {
			all = append(all, response)
		}
	}
	var written error
	switch {
	case len(all) == 0:
		out.endEmpty()
	case e.batch:
		written = out.writeResult(http.StatusOK, all)
	case errs[0] != nil:
		written = out.writeResult(http.StatusServiceUnavailable, all[0])
	default:
		written = out.writeResult(e.calls[0].from.status(all[0]), all[0])
	}
	for i, c := range e.calls {
		c.endCall(cmp.Or(errs[i], written))
	}
}
