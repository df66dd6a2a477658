package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/queue"
)

// errClosed ends a call because its connection is gone: nobody withdrew the question.
var errClosed = errors.New("connection closed")

// withdrawn ends a call because the client cancelled it.
type withdrawn struct{ reason string }

func (w *withdrawn) Error() string { return "cancelled by the client: " + w.reason }

// timedOut reports whether the client merely lost patience (facts: TypeScript SDK, rmcp, gemini; Go clients give their
// context's error): then the question stays, and the same ask again takes it over. Any other cancel is meant.
func (w *withdrawn) timedOut() bool {
	reason := strings.ToLower(w.reason)
	return slices.ContainsFunc([]string{"timed out", "request timeout", "deadline exceeded"}, func(words string) bool {
		return strings.Contains(reason, words)
	})
}

// call is one request in flight on the connection.
type call struct {
	key       string
	ctx       context.Context
	cancel    context.CancelCauseFunc
	withdrawn *withdrawn // guarded by the loop's mutex
	reply     reply
}

// reply is the tool's hold on its own response. Only the goroutine that serves the call touches it.
type reply struct {
	id     json.RawMessage
	unsaid bool // the caller is gone: write nothing
	// peer, agent and instance are the call's own over HTTP; on stdio there is one client, Options.Origin knows its
	// agent, and this process is its presence.
	peer            peer
	agent, instance string
	opened          func(ctx context.Context, q *queue.Queue) // told before anything is done in the queue
	// asked is the session the call stands for, once there is one; bound, that it does not outlive the call.
	asked string
	bound bool
	// after runs once, when the response was written (nil) or will never be (*withdrawn, errClosed, a write error).
	after func(err error)
}

type replyKey struct{}

func replyFrom(ctx context.Context) *reply {
	r, _ := ctx.Value(replyKey{}).(*reply)
	if r == nil {
		return &reply{}
	}
	return r
}

// peer is the transport's side of a call: who asks, and the way to tell them that it is alive.
type peer interface {
	GetClientInfo() mcp.Implementation
	// progress returns when the message is on its way, so that the result cannot overtake it.
	progress(token any, value float64, message string)
}

// peerOf is the peer of this call, or the connection's only one.
func (r *reply) peerOf(only peer) peer {
	if r.peer != nil {
		return r.peer
	}
	return only
}
