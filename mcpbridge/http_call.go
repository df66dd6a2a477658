package mcpbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// errEnded ends a call because its session or the server ends. errResumed ends one because its stream goes on
// elsewhere: its question is in good hands.
var (
	errEnded   = errors.New("session ended")
	errResumed = errors.New("stream resumed on another connection")
)

// httpCall is one tools/call in flight. The goroutine of the connection it came on writes for it; the library serves
// it on another, which ends first.
type httpCall struct {
	call
	session string // MCP session; empty since 2026-07-28
	stream  *stream
	info    func() mcp.Implementation
	beats   chan []byte   // what to send before the result
	resumed chan struct{} // closed, under the server's mutex, when another connection takes the stream over
	over    chan struct{} // closed when the claim was given back or the session collected
}

var _ peer = (*httpCall)(nil)

func (c *httpCall) GetClientInfo() mcp.Implementation {
	if c.info == nil {
		return mcp.Implementation{}
	}
	return c.info()
}

// progress hands the message to the connection's goroutine, which writes it before it sees the result. The value
// grows over the stream's whole life, not only this call's.
func (c *httpCall) progress(token any, _ float64, message string) {
	c.stream.beats++
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "method": "notifications/progress",
		"params": map[string]any{"progressToken": token, "progress": c.stream.beats, "message": message},
	})
	if err != nil {
		return
	}
	select {
	case c.beats <- raw:
	case <-c.ctx.Done():
	}
}

type httpCallKey struct{}

// accepted is called by the library once it found a request in order, before it serves it.
func accepted(ctx context.Context, _ *http.Request) context.Context {
	if c, ok := ctx.Value(httpCallKey{}).(*httpCall); ok {
		if known, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
			c.info = known.GetClientInfo
		}
	}
	return ctx
}

// take serves a tools/call from its request to its result.
func (hs *httpServer) take(w http.ResponseWriter, r *http.Request, m message, raw []byte) {
	id, ok := idKey(m.ID)
	if !ok {
		refuse(w, http.StatusBadRequest, refusal(json.RawMessage("null"), mcp.INVALID_REQUEST, "id must be a string or a number"))
		return
	}
	session, modern := sessionOf(r)
	st := &stream{session: session, id: m.ID, key: session + "\x00" + id}
	if modern { // no sessions, so ids of different clients may be the same; no cancels and no resuming either
		st.key = ""
	}
	var p struct {
		Meta struct {
			ProgressToken any `json:"progressToken"`
		} `json:"_meta"`
	}
	if json.Unmarshal(m.Params, &p) == nil {
		st.progress = p.Meta.ProgressToken
	}
	hs.serve(w, r, st, raw)
}

// serve runs a call for a stream, new or resumed, and writes to this connection what there is to say.
func (hs *httpServer) serve(w http.ResponseWriter, r *http.Request, st *stream, raw []byte) {
	c, problem := hs.start(r, st)
	if problem != "" {
		if problem == duplicateID {
			refuse(w, http.StatusBadRequest, refusal(st.id, mcp.INVALID_REQUEST, problem))
			return
		}
		busy(w, st.id, problem)
		return
	}
	defer hs.busy.Done()
	defer c.cancel(nil)
	answered := make(chan *recorder, 1)
	go hs.inner(c, r, raw, answered)
	out := newEvents(hs, w, r, st)
	defer out.close()
	if r.Method == http.MethodGet && out.open() != nil {
		c.cancel(errClosed)
	}
	tick := time.NewTimer(hs.openAt)
	defer tick.Stop()
	gone := r.Context().Done()
	drop := func() { c.cancel(errClosed); gone = nil }
	for {
		var err error
		select {
		case <-gone:
			drop()
		case raw := <-c.beats:
			if gone != nil {
				err = out.message(raw)
			}
		case <-tick.C:
			if gone != nil {
				err = out.comment()
			}
			tick.Reset(hs.beat)
		case rec := <-answered:
			hs.finish(c, r, out, rec)
			return
		}
		if err != nil {
			drop()
		}
	}
}

const duplicateID = "another request with this id is in flight"

// start puts a call on the books; whoever had the stream before is off them then. Otherwise it says why not.
func (hs *httpServer) start(r *http.Request, st *stream) (c *httpCall, problem string) {
	c = &httpCall{
		call: call{key: st.key, reply: reply{id: st.id, agent: hs.subject}}, session: st.session, stream: st,
		beats: make(chan []byte), resumed: make(chan struct{}), over: make(chan struct{}),
	}
	c.reply.peer = c
	if st.session != "" {
		c.reply.agent = fingerprint(st.session)
		c.reply.instance = hs.b.instance + "-" + strings.TrimPrefix(c.reply.agent, "http:")
		c.reply.opened = hs.attend(c)
	}
	ctx := context.WithValue(context.WithValue(context.WithoutCancel(r.Context()), replyKey{}, &c.reply), httpCallKey{}, c)
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	if c.key == "" {
		c.key = "\x00" + newStreamToken()
	}
	hs.mu.Lock()
	defer hs.mu.Unlock()
	_, taken := hs.calls[c.key]
	switch {
	case hs.closed():
		return nil, "the server is closing"
	case taken:
		return nil, duplicateID
	case hs.serving >= hs.most:
		return nil, "too many calls are waiting"
	}
	hs.forgive()
	if e, cancelled := hs.early[c.key]; cancelled {
		delete(hs.early, c.key)
		c.withdrawn = e.withdrawn
		c.cancel(e.withdrawn)
	}
	hs.calls[c.key] = c
	st.call = c
	hs.serving++
	hs.busy.Add(1)
	return c, ""
}

// inner lets the library serve the call, unaware of the connection.
func (hs *httpServer) inner(c *httpCall, r *http.Request, raw []byte, answered chan<- *recorder) {
	rec := newRecorder()
	defer func() {
		if p := recover(); p != nil {
			hs.b.logf("panic while a call was served: %v", p)
			rec = newRecorder()
			rec.WriteHeader(http.StatusInternalServerError)
		}
		answered <- rec
	}()
	in := r.Clone(c.ctx)
	in.Method, in.Body, in.ContentLength = http.MethodPost, io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	hs.mcp.ServeHTTP(rec, in)
}

// finish writes the result, unless nobody is there to read it, and says so to who waits for that.
func (hs *httpServer) finish(c *httpCall, r *http.Request, out *events, rec *recorder) {
	hs.mu.Lock()
	delete(hs.calls, c.key)
	hs.serving--
	gone := c.withdrawn
	hs.mu.Unlock()
	var err error
	switch cause := context.Cause(c.ctx); {
	case gone != nil:
		err = gone
		out.nothing(http.StatusAccepted)
	case cause != nil, c.reply.unsaid, r.Context().Err() != nil:
		err = errClosed
		out.nothing(http.StatusServiceUnavailable)
	default:
		err = out.result(rec)
	}
	if errors.Is(err, errClosed) {
		err = hs.linger(c)
	}
	if c.reply.after != nil {
		c.reply.after(err)
	}
	hs.settle(c, out, err)
	close(c.over)
}

// linger gives a question that dies with its call a moment to be resumed in.
func (hs *httpServer) linger(c *httpCall) error {
	if c.stream.token != "" && c.reply.bound && errors.Is(context.Cause(c.ctx), errClosed) {
		select {
		case <-c.resumed:
		case <-hs.closing:
		case <-time.After(hs.grace):
		}
	}
	select {
	case <-c.resumed:
		return errResumed
	default:
		return errClosed
	}
}
