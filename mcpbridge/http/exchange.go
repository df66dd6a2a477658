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

// pendingCall is one tools/call in flight, or one request of a batch. The goroutine of its connection writes its
// response. It is served on another goroutine, which ends first.
type pendingCall struct {
	*rpc.Call
	from      client
	raw       []byte
	registry  *registry
	key       string // in the registry
	reply     *call.Reply
	beats     chan<- any // messages before the result
	abandoned bool       // the client cancelled by closing the stream
}

// newPendingCall returns a call of this client. holder names the agent where there are no sessions.
func newPendingCall(from client, m rpc.Message, raw []byte, holder string, beats chan<- any) *pendingCall {
	c := &pendingCall{from: from, raw: raw, beats: beats}
	c.reply = &call.Reply{ID: m.ID, Agent: holder, Progress: c.progress}
	if from.modern() { // ids of different clients may be the same, so no id names this call
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

// keyOf returns the key of a client's request in the registry.
func keyOf(from client, id string) string { return from.peer.ID + "\x00" + id }

// start puts the call in flight. Its context outlives the connection, so that the call can end in good order.
func (c *pendingCall) start(connected context.Context, r *registry) (err error) {
	c.registry = r
	c.Call, err = r.start(context.WithoutCancel(connected), c.from.peer, c.key, c.reply)
	return err
}

// serve serves the call.
func (c *pendingCall) serve(log io.Writer) (response *rpc.Envelope) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(log, "panic while a call was served: %v\n", p)
			response = rpc.Refuse(c.reply.ID, mcp.INTERNAL_ERROR, call.ErrPanicked.Error())
		}
	}()
	return c.Serve(c.raw)
}

// progress hands the message to the connection's goroutine, which writes it before it sees the result.
func (c *pendingCall) progress(token any, value float64, words string) {
	select {
	case c.beats <- rpc.Progress(token, value, words):
	case <-c.Context().Done():
	}
}

// drop ends a call whose connection is gone. Until 2025-11-25 that cancels nothing, so the question stays. Since
// 2026-07-28 closing the stream is the only way to cancel.
func (c *pendingCall) drop() {
	c.abandoned = c.from.modern()
	c.Drop()
}

// cutShort answers a client that is still connected although its call ended, with its session or with this server.
// Without a response clients would continue to wait.
const cutShort = "the call ended before the person did anything, and nothing was chosen: ask the same again to go on"

// finish returns the response to write; nil: none. The error says why it is not the result.
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
		c.registry.forgetStray(c.key)
	}
	c.End(err)
}

// exchange is one HTTP request for a tools/call, or for a batch, with its response.
type exchange struct {
	calls   []*pendingCall
	refused []*rpc.Envelope // responses to the messages of a batch that were refused
	batch   bool
	beats   chan any // messages of the calls before their results
}

// serve serves all calls side by side. The channel receives their responses.
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

// await writes comments and the calls' messages until the responses are there, and returns these. A connection that
// breaks ends the calls.
func (e *exchange) await(
	connected context.Context, out *events, answered <-chan []*rpc.Envelope, openAt, beat time.Duration,
) []*rpc.Envelope {
	tick := time.NewTimer(openAt)
	defer tick.Stop()
	gone := connected.Done()
	for {
		var err error
		select {
		case responses := <-answered:
			return responses
		case <-gone:
			err = connected.Err()
		case note := <-e.beats:
			if gone != nil {
				err = out.writeMessage(note)
			}
		case <-tick.C:
			if gone != nil {
				err = out.writeComment()
			}
			tick.Reset(beat)
		}
		if err != nil {
			gone = nil
			for _, c := range e.calls {
				c.drop()
			}
		}
	}
}

// finish writes the results, unless the connection is gone, and ends the calls.
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
