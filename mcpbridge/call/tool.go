package call

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// Instructions tells a model when and how to ask. Most clients put it into the prompt. The descriptions of the tools
// say the same.
//
//go:embed instructions.md
var Instructions string

// Tool describes a tool for clients, and has the function that serves its calls.
type Tool struct {
	mcp.Tool
	Serve func(ctx context.Context, r *Reply, params mcp.CallToolParams) (*mcp.CallToolResult, error)
}

// Tools returns the bridge's tools: one for each dialect, next_message and submit_summary.
func (b *Bridge) Tools() (all []Tool) {
	add := func(t dialect.Tool, serve serveFunc) {
		all = append(all, Tool{describeTool(t), b.serveTool(t.Name, serve)})
	}
	for _, d := range dialect.All() {
		add(d.Tool, func(ctx context.Context, c *toolCall, raw json.RawMessage) dialect.Result {
			return (&question{toolCall: c, dialect: d}).serve(ctx, raw)
		})
	}
	add(dialect.NextMessage, func(ctx context.Context, c *toolCall, raw json.RawMessage) dialect.Result {
		return (&nextMessage{toolCall: c}).serve(ctx, raw)
	})
	add(dialect.SubmitSummary, func(ctx context.Context, c *toolCall, raw json.RawMessage) dialect.Result {
		return (&submission{toolCall: c}).serve(ctx, raw)
	})
	return all
}

// Version returns this program's version, which clients are told.
func (b *Bridge) Version() string { return b.o.Version }

// Listed tells the command that an agent has received the list of tools.
func (b *Bridge) Listed() {
	if b.o.Listed != nil {
		b.o.Listed()
	}
}

// describeTool returns the description of a tool for clients. Codex refuses tools that are not marked as read-only, or
// as harmless and without access to other systems. Asking changes only the person's queue.
func describeTool(t dialect.Tool) mcp.Tool {
	yes, no := true, false
	out := mcp.NewToolWithRawSchema(t.Name, t.Description(), t.Input())
	out.Title, out.RawOutputSchema = t.Title, t.Output()
	out.Annotations = mcp.ToolAnnotation{
		Title: t.Title, ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no,
	}
	return out
}

// serveFunc returns the result of a call with these arguments.
type serveFunc func(ctx context.Context, c *toolCall, arguments json.RawMessage) dialect.Result

// serveTool returns the function that serves the calls of one tool. It recovers from panics and adds the person's lines
// to results.
func (b *Bridge) serveTool(
	tool string, serve serveFunc,
) func(context.Context, *Reply, mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, r *Reply, params mcp.CallToolParams) (_ *mcp.CallToolResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				b.logf("panic while a call was served: %v", p)
				err = ErrPanicked
			}
		}()
		c := &toolCall{
			bridge: b, reply: r, origin: b.origin(tool, r),
			claim: queue.Claim{Instance: b.instance, Conn: queue.NewToken()},
		}
		if params.Meta != nil {
			c.token = params.Meta.ProgressToken
			c.origin.Thread, c.origin.ToolUse = threadIn(params.Meta), toolUseIn(params.Meta)
		}
		res := c.carryLines(ctx, tool, serve(ctx, c, params.RawArguments))
		content := []mcp.Content{mcp.NewTextContent(res.Text)}
		for _, line := range res.Lines {
			content = append(content, mcp.NewTextContent(line))
		}
		return &mcp.CallToolResult{Content: content, StructuredContent: res.Structured, IsError: res.IsError}, nil
	}
}
