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

// Calls are the requests in flight of one server. A call is on the books before the transport reads on, so no cancel
// that comes after it can miss it.
type Calls struct {
	srv    *server.MCPServer
	mu     sync.Mutex
	flight map[string]*Call
	closed bool
	busy   sync.WaitGroup
}

// NewCalls returns empty books for a server.
func NewCalls(srv *server.MCPServer) *Calls {
	return &Calls{srv: srv, flight: map[string]*Call{}}
}

// Call is one request in flight. Its transport goes through Start, Serve, Finish, writing, and End.
type Call struct {
	Reply   *call.Reply
	calls   *Calls
	session *Session
	key     string
	ctx     context.Context
	cancel  context.CancelCauseFunc
	over    chan struct{}   // closed by End
	why     *call.Withdrawn // guarded by the books' mutex
}

// Start puts a request on the books under a key, which Key and the session's name make.
func (cs *Calls) Start(ctx context.Context, s *Session, key string, r *call.Reply) (*Call, error) {
	c := &Call{Reply: r, calls: cs, session: s, key: key, over: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(call.WithReply(cs.srv.WithContext(ctx, s), r))
	if err := cs.add(c); err != nil {
		c.cancel(nil)
		return nil, err
	}
	return c, nil
}

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
		m.Error.Message = plain(m.Error.Message)
		return &Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &m.Error}
	}
	return Refuse(id, mcp.INVALID_REQUEST, "message is a request and a response at once")
}

// mistyped is how Go's JSON says that a value is of another type than wanted, or out of its range.
var mistyped = regexp.MustCompile(`cannot unmarshal (\w+)(?: (\S+))? into Go .*?(params[\w.]*)?(?: of type (.+))?$`)

// kinds are what the types of JSON are called, by the names that Go and the library have for them. Objects have many.
var kinds = map[string]string{"array": "an array", "object": "an object", "string": "a string", "number": "a number",
	"bool": "a boolean", "mcp.Cursor": "a string", "float64": "a number", "int64": "a whole number"}

// plain says what the library refuses without the words of Go, which a client cannot know.
func plain(words string) string {
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

// Finish takes the call off the books and says why its response must not be written, if so. First this, then the
// response: a client may use the id again as soon as it reads that, and a cancel that comes later changes nothing.
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

// End says what became of the response, as Reply.End does. The call is over then.
func (c *Call) End(err error) {
	c.Reply.End(err)
	c.cancel(nil)
	close(c.over)
	c.calls.busy.Done()
}

// Context is the call's: it ends with it, or when somebody ended the call.
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
func (cs *Calls) Waits(s *Session) bool { return len(cs.of(s)) > 0 }

func (cs *Calls) of(s *Session) (all []*Call) {
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
func (cs *Calls) DropSession(s *Session) {
	ended := cs.of(s)
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
	for _, c := range cs.of(nil) {
		c.Drop()
	}
	idle := make(chan struct{})
	go func() {
		cs.busy.Wait()
		close(idle)
	}()
	call.AwaitClose(idle)
}
