// Package mcpbridge is the agents' side: an MCP server that puts what agents ask into the queue and waits there
// for the person.
//
//	stdio, http ─► rpc (messages, what is in flight) ─► mcp-go ─► call ─► dialect ─► queue
//
// A transport turns bytes into messages, has the library handle them, and writes what it answers; call does the
// waiting; a dialect is one format of asking. This package only puts them together.
package mcpbridge

import (
	"context"
	"io"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/http"
	"github.com/choicetui/choicetui/mcpbridge/stdio"
	"github.com/choicetui/choicetui/queue"
)

// Options holds a bridge's settings, given by the command that starts it.
type Options struct {
	call.Options
	In  io.Reader
	Out io.Writer // the protocol's alone: the command must point os.Stdout elsewhere
}

// Serve speaks MCP over newline-delimited JSON until In ends (nil) or ctx is done (its cause). It returns at once
// then: questions stay in the queue, their claims are released.
func Serve(ctx context.Context, o Options) error {
	b := call.NewBridge(o.Options)
	defer b.Close()
	return stdio.Serve(ctx, call.NewServer(b), o.In, o.Out)
}

// ServeHTTP speaks streamable HTTP at http.Path until ctx is done (its cause) or the listener fails. In, Out and Origin
// are not used: what a remote client says of itself beyond its name is not to be trusted.
func ServeHTTP(ctx context.Context, o Options, h http.Options) error {
	o.Origin = queue.Origin{}
	b := call.NewBridge(o.Options)
	defer b.Close()
	return http.Serve(ctx, b, h)
}
