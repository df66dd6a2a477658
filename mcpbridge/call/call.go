package call

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// storeWithin limits one step in the store. The step continues after the call is cancelled, so that its result is
// known.
const storeWithin = 30 * time.Second

// call is one tool call that may wait, from its arguments to its result: a question or a next_message. One goroutine
// owns it.
type call struct {
	bridge *Bridge
	reply  *Reply
	origin queue.Origin
	claim  queue.Claim
	token  any    // the client's progress token; nil: it wants no progress
	watch  *watch // nil until the queue is open
	hears  bool   // next_message: it waits for a line, by rules of its own
}

// serveFunc turns the arguments of a call into its result.
type serveFunc func(ctx context.Context, c *call, arguments json.RawMessage) dialect.Result

// ErrPanicked is all that a client is told of a call that panicked; the log has the rest.
var ErrPanicked = errors.New("the call could not be served")

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

// origin identifies the agent that asks in this call. It reads the branch again each time: agents switch it while they
// run.
func (b *Bridge) origin(ctx context.Context, tool string, r *Reply) queue.Origin {
	o := b.o.Origin
	o.Dialect, o.Instance, o.CallID = tool, b.instance, callID(r.ID)
	if o.Cwd != "" {
		o.Branch = Branch(o.Cwd)
	}
	if r.Agent != "" {
		o.Agent = r.Agent
	}
	if r.Instance != "" {
		o.Instance = r.Instance
	}
	if client, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok {
		info := client.GetClientInfo()
		o.Client, o.Version = info.Name, info.Version
	}
	return o
}

func callID(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// openQueue makes the queue usable; nothing was created or announced before the first call that comes here.
func (c *call) openQueue(ctx context.Context) (err error) {
	if c.watch, err = c.bridge.openWatch(ctx); err == nil && c.reply.Opened != nil {
		c.reply.Opened(ctx, c.watch.q)
	}
	return err
}

// do applies a command of the caller's, or of the clock's, to a session.
func (c *call) do(ctx context.Context, id, by string, a queue.Action) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	return c.watch.q.Do(step, id, queue.Command{ID: queue.NewToken(), By: by, Surface: queue.SurfaceClient, Do: a})
}

// readSession reads a session. Where an agent may not see the history, what is in it is not there.
func (c *call) readSession(ctx context.Context, id string) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	s, err := c.watch.q.Store.Get(step, id)
	if errors.Is(err, queue.ErrRefused) {
		err = queue.ErrNotFound
	}
	return s, err
}

// archive takes a session that is over out of the live ones; kind is its name in the log.
func (c *call) archive(ctx context.Context, kind string, s queue.Session) {
	step, cancel := stepContext(ctx)
	defer cancel()
	if err := c.watch.q.Store.Archive(step, s); err != nil {
		c.bridge.logf("failed to archive %s %s: %v", kind, s.ID, err)
	}
}

// presence says which processes run now. Few callers need more than whether a dashboard is open, so the rest is read on
// demand.
type presence struct {
	dashboard bool
	runs      func(instance string) bool
}

// present asks the store itself: the watch may not yet know of a process that has just started. After an error
// everybody counts as alive, so that nothing is taken over, and a dashboard as open, so that the call waits.
func (c *call) present(ctx context.Context) presence {
	step, cancel := stepContext(ctx)
	defer cancel()
	open, err := c.watch.q.DashboardOpen(step)
	c.logUnseen(err)
	others := sync.OnceValue(func() func(string) bool {
		step, cancel := stepContext(ctx)
		defer cancel()
		runs, err := c.watch.q.Running(step)
		if c.logUnseen(err); err != nil {
			return func(string) bool { return true }
		}
		return runs
	})
	return presence{dashboard: err != nil || open, runs: func(instance string) bool {
		return instance == c.bridge.instance || others()(instance)
	}}
}

func (c *call) logUnseen(err error) {
	if err != nil {
		c.bridge.logf("failed to see who runs: %v", err)
	}
}

// takeSession claims a session for this call, over a holder that is dead or has ended.
func (c *call) takeSession(
	ctx context.Context, s queue.Session, by queue.Origin, runs func(instance string) bool,
) (queue.Session, error) {
	take := queue.Take{Claim: c.claim, Origin: by}
	if s.Claim != nil && !c.bridge.owed.held(s.Claim, runs) {
		take.Over = *s.Claim
	}
	return c.do(ctx, s.ID, queue.ByCaller, take)
}

func stepContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
}
