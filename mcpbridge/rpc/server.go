package rpc

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// Server answers the requests of all clients. It offers tools and no other part of MCP. The library's own server is not
// used, because it links a schema library that would take a third of this program's start time.
//
//	request ─► protocol version ─┬ initialize, ping ............................ before 2026-07-28
//	                             ├ server/discover, subscriptions/listen ....... since 2026-07-28
//	                             └ tools/list, tools/call ...................... always
type Server struct {
	about  mcp.Implementation
	tools  []call.Tool // sorted by name
	listed func()
}

// Peer is a client of the server.
type Peer struct {
	ID   string
	info atomic.Pointer[mcp.Implementation] // the name and version that the client gave; nil: it gave none
}

// NewServer returns a server with the tools of a bridge.
func NewServer(b *call.Bridge) *Server {
	about := mcp.Implementation{Name: "choicetui", Version: b.Version(), Title: "choicetui"}
	s := &Server{about: about, tools: b.Tools(), listed: b.Listed}
	slices.SortFunc(s.tools, func(a, b call.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// failure is the error of a JSON-RPC response, as a Go error.
type failure mcp.JSONRPCErrorDetails

func (f *failure) Error() string { return f.Message }

// newFailure returns an error with a code of JSON-RPC.
func newFailure(code int, format string, args ...any) error {
	return &failure{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Serve answers one request. r contains the id of the request and the ways to reach the client meanwhile. The context
// of a tool ends when its result is there: a later call for the same session then waits until the result was written.
func (s *Server) Serve(ctx context.Context, p *Peer, r *call.Reply, raw []byte) *Envelope {
	ctx, served := context.WithCancel(ctx)
	defer served()
	result, err := s.answerRequest(ctx, p, r, raw)
	if err == nil {
		return &Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID, Result: result}
	}
	e := Refuse(r.ID, mcp.INTERNAL_ERROR, err.Error())
	var f *failure
	if errors.As(err, &f) {
		e.Error = (*mcp.JSONRPCErrorDetails)(f)
	}
	return e
}

// modernRequest reports whether a request follows protocol version 2026-07-28 or later, and names its client. Such a
// client gives its name in each request, an older one only in initialize.
type modernRequest struct {
	since2026 bool
	client    *mcp.Implementation
}

// answerRequest checks a request and its protocol version, and records its client. It returns the request's result, or
// the error for its response.
func (s *Server) answerRequest(ctx context.Context, p *Peer, r *call.Reply, raw []byte) (result any, err error) {
	var m struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Result  any    `json:"result"`
	}
	switch err := json.Unmarshal(raw, &m); {
	case err != nil:
		return nil, newFailure(mcp.PARSE_ERROR, "Failed to parse message")
	case m.JSONRPC != mcp.JSONRPC_VERSION:
		return nil, newFailure(mcp.INVALID_REQUEST, "Invalid JSON-RPC version")
	case m.Result != nil:
		return nil, newFailure(mcp.INVALID_REQUEST, "message is a request and a response at once")
	}
	modern, err := readModernRequest(raw)
	if err != nil {
		return nil, err
	}
	if modern.client != nil {
		p.info.Store(modern.client)
	}
	method := mcp.MCPMethod(m.Method)
	switch {
	case modern.since2026 && slices.Contains(until2026, method):
		return nil, newFailure(mcp.METHOD_NOT_FOUND, "%q was removed in protocol version 2026-07-28", m.Method)
	case !modern.since2026 && slices.Contains(from2026, method):
		return nil, newFailure(mcp.METHOD_NOT_FOUND, "%q requires protocol version 2026-07-28 or later", m.Method)
	}
	return s.serveMethod(ctx, method, modern, p, r, raw)
}

// serveMethod returns the result of a request whose version has this method.
func (s *Server) serveMethod(
	ctx context.Context, method mcp.MCPMethod, modern modernRequest, p *Peer, r *call.Reply, raw []byte,
) (any, error) {
	switch method {
	case mcp.MethodInitialize:
		return s.initialize(p, raw)
	case mcp.MethodPing:
		return serveParsed(raw, mcp.MethodPing, func(mcp.PingRequest) (any, error) { return mcp.EmptyResult{}, nil })
	case mcp.MethodServerDiscover:
		return serveParsed(raw, mcp.MethodServerDiscover, func(mcp.DiscoverRequest) (any, error) {
			return mcp.DiscoverResult{CacheableResult: s.uncachedResult(), SupportedVersions: mcp.ValidProtocolVersions,
				Capabilities: capabilities, Instructions: call.Instructions}, nil
		})
	case mcp.MethodSubscriptionsListen:
		return serveParsed(raw, mcp.MethodSubscriptionsListen, func(mcp.SubscriptionsListenRequest) (any, error) {
			return s.listen(r), nil
		})
	case mcp.MethodToolsList:
		return s.listTools(modern, raw)
	case mcp.MethodToolsCall:
		r.Client = p.info.Load()
		return s.callTool(ctx, modern, r, raw)
	default:
		if kind, known := notServed[method]; known {
			return nil, newFailure(mcp.METHOD_NOT_FOUND, "%s not supported", kind)
		}
		return nil, newFailure(mcp.METHOD_NOT_FOUND, "Method %s not found", method)
	}
}

// The methods that only clients before 2026-07-28 use, and those that only later clients use.
var (
	until2026 = []mcp.MCPMethod{mcp.MethodInitialize, mcp.MethodPing, mcp.MethodSetLogLevel,
		mcp.MethodResourcesSubscribe, mcp.MethodResourcesUnsubscribe, mcp.MethodTasksList, mcp.MethodTasksResult}
	from2026 = []mcp.MCPMethod{mcp.MethodServerDiscover, mcp.MethodSubscriptionsListen}
)

// notServed maps methods to the names of the parts of MCP that this server does not have.
var notServed = map[mcp.MCPMethod]string{
	mcp.MethodSetLogLevel: "logging", mcp.MethodCompletionComplete: "completions",
	mcp.MethodResourcesList: "resources", mcp.MethodResourcesTemplatesList: "resources",
	mcp.MethodResourcesRead: "resources", mcp.MethodResourcesSubscribe: "resources",
	mcp.MethodResourcesUnsubscribe: "resources",
	mcp.MethodPromptsList:          "prompts", mcp.MethodPromptsGet: "prompts",
	mcp.MethodTasksGet: "tasks", mcp.MethodTasksList: "tasks", mcp.MethodTasksResult: "tasks",
	mcp.MethodTasksCancel: "tasks",
}

// capabilities declares what the server offers: tools whose list never changes.
var capabilities = func() (c mcp.ServerCapabilities) {
	_ = json.Unmarshal([]byte(`{"tools": {}}`), &c)
	return c
}()

// readModernRequest reads the protocol version and the client of a request since 2026-07-28. It fails if these fields
// are not valid. For an older request it returns the zero value.
func readModernRequest(raw []byte) (modernRequest, error) {
	var m struct {
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return modernRequest{}, nil // serveParsed reports what is wrong
	}
	version := m.Params.Meta.ProtocolVersion()
	switch {
	case !mcp.IsModernProtocol(version):
		return modernRequest{}, nil
	case m.Params.Meta.ClientCapabilities() == nil:
		return modernRequest{}, newFailure(mcp.INVALID_PARAMS, "missing or invalid _meta field %s",
			mcp.MetaKeyClientCapabilities)
	case !mcp.IsValidProtocolVersion(version):
		unknown := mcp.UnsupportedProtocolVersionError{Version: version, Supported: mcp.ValidProtocolVersions}
		f := failure(unknown.JSONRPCError().Error)
		return modernRequest{}, &f
	}
	return modernRequest{since2026: true, client: m.Params.Meta.ClientInfo()}, nil
}

// serveParsed decodes a request and serves it.
func serveParsed[T any](raw []byte, method mcp.MCPMethod, serve func(T) (any, error)) (any, error) {
	var req T
	if err := json.Unmarshal(raw, &req); err != nil {
		return nil, newFailure(mcp.INVALID_REQUEST, "unparsable %s request: %s", method, plainWords(err.Error()))
	}
	return serve(req)
}

// initialize agrees on a protocol version, and records the client's name.
func (s *Server) initialize(p *Peer, raw []byte) (any, error) {
	return serveParsed(raw, mcp.MethodInitialize, func(req mcp.InitializeRequest) (any, error) {
		p.info.Store(&req.Params.ClientInfo)
		return mcp.InitializeResult{ProtocolVersion: mcp.NegotiateLegacyVersion(req.Params.ProtocolVersion),
			Capabilities: capabilities, ServerInfo: s.about, Instructions: call.Instructions}, nil
	})
}

// listen acknowledges a subscription and ends it, because this server has no notifications to subscribe to.
func (s *Server) listen(r *call.Reply) any {
	note := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{
		Method: mcp.MethodNotificationSubscriptionsAcknowledged,
		Params: mcp.NotificationParams{Meta: map[string]any{mcp.MetaKeySubscriptionID: r.ID},
			AdditionalFields: map[string]any{"notifications": mcp.SubscriptionFilter{}}}}}
	if r.Notify != nil {
		r.Notify(note)
	}
	result := mcp.SubscriptionsListenResult{Result: s.completeResult()}
	result.Meta.SetSubscriptionID(r.ID)
	return result
}

// listTools returns the tools with names after the cursor. The list has one page, so a client gets no cursor from this
// server.
func (s *Server) listTools(modern modernRequest, raw []byte) (any, error) {
	return serveParsed(raw, mcp.MethodToolsList, func(req mcp.ListToolsRequest) (any, error) {
		after, err := base64.StdEncoding.DecodeString(string(req.Params.Cursor))
		if err != nil {
			return nil, newFailure(mcp.INVALID_PARAMS, "params.cursor is not from an answer of this server")
		}
		result := mcp.ListToolsResult{Tools: []mcp.Tool{}}
		for _, t := range s.tools {
			if t.Name > string(after) {
				result.Tools = append(result.Tools, t.Tool)
			}
		}
		if modern.since2026 {
			result.CacheableResult = s.uncachedResult()
		}
		s.listed()
		return result, nil
	})
}

// callTool serves a call of one of the tools.
func (s *Server) callTool(ctx context.Context, modern modernRequest, r *call.Reply, raw []byte) (any, error) {
	return serveParsed(raw, mcp.MethodToolsCall, func(req mcp.CallToolRequest) (any, error) {
		at := slices.IndexFunc(s.tools, func(t call.Tool) bool { return t.Name == req.Params.Name })
		if at < 0 {
			return nil, newFailure(mcp.INVALID_PARAMS, "tool '%s' not found", req.Params.Name)
		}
		result, err := s.tools[at].Serve(ctx, r, req.Params)
		if err == nil && modern.since2026 {
			result.Result = s.completeResult()
		}
		return result, err
	})
}

// completeResult returns the fields that each result has since 2026-07-28.
func (s *Server) completeResult() mcp.Result {
	r := mcp.Result{ResultType: mcp.ResultTypeComplete, Meta: &mcp.Meta{}}
	r.Meta.SetServerInfo(s.about)
	return r
}

// uncachedResult returns the fields of completeResult, with hints that clients must not cache the result.
func (s *Server) uncachedResult() (r mcp.CacheableResult) {
	r.Result = s.completeResult()
	r.SetCacheHints(0, mcp.CacheScopePrivate)
	return r
}

// typeError matches the error of Go's JSON decoder for a value with another type than expected, or out of range.
var typeError = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`cannot unmarshal (\w+)(?: (\S+))? into Go .*?(params[\w.]*)?(?: of type (.+))?$`)
})

// typeNames maps the names of JSON types in Go and in the library to plain words. Other names stand for objects.
var typeNames = map[string]string{
	"array": "an array", "object": "an object", "string": "a string", "number": "a number",
	"bool": "a boolean", "mcp.Cursor": "a string", "float64": "a number", "int64": "a whole number",
}

// plainWords translates an error of Go's JSON decoder into words without Go's types, which a client cannot know.
func plainWords(words string) string {
	m := typeError().FindStringSubmatch(words)
	if m == nil || m[3] == "" && m[2] == "" {
		return "params are not as this method takes them"
	}
	is, name, want := typeNames[m[1]], m[3], typeNames[m[4]]
	switch {
	case m[2] != "" && want != typeNames["int64"]:
		return "the number " + m[2] + " is too large"
	case m[2] != "":
		is = m[2]
	case want == "" && strings.HasPrefix(m[4], "[]"):
		want = typeNames["array"]
	case want == "":
		want = typeNames["object"]
	}
	return name + " is " + is + ", and must be " + want
}
