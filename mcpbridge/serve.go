// Package mcpbridge is the agents' side: an MCP server that puts what agents ask into the queue and waits there
// for the person.
//
//	line ─► loop ─► mcp-go ─► bridge.serve ─► dialect.Parse ─► fill (settings) ─► enter (join or create)
//	                                                                                  │ claim
//	line ◄─ loop ◄─ mcp-go ◄─ dialect.Render ◄─ wait ◄─ roster (one watch over the store)
//	             └─► reply.after: collect when it was written, release or withdraw when it was not
//
// The caller is a waiter, not the owner: whatever happens to the call, the question lives by its own deadline.
// Nothing is created, opened or announced before the first call that needs the queue.
package mcpbridge

import (
	"context"
	"io"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// Options is what a bridge needs from the command that starts it. Open, In and Out are required.
type Options struct {
	// Open opens the queue. It is called at the first call that needs it, and again after an error.
	Open func() (*queue.Queue, error)
	// Settings returns the settings in force now; nil means the defaults.
	Settings func() config.Settings
	// AttachCommand is the shell command that opens a session's form; nil means `choicetui attach ID`.
	AttachCommand func(id string) string
	Version       string
	In            io.Reader
	Out           io.Writer    // the protocol's alone: the command must point os.Stdout elsewhere
	Log           io.Writer    // one line per thing that went wrong and that nobody else is told; nil: dropped
	Origin        queue.Origin // what the command knows of the agent; see ProcessOrigin
	// Count is told how many questions wait, until the bridge ends; what it leaves behind, the caller has to count. It
	// must not block; nil: nobody wants to know.
	Count func(n int)
}

// Serve speaks MCP over newline-delimited JSON until In ends (nil) or ctx is done (its cause). It returns at once
// then: questions stay in the queue, their claims are released.
func Serve(ctx context.Context, o Options) error {
	b := newBridge(o)
	defer b.close()
	out := &output{w: b.o.Out}
	l := &loop{client: newClient(out), out: out, calls: map[string]*call{}}
	l.srv = newServer(b, l.client)
	return l.run(ctx, o.In)
}

// newServer offers every dialect as a tool; only is the peer of all calls that bring none of their own.
func newServer(b *bridge, only peer) *server.MCPServer {
	srv := server.NewMCPServer("choicetui", b.o.Version,
		server.WithTitle("choicetui"), server.WithInstructions(instructions),
		server.WithToolCapabilities(false), server.WithRecovery())
	for _, d := range dialect.All() {
		srv.AddTool(tool(d.Tool), b.handler(d, only))
	}
	srv.AddTool(tool(dialect.NextMessage), b.nextMessage(only))
	return srv
}

// tool is a dialect's offer. Codex refuses a tool that is neither read-only nor closed-world and harmless; asking
// changes nothing but the person's queue.
func tool(t dialect.Tool) mcp.Tool {
	yes, no := true, false
	out := mcp.NewToolWithRawSchema(t.Name, t.Description, t.Input)
	out.Title, out.RawOutputSchema = t.Title, t.Output
	out.Annotations = mcp.ToolAnnotation{
		Title: t.Title, ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no,
	}
	return out
}

// instructions reach the model's prompt in most clients (facts/mcp.md); the tool's description says the same.
const instructions = `choicetui brings questions to the one person who decides, and brings back the answer.

- Ask (provide_choice) whenever more than two ways forward are open, an action is destructive or hard to undo, or required configuration is missing. Do not assume a default instead.
- requestUserChoice, ask_user_question and hitl_request ask the same person in other formats: take the one you know. hitl_request is for what must be confirmed.
- Put the context of the current task and the reason for asking into the prompt: the person sees questions from several agents at once.
- Never choose for the person. "cancelled" and "timeout" mean that nothing was chosen: do not go on with any of the options.
- "pending_terminal_launch" (or "pending") means that there is no answer yet. If there is a command in selection.url, run it in a terminal. Then call poll_selection (or provide_choice) with the session_id. Do not choose yourself.
- Terminal sessions are single-use: the command works once, a result is fetched once, a retry is a new ask.
- Notes and comments in a result are the person's instructions: read them before you go on.
- The person can write to you: next_message waits for their next line. Call it when you have nothing to do until they say something; on "pending" call it again.`

// handler serves one dialect's tool calls.
func (b *bridge) handler(d dialect.Dialect, only peer) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := replyFrom(ctx)
		c := r.peerOf(only)
		v := &visit{bridge: b, client: c, dialect: d, reply: r, origin: b.origin(d, c, r)}
		v.claim = queue.Claim{Instance: b.instance, Conn: queue.NewToken()}
		if req.Params.Meta != nil {
			v.token = req.Params.Meta.ProgressToken
		}
		res := v.serve(ctx, req.Params.RawArguments)
		return &mcp.CallToolResult{
			Content: []mcp.Content{mcp.NewTextContent(res.Text)}, StructuredContent: res.Structured, IsError: res.IsError,
		}, nil
	}
}
