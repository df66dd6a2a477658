package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxBatch bounds how many messages a batch may hold.
const maxBatch = 100

// TakesBatches reports whether the response to an initialize agrees on the one protocol version that has batches.
func (e *Envelope) TakesBatches() bool {
	agreed, ok := e.Result.(mcp.InitializeResult)
	return ok && agreed.ProtocolVersion == mcp.ProtocolVersion20250326
}

// IsBatch reports whether a body or line is an array, if it is JSON.
func IsBatch(raw []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("[")) }

// TakeBatch hands the messages of a batch on: a notification to note, and a request to start, which returns nil or why
// it was not started. It returns what there is to answer at once in the batch's array. A refusal is for all of it,
// and then nothing was handed on.
func TakeBatch(
	raw []byte, note func(Message, []byte), start func(Message, []byte) *Envelope,
) (refused []*Envelope, refusal *Envelope) {
	parts, refusal := split(raw)
	for _, part := range parts {
		m, wrong := Parse(part)
		switch {
		case wrong != nil:
			refused = append(refused, wrong)
		case m.IsResponse():
		case m.IsNotification():
			note(m, part)
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

// split takes an array apart, and stops where it has too many parts: each takes more memory than its text.
func split(raw []byte) (parts []json.RawMessage, refusal *Envelope) {
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
