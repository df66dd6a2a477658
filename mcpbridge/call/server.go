package call

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// NewServer returns the library's server, which offers every dialect as a tool. A transport hands it messages in a
// context that WithReply made.
func NewServer(b *Bridge) *server.MCPServer {
	hooks := &server.Hooks{}
	if listed := b.o.Listed; listed != nil {
		hooks.AddAfterListTools(func(context.Context, any, *mcp.ListToolsRequest, *mcp.ListToolsResult) { listed() })
	}
	srv := server.NewMCPServer("choicetui", b.o.Version,
		server.WithTitle("choicetui"), server.WithInstructions(instructions),
		server.WithToolCapabilities(false), server.WithHooks(hooks))
	add := func(t dialect.Tool, serve serveFunc) { srv.AddTool(offer(t), b.handle(t.Name, serve)) }
	for _, d := range dialect.All() {
		add(d.Tool, func(ctx context.Context, c *call, raw json.RawMessage) dialect.Result {
			return (&question{call: c, dialect: d}).serve(ctx, raw)
		})
	}
	add(dialect.NextMessage, func(ctx context.Context, c *call, raw json.RawMessage) dialect.Result {
		return (&nextMessage{call: c}).serve(ctx, raw)
	})
	add(dialect.SubmitSummary, func(ctx context.Context, c *call, raw json.RawMessage) dialect.Result {
		return (&submission{call: c}).serve(ctx, raw)
	})
	return srv
}

// offer describes a tool to clients. Codex refuses a tool that is neither read-only nor closed-world and harmless;
// asking changes nothing but the person's queue.
func offer(t dialect.Tool) mcp.Tool {
	yes, no := true, false
	out := mcp.NewToolWithRawSchema(t.Name, t.Description(), t.Input())
	out.Title, out.RawOutputSchema = t.Title, t.Output()
	out.Annotations = mcp.ToolAnnotation{
		Title: t.Title, ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no,
	}
	return out
}

// instructions reach the model's prompt in most clients; the tool's description says the same.
//
//go:embed instructions.md
var instructions string

// serveFunc turns the arguments of a call into its result.
type serveFunc func(ctx context.Context, c *call, arguments json.RawMessage) dialect.Result

// handle serves one tool's calls.
func (b *Bridge) handle(tool string, serve serveFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (_ *mcp.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				b.logf("panic while a call was served: %v", p)
				err = ErrPanicked
			}
		}()
		r := replyFrom(ctx)
		c := &call{
			bridge: b, reply: r, origin: b.origin(ctx, tool, r),
			claim: queue.Claim{Instance: b.instance, Conn: queue.NewToken()},
		}
		if req.Params.Meta != nil {
			c.token = req.Params.Meta.ProgressToken
			c.origin.Thread = threadIn(req.Params.Meta)
		}
		res := c.carryLines(ctx, tool, serve(ctx, c, req.Params.RawArguments))
		content := []mcp.Content{mcp.NewTextContent(res.Text)}
		for _, line := range res.Lines {
			content = append(content, mcp.NewTextContent(line))
		}
		return &mcp.CallToolResult{Content: content, StructuredContent: res.Structured, IsError: res.IsError}, nil
	}
}
