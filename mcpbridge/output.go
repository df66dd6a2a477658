package mcpbridge

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// output writes one message a line; many goroutines may use it.
type output struct {
	mu sync.Mutex
	w  io.Writer
}

func (o *output) write(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	raw = append(raw, '\n')
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err = o.w.Write(raw)
	return err
}

// response is what mcp-go answered under the id as it came: its own envelope would turn large ids into floats.
func response(id json.RawMessage, m mcp.JSONRPCMessage) any {
	switch m := m.(type) {
	case mcp.JSONRPCResponse:
		return envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Result: m.Result}
	case mcp.JSONRPCError:
		return envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &m.Error}
	}
	return m
}

type envelope struct {
	JSONRPC string                   `json:"jsonrpc"`
	ID      json.RawMessage          `json:"id"`
	Result  any                      `json:"result,omitempty"`
	Error   *mcp.JSONRPCErrorDetails `json:"error,omitempty"`
}

func refusal(id json.RawMessage, code int, message string) envelope {
	return envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: id, Error: &mcp.JSONRPCErrorDetails{Code: code, Message: message}}
}
