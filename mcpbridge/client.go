package mcpbridge

import (
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// client is the one client of a stdio server, as mcp-go wants to see it.
type client struct {
	out          *output
	notes        chan mcp.JSONRPCNotification
	started      atomic.Bool
	info         atomic.Pointer[mcp.Implementation]
	capabilities atomic.Pointer[mcp.ClientCapabilities]
	protocol     atomic.Pointer[string]
}

var _ server.SessionWithClientInfo = (*client)(nil)

func newClient(out *output) *client {
	return &client{out: out, notes: make(chan mcp.JSONRPCNotification, 16)}
}

func (c *client) Initialize()       { c.started.Store(true) }
func (c *client) Initialized() bool { return c.started.Load() }
func (c *client) SessionID() string { return "stdio" }

// NotificationChannel takes what mcp-go itself wants to tell the client; progress does not go this way, because
// the channel would deliver it behind the result.
func (c *client) NotificationChannel() chan<- mcp.JSONRPCNotification { return c.notes }

func (c *client) GetClientInfo() mcp.Implementation {
	if p := c.info.Load(); p != nil {
		return *p
	}
	return mcp.Implementation{}
}

func (c *client) SetClientInfo(i mcp.Implementation) { c.info.Store(&i) }

func (c *client) GetClientCapabilities() mcp.ClientCapabilities {
	if p := c.capabilities.Load(); p != nil {
		return *p
	}
	return mcp.ClientCapabilities{}
}

func (c *client) SetClientCapabilities(k mcp.ClientCapabilities) { c.capabilities.Store(&k) }

// SetProtocolVersion and ProtocolVersion are looked for by mcp-go without a name for the interface.
func (c *client) SetProtocolVersion(v string) { c.protocol.Store(&v) }

// ProtocolVersion is what initialize agreed on, or empty.
func (c *client) ProtocolVersion() string {
	if p := c.protocol.Load(); p != nil {
		return *p
	}
	return ""
}

// forward writes mcp-go's own notifications until done.
func (c *client) forward(done <-chan struct{}) {
	for {
		select {
		case n := <-c.notes:
			c.out.write(n)
		case <-done:
			return
		}
	}
}

// progress is written at once by the goroutine that will write the result, so it cannot come after it.
func (c *client) progress(token any, value float64, message string) {
	c.out.write(map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "method": "notifications/progress",
		"params": map[string]any{"progressToken": token, "progress": value, "message": message},
	})
}
