// Package mcpbridge serves agents: an MCP server that puts their questions into the queue and waits there for the
// person.
//
//	stdio, http ─► rpc (messages, requests in flight) ─► call ─► dialect ─► queue
//
// A transport turns bytes into messages and writes the responses of rpc.Server. A call waits for the person. A dialect
// reads and writes one format of questions. This package only connects them.
package mcpbridge

import (
	"context"
	"io"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/http"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
	"github.com/choicetui/choicetui/mcpbridge/stdio"
	"github.com/choicetui/choicetui/queue"
)

// Options holds the settings of a bridge. The command that starts the bridge gives them.
type Options struct {
	call.Options
	In  io.Reader
	Out io.Writer // only the protocol may write here, so the command must redirect os.Stdout
}

// Serve speaks MCP in newline-delimited JSON until In ends (nil) or ctx is done (its cause). Then it returns at once:
// questions stay in the queue, and their claims are released.
func Serve(ctx context.Context, o Options) error {
	b := call.NewBridge(o.Options)
	defer b.Close()
	return stdio.Serve(ctx, rpc.NewServer(b), o.In, o.Out)
}

// ServeHTTP speaks streamable HTTP at http.Path until ctx is done (its cause) or the listener fails. In, Out and Origin
// are not used: a remote client is known only by the name that it gives.
func ServeHTTP(ctx context.Context, o Options, h http.Options) error {
	o.Origin = queue.Origin{}
	b := call.NewBridge(o.Options)
	defer b.Close()
	return http.Serve(ctx, b, h)
}
