// Package rpc holds the shared parts of the transports: JSON-RPC messages as clients send them, and the requests in
// flight.
//
//	bytes ─► Parse ─► Calls.Start ─► Call.Serve (Server) ─► Call.Finish ─► bytes ─► Call.End
//	                └ cancelled ─► Calls.Withdraw: the call's context ends, nothing is written
package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// MaxMessage bounds one message of a client, in bytes.
const MaxMessage = 16 << 20

// Message holds the part of a JSON-RPC message that a transport reads.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Envelope holds a response, under the id as it came: the library's own type would turn large ids into floats.
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

// Parse reads one message. refusal is the error response for a message that is not valid.
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

// IsResponse reports whether the message answers a request of the server. The server sends no requests.
func (m Message) IsResponse() bool { return m.Method == nil }

// IsNotification reports whether nobody waits for a response.
func (m Message) IsNotification() bool { return m.Method != nil && len(m.ID) == 0 }

// Is reports whether the message has this method.
func (m Message) Is(method string) bool { return m.Method != nil && *m.Method == method }

// Key returns a key for an id: equal for equal ids, different for 5 and "5". ok is false if id is not an id.
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

// Progress returns a notification which says that a call is alive.
func Progress(token any, value float64, words string) any {
	return map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "method": "notifications/progress",
		"params": map[string]any{"progressToken": token, "progress": value, "message": words},
	}
}

// maxBatch bounds how many messages a batch may hold.
const maxBatch = 100

// TakesBatches reports whether the response to an initialize agrees on the one protocol version that has batches.
func (e *Envelope) TakesBatches() bool {
	agreed, ok := e.Result.(mcp.InitializeResult)
	return ok && agreed.ProtocolVersion == mcp.ProtocolVersion20250326
}

// IsBatch reports whether a body or line is an array, if it is JSON.
func IsBatch(raw []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("[")) }

// TakeBatch passes the notifications of a batch to notify and its requests to start, which returns an error response if
// it did not start one. refused holds the error responses for the batch's array. A refusal answers the whole batch;
// then no message was passed on.
func TakeBatch(
	raw []byte, notify func(Message), start func(Message, []byte) *Envelope,
) (refused []*Envelope, refusal *Envelope) {
	parts, refusal := splitBatch(raw)
	for _, part := range parts {
		m, wrong := Parse(part)
		switch {
		case wrong != nil:
			refused = append(refused, wrong)
		case m.IsResponse():
		case m.IsNotification():
			notify(m)
		case m.Is(string(mcp.MethodInitialize)):
			refused = append(refused, Refuse(m.ID, mcp.INVALID_REQUEST, "initialize must not be in a batch"))
		default:
			if why := start(m, part); why != nil {
				refused = append(refused, why)
			}
		}
	}
	return refused, refusal
}

// splitBatch returns the parts of an array. It stops where there are too many: each takes more memory than its text.
func splitBatch(raw []byte) (parts []json.RawMessage, refusal *Envelope) {
	if !json.Valid(raw) {
		return nil, Refuse(null, mcp.PARSE_ERROR, "message is not valid JSON")
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	_, _ = in.Token() // the bracket
	for in.More() {
		if len(parts) == maxBatch {
			return nil, Refuse(null, mcp.INVALID_REQUEST, fmt.Sprintf("batch has more than %d messages", maxBatch))
		}
		var part json.RawMessage
		_ = in.Decode(&part)
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil, Refuse(null, mcp.INVALID_REQUEST, "batch is empty")
	}
	return parts, nil
}
