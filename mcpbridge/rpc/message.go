// Package rpc has the parts that the transports share: the JSON-RPC messages of clients, the requests in flight, and
// the server that answers them.
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

// MaxMessage limits the bytes of one message from a client.
const MaxMessage = 16 << 20

// Message holds the members of a JSON-RPC message that a transport reads.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method *string         `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Envelope holds a response, with the request's id unchanged. The library's own type would turn large ids into floats.
type Envelope struct {
	JSONRPC string                   `json:"jsonrpc"`
	ID      json.RawMessage          `json:"id"`
	Result  any                      `json:"result,omitempty"`
	Error   *mcp.JSONRPCErrorDetails `json:"error,omitempty"`
}

var null = json.RawMessage("null")

// MarshalJSON writes the envelope as valid UTF-8: a byte that is none comes from a request's id, in which Go's decoder
// accepts it, and is replaced as in every other text.
func (e *Envelope) MarshalJSON() ([]byte, error) {
	type plain Envelope
	whole := plain(*e)
	whole.ID = bytes.ToValidUTF8(e.ID, []byte("\ufffd"))
	return json.Marshal(whole)
}

// Refuse returns the error response to a request that is not served. Without an id the response has the id null.
func Refuse(id json.RawMessage, code int, why string) *Envelope {
	if len(id) == 0 {
		id = null
	}
	return &Envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{Code: code, Message: why}}
}

// Parse reads one message. refusal is the error response to a message that is not valid; nil: it is valid.
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

// IsResponse reports whether the message is a response. This server sends no requests, so it ignores responses.
func (m Message) IsResponse() bool { return m.Method == nil }

// IsNotification reports whether the client expects no response.
func (m Message) IsNotification() bool { return m.Method != nil && len(m.ID) == 0 }

// Is reports whether the message is a request or notification with this method.
func (m Message) Is(method mcp.MCPMethod) bool { return m.Method != nil && *m.Method == string(method) }

// Key returns a map key for an id. It is equal for equal ids, and different for 5 and "5". ok is false if id is neither
// a string nor a number.
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

// Cancelled reads a notifications/cancelled: the Key of the cancelled request, and the client's reason. ok is false if
// the parameters cannot be read.
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

// Progress returns a notification that tells the client that its call is alive.
func Progress(token any, value float64, words string) any {
	return map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "method": "notifications/progress",
		"params": map[string]any{"progressToken": token, "progress": value, "message": words},
	}
}

// maxBatch limits the messages of a batch.
const maxBatch = 100

// TakesBatches reports whether this response to an initialize agrees on the one protocol version that has batches.
func (e *Envelope) TakesBatches() bool {
	agreed, ok := e.Result.(mcp.InitializeResult)
	return ok && agreed.ProtocolVersion == mcp.ProtocolVersion20250326
}

// IsBatch reports whether the bytes begin a JSON array.
func IsBatch(raw []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("[")) }

// TakeBatch reads a batch. It calls notify for each notification and start for each request; start returns an error
// response if it did not start the request. refused holds the error responses for the array that answers the batch. A
// refusal answers the whole batch, and then neither function was called.
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
		case m.Is(mcp.MethodInitialize):
			refused = append(refused, Refuse(m.ID, mcp.INVALID_REQUEST, "initialize must not be in a batch"))
		default:
			if why := start(m, part); why != nil {
				refused = append(refused, why)
			}
		}
	}
	return refused, refusal
}

// splitBatch returns the messages of a batch. It stops at maxBatch, because a message in memory is larger than its
// text.
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
