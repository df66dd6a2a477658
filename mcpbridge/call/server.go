package call

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
)

// NewServer is the library's server, which offers every dialect as a tool. A transport hands it messages in a context
// that WithReply made.
func NewServer(b *Bridge) *server.MCPServer {
	srv := server.NewMCPServer("choicetui", b.o.Version,
		server.WithTitle("choicetui"), server.WithInstructions(instructions),
		server.WithToolCapabilities(false), server.WithRecovery())
	for _, d := range dialect.All() {
		srv.AddTool(offer(d.Tool), b.handle(d.Tool.Name, func(ctx context.Context, c *call, raw json.RawMessage) dialect.Result {
			q := &question{call: c, dialect: d}
			return q.serve(ctx, raw)
		}))
	}
	srv.AddTool(offer(dialect.NextMessage), b.handle(dialect.NextMessage.Name, func(ctx context.Context, c *call, raw json.RawMessage) dialect.Result {
		m := &nextMessage{call: c}
		return m.serve(ctx, raw)
	}))
	return srv
}

// offer is how a tool is shown to clients. Codex refuses one that is neither read-only nor closed-world and harmless;
// asking changes nothing but the person's queue.
func offer(t dialect.Tool) mcp.Tool {
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
