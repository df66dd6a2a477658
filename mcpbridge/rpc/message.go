// Package rpc is what the transports share: JSON-RPC messages as clients send them, the requests in flight, and a
// client as the library sees it.
//
//	bytes ─► Parse ─► Calls.Start ─► Call.Serve (the library's HandleMessage) ─► Call.Finish ─► bytes ─► Call.End
//	                └ cancelled ─► Calls.Withdraw: the call's context ends, nothing is written
package rpc

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Session holds the library's view of one client: its identity, and what was agreed with it. It is the library's own
// type; we write what the library tells the client.
type Session = server.InProcessSession

// NewSession returns a client that has said nothing yet.
func NewSession(id string) *Session { return server.NewInProcessSession(id, nil) }

// MaxMessage bounds one message of a client, in bytes.
const MaxMessage = 16 << 20

// Message is the part of a JSON-RPC message that a transport looks at.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Envelope is a response of ours, under the id as it came: the library's own would turn large ids into floats.
type Envelope struct {
	JSONRPC string                   `json:"jsonrpc"`
	ID      json.RawMessage          `json:"id"`
	Result  any                      `json:"result,omitempty"`
	Error   *mcp.JSONRPCErrorDetails `json:"error,omitempty"`
}

var null = json.RawMessage("null")

// Refuse returns the response to a request that is not served; without an id it is under null.
func Refuse(id json.RawMessage, code int, why string) *Envelope {
	if len(id) == 0 {
		id = null
	}
	return &Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{Code: code, Message: why}}
}

// Parse reads one message. If it is not valid, refusal says why.
func Parse(raw []byte) (m Message, refusal *Envelope) {
	switch {
	case !json.Valid(raw):
		return m, Refuse(null, mcp.PARSE_ERROR, "message is not valid JSON")
	case IsBatch(raw):
		return m, Refuse(null, mcp.INVALID_REQUEST, "batches are not supported: send one message at a time")
	case json.Unmarshal(raw, &m) != nil:
		return m, Refuse(null, mcp.INVALID_REQUEST, "message is no JSON-RPC message")
	case m.Method == nil && len(m.ID) == 0:
		return m, Refuse(null, mcp.INVALID_REQUEST, "message has no method")
	}
	if _, ok := Key(m.ID); !ok && len(m.ID) > 0 && m.Method != nil {
		return m, Refuse(null, mcp.INVALID_REQUEST, "id must be a string or a number")
	}
	return m, nil
}

// IsResponse reports whether the message answers a request of ours. We send none that wait for it.
func (m Message) IsResponse() bool { return m.Method == nil }

// IsNotification reports whether nobody waits for a response.
func (m Message) IsNotification() bool { return m.Method != nil && len(m.ID) == 0 }

// Is reports whether the message has this method.
func (m Message) Is(method string) bool { return m.Method != nil && *m.Method == method }

// Key is equal for equal ids and different for 5 and "5"; ok is false for what is no id.
func Key(id json.RawMessage) (key string, ok bool) {
	id = bytes.TrimSpace(id)
	if len(id) == 0 {
		return "", false
	}
	if id[0] == '"' {
		var s string
		err := json.Unmarshal(id, &s)
		return "s" + s, err == nil
	}
	return "n" + string(id), id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

// Cancelled reads a notifications/cancelled: the key of the cancelled request, and the reason. ok is false if its
// params cannot be read.
func (m Message) Cancelled() (key, reason string, ok bool) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    any             `json:"reason"`
	}
	if json.Unmarshal(m.Params, &p) != nil {
		return "", "", false
	}
	key, _ = Key(p.RequestID)
	reason, _ = p.Reason.(string)
	return key, reason, true
}

// Progress returns the notification that a call is alive.
func Progress(token any, value float64, words string) any {
	return map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "method": "notifications/progress",
		"params": map[string]any{"progressToken": token, "progress": value, "message": words},
	}
}
