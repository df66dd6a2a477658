package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Why a call was not started.
var (
	ErrInFlight = errors.New("another request with this id is in flight")
	ErrClosing  = errors.New("the server is closing")
)

// Calls holds the requests in flight of one server. A call is started before the transport reads the next message, so a
// cancel that comes after it always finds it.
type Calls struct {
	srv    *server.MCPServer
	mu     sync.Mutex
	flight map[string]*Call
	closed bool
	busy   sync.WaitGroup
}

// NewCalls returns the Calls of a server, without any request.
func NewCalls(srv *server.MCPServer) *Calls {
	return &Calls{srv: srv, flight: map[string]*Call{}}
}

// Call is one request in flight. Its transport calls Start, Serve and Finish, writes the response, and calls End.
type Call struct {
	Reply   *call.Reply
	calls   *Calls
	session *server.InProcessSession
	key     string
	ctx     context.Context
	cancel  context.CancelCauseFunc
	over    chan struct{}   // closed by End
	why     *call.Withdrawn // guarded by the mutex of calls
}

// Start puts a request in flight. Its key combines Key and the session's name. The errors are ErrInFlight and
// ErrClosing.
func (cs *Calls) Start(ctx context.Context, s *server.InProcessSession, key string, r *call.Reply) (*Call, error) {
	c := &Call{Reply: r, calls: cs, session: s, key: key, over: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(call.WithReply(cs.srv.WithContext(ctx, s), r))
	if err := cs.add(c); err != nil {
		c.cancel(nil)
		return nil, err
	}
	return c, nil
}

// add puts a call in flight.
func (cs *Calls) add(c *Call) error {
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

// Serve has the library serve the request and returns the response.
func (c *Call) Serve(raw []byte) *Envelope { return Serve(c.ctx, c.calls.srv, c.Reply.ID, raw) }

// Serve has the library serve a request in a context that its WithContext made.
func Serve(ctx context.Context, srv *server.MCPServer, id json.RawMessage, raw []byte) *Envelope {
	switch m := srv.HandleMessage(ctx, raw).(type) {
	case mcp.JSONRPCResponse:
		return &Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: m.Result}
	case mcp.JSONRPCError:
		m.Error.Message = plainWords(m.Error.Message)
		return &Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &m.Error}
	}
	return Refuse(id, mcp.INVALID_REQUEST, "message is a request and a response at once")
}

// mistyped matches the error of Go's JSON for a value of another type than wanted, or out of its range.
var mistyped = regexp.MustCompile(`cannot unmarshal (\w+)(?: (\S+))? into Go .*?(params[\w.]*)?(?: of type (.+))?$`)

// kinds maps the names that Go and the library have for JSON types to plain words. Objects have many names.
var kinds = map[string]string{"array": "an array", "object": "an object", "string": "a string", "number": "a number",
	"bool": "a boolean", "mcp.Cursor": "a string", "float64": "a number", "int64": "a whole number"}

// plainWords returns an error of the library without the terms of Go, which a client cannot know.
func plainWords(words string) string {
	if strings.HasPrefix(words, "illegal base64 data") {
		return "params.cursor is not from an answer of this server"
	}
	words = strings.TrimSuffix(words, ": "+server.ErrToolNotFound.Error())
	request, why, ok := strings.Cut(words, "json: ")
	if !ok {
		return words
	}
	m := mistyped.FindStringSubmatch(why)
	if m == nil || m[3] == "" && m[2] == "" {
		return request + "params are not as this method takes them"
	}
	is, name, want := kinds[m[1]], m[3], kinds[m[4]]
	switch {
	case m[2] != "" && want != kinds["int64"]:
		return request + "the number " + m[2] + " is too large"
	case m[2] != "":
		is = m[2]
	case want == "" && strings.HasPrefix(m[4], "[]"):
		want = kinds["array"]
	case want == "":
		want = kinds["object"]
	}
	return request + name + " is " + is + ", and must be " + want
}

// Finish takes the call out of flight. The error says why its response must not be written. Finish comes before the
// response: a client may use the id again as soon as it reads that, and a later cancel changes nothing.
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

// Context returns the call's context. It ends with the call, or earlier by Drop or Withdraw.
func (c *Call) Context() context.Context { return c.ctx }

// Drop ends a call whose connection is gone.
func (c *Call) Drop() { c.cancel(call.ErrClosed) }

// Withdraw ends the call of this key because its client cancelled it, and reports whether there is one.
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

// Waits reports whether a call of this session is in flight.
func (cs *Calls) Waits(s *server.InProcessSession) bool { return len(cs.callsOf(s)) > 0 }

// callsOf returns the calls of a session; nil: of all sessions.
func (cs *Calls) callsOf(s *server.InProcessSession) (all []*Call) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.flight {
		if s == nil || c.session == s {
			all = append(all, c)
		}
	}
	return all
}

// DropSession ends a session's calls, and gives them a moment to release their claims.
func (cs *Calls) DropSession(s *server.InProcessSession) {
	ended := cs.callsOf(s)
	for _, c := range ended {
		c.Drop()
	}
	for _, c := range ended {
		if !call.AwaitClose(c.over) {
			return
		}
	}
}

// Close ends all calls, takes no more, and gives them a moment to release their claims.
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
