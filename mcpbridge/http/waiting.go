package http

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// waiting is one tools/call in flight. The goroutine of its connection writes for it; the library serves it on another,
// which ends first.
type waiting struct {
	*rpc.Call
	from  client
	key   string
	beats chan any // what to send before the result
}

// wait serves a tools/call from its request to its result.
func (t *transport) wait(w http.ResponseWriter, r *http.Request, from client, m rpc.Message, raw []byte) {
	c, err := t.start(r, from, m)
	switch {
	case errors.Is(err, rpc.ErrInFlight):
		writeJSON(w, http.StatusBadRequest, rpc.Refuse(m.ID, mcp.INVALID_REQUEST, err.Error()))
		return
	case err != nil:
		busy(w, m.ID, err.Error())
		return
	}
	out := newEvents(w, r)
	defer out.close()
	answered := make(chan *rpc.Envelope, 1)
	go func() { answered <- t.serve(c, raw) }()
	t.finish(c, r, out, c.until(r.Context(), out, answered, t.openAt, t.beat))
}

// start puts a call on the books, or says why not.
func (t *transport) start(r *http.Request, from client, m rpc.Message) (*waiting, error) {
	c := &waiting{from: from, beats: make(chan any)}
	reply := &call.Reply{ID: m.ID, Agent: t.subject, Progress: c.progress}
	if id, _ := rpc.Key(m.ID); from.modern() { // ids of different clients may be the same, so no id names this call
		c.key = rand.Text()
	} else {
		c.key = from.SessionID() + "\x00" + id
		reply.Agent = fingerprint(from.SessionID())
		reply.Instance = from.session.attendance.instance
		reply.Opened = from.session.attendance.come
	}
	var err error
	c.Call, err = t.book.start(context.WithoutCancel(r.Context()), from.Session, c.key, reply)
	return c, err
}

// serve lets the library serve the call, unaware of the connection.
func (t *transport) serve(c *waiting, raw []byte) (response *rpc.Envelope) {
	defer func() {
		if p := recover(); p != nil {
			t.logf("panic while a call was served: %v", p)
			response = rpc.Refuse(c.Reply.ID, mcp.INTERNAL_ERROR, "the call could not be served")
		}
	}()
	return c.Serve(raw)
}

// progress hands the message to the connection's goroutine, which writes it before it sees the result.
func (c *waiting) progress(token any, value float64, words string) {
	select {
	case c.beats <- rpc.Progress(token, value, words):
	case <-c.Context().Done():
	}
}

// until writes what there is to say before the response, which it returns. A connection that breaks ends the call.
func (c *waiting) until(
	connected context.Context, out *events, answered <-chan *rpc.Envelope, openAt, beat time.Duration,
) *rpc.Envelope {
	tick := time.NewTimer(openAt)
	defer tick.Stop()
	gone := connected.Done()
	for {
		var err error
		select {
		case response := <-answered:
			return response
		case <-gone:
			err = connected.Err()
		case note := <-c.beats:
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
			c.lose()
		}
	}
}

// lose ends a call whose connection is gone. Until 2025-11-25 that is no cancel, so the question stays. Since
// 2026-07-28 closing the stream is the cancel, and the only one: it should withdraw here, and does not yet.
func (c *waiting) lose() { c.Drop() }

// finish writes the result, unless nobody is there to read it, and says so to the call.
func (t *transport) finish(c *waiting, r *http.Request, out *events, response *rpc.Envelope) {
	err := t.book.finish(c)
	var withdrawn *call.Withdrawn
	switch {
	case errors.As(err, &withdrawn):
		out.nothing(http.StatusAccepted)
	case err != nil, c.Context().Err() != nil, r.Context().Err() != nil:
		err = call.ErrClosed
		out.nothing(http.StatusServiceUnavailable)
	default:
		if err = out.result(c.from.status(response), response); err == nil {
			t.book.forget(c.key)
		}
	}
	c.End(err)
}

// instanceOf is the name of an MCP session among the running processes.
func (t *transport) instanceOf(session string) string {
	return t.bridge.Instance() + "-" + strings.TrimPrefix(fingerprint(session), "http:")
}
