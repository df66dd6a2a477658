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

// waiting is one tools/call in flight, or one request of a batch. The goroutine of its connection writes for it; the
// library serves it on another, which ends first.
type waiting struct {
	*rpc.Call
	from  client
	raw   []byte
	book  *book
	key   string // in the book
	reply *call.Reply
	beats chan<- any // what to send before the result
	left  bool       // the client cancelled by closing the stream
}

// newWaiting is a call of this client's; holder is who asks where there are no sessions.
func newWaiting(from client, m rpc.Message, raw []byte, holder string, beats chan<- any) *waiting {
	c := &waiting{from: from, raw: raw, beats: beats}
	c.reply = &call.Reply{ID: m.ID, Agent: holder, Progress: c.progress}
	if from.modern() { // ids of different clients may be the same, so no id names this call
		c.key = rand.Text()
		return c
	}
	id, _ := rpc.Key(m.ID)
	c.key = keyOf(from, id)
	c.reply.Agent = fingerprint(from.SessionID())
	c.reply.Instance = from.session.attendance.instance
	c.reply.Opened = from.session.attendance.come
	return c
}

// keyOf names a request of this client's in the book.
func keyOf(from client, id string) string { return from.SessionID() + "\x00" + id }

// start puts the call on the book, or says why not. It outlives its connection by what it takes to end it well.
func (c *waiting) start(connected context.Context, b *book) (err error) {
	c.book = b
	c.Call, err = b.start(context.WithoutCancel(connected), c.from.Session, c.key, c.reply)
	return err
}

// serve lets the library serve the call, unaware of the connection.
func (c *waiting) serve(log io.Writer) (response *rpc.Envelope) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(log, "panic while a call was served: %v\n", p)
			response = rpc.Refuse(c.reply.ID, mcp.INTERNAL_ERROR, call.ErrPanicked.Error())
		}
	}()
	return c.Serve(c.raw)
}

// progress hands the message to the connection's goroutine, which writes it before it sees the result.
func (c *waiting) progress(token any, value float64, words string) {
	select {
	case c.beats <- rpc.Progress(token, value, words):
	case <-c.Context().Done():
	}
}

// lose ends a call whose connection is gone. Until 2025-11-25 that is no cancel, so the question stays. Since
// 2026-07-28 closing the stream is the cancel, and the only one.
func (c *waiting) lose() {
	c.left = c.from.modern()
	c.Drop()
}

// cutShort is for a client that is there although its call ended, with its session or with this server. Where a stream
// ends without a response, clients wait on.
const cutShort = "the call ended before the person did anything, and nothing was chosen: ask the same again to go on"

// finish returns what to write in the end, nil: nothing, and why it is not the result, if so.
func (c *waiting) finish(connected context.Context, response *rpc.Envelope) (*rpc.Envelope, error) {
	err := c.book.finish(c)
	var withdrawn *call.Withdrawn
	switch {
	case errors.As(err, &withdrawn):
		return nil, err
	case err != nil, c.Context().Err() != nil, connected.Err() != nil:
		return rpc.Refuse(c.reply.ID, mcp.INTERNAL_ERROR, cutShort), call.ErrClosed
	}
	return response, nil
}

// end says what became of the response.
func (c *waiting) end(err error) {
	if err == nil {
		c.book.forget(c.key)
	}
	c.End(err)
}

// exchange is what one request over HTTP asks for: a tools/call, or a batch.
type exchange struct {
	calls []*waiting
	say   []*rpc.Envelope // what a batch has to say whatever its calls come to
	batch bool
	beats chan any // what its calls have to say before their results
}

// serve lets all calls be served side by side.
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

// until writes what there is to say before the responses, which it returns. A connection that breaks ends the calls.
func (e *exchange) until(
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
				err = out.message(note)
			}
		case <-tick.C:
			if gone != nil {
				err = out.comment()
			}
			tick.Reset(beat)
		}
		if err != nil {
			gone = nil
			for _, c := range e.calls {
				c.lose()
			}
		}
	}
}

// finish writes the results, unless nobody is there to read them, and says so to the calls.
func (e *exchange) finish(connected context.Context, out *events, responses []*rpc.Envelope) {
	say, errs := e.say, make([]error, len(e.calls))
	for i, c := range e.calls {
		response, err := c.finish(connected, responses[i])
		if errs[i] = err; response != nil {
			say = append(say, response)
		}
	}
	var written error
	switch {
	case len(say) == 0:
		out.nothing()
	case e.batch:
		written = out.result(http.StatusOK, say)
	case errs[0] != nil:
		written = out.result(http.StatusServiceUnavailable, say[0])
	default:
		written = out.result(e.calls[0].from.status(say[0]), say[0])
	}
	for i, c := range e.calls {
		c.end(cmp.Or(errs[i], written))
	}
}
