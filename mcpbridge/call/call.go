package call

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// storeWithin limits one step in the store. A step continues after its call was cancelled, so that its result is known.
const storeWithin = 30 * time.Second

// toolCall is the common part of the calls of all tools. Only one goroutine uses it.
type toolCall struct {
	bridge *Bridge
	reply  *Reply
	origin queue.Origin
	client Client // what is known of the client that calls
	claim  queue.Claim
	token  any    // the client's progress token; nil: the client wants no progress
	watch  *watch // nil until the queue is open
	// listens is set by next_message, which fetches the person's lines itself.
	listens bool
}

// ErrPanicked is returned to the client of a call that panicked. The details are in the log.
var ErrPanicked = errors.New("the call could not be served")

// openQueue opens the queue at the first call that needs it, and tells the transport.
func (c *toolCall) openQueue(ctx context.Context) (err error) {
	if c.watch, err = c.bridge.openWatch(ctx); err == nil && c.reply.Opened != nil {
		c.reply.Opened(ctx, c.watch.q)
	}
	return err
}

// doAction applies an action of the caller or of the clock (by) to a session.
func (c *toolCall) doAction(ctx context.Context, id, by string, a queue.Action) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	return c.watch.q.Do(step, id, queue.Command{ID: queue.NewToken(), By: by, Surface: queue.SurfaceClient, Do: a})
}

// readSession reads a session. The error is queue.ErrNotFound also for a session that this agent may not see.
func (c *toolCall) readSession(ctx context.Context, id string) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	s, err := c.watch.q.Store.Get(step, id)
	if errors.Is(err, queue.ErrRefused) {
		err = queue.ErrNotFound
	}
	return s, err
}

// archive moves a session that is over to the history, unless its team must still be told. kind names the session in
// the log.
func (c *toolCall) archive(ctx context.Context, kind string, s queue.Session) {
	if !s.Closed() {
		return
	}
	step, cancel := stepContext(ctx)
	defer cancel()
	if err := c.watch.q.Store.Archive(step, s); err != nil {
		c.bridge.logf("failed to archive %s %s: %v", kind, s.ID, err)
	}
}

// presence tells which processes run.
type presence struct {
	dashboard bool                       // a dashboard is open
	runs      func(instance string) bool // reads the store at its first use, because few callers need it
}

// readPresence reads the store, because the watch may not yet know of a process that has just started. After an error
// every process counts as running and a dashboard as open, so that no claim is taken over and the call waits.
func (c *toolCall) readPresence(ctx context.Context) presence {
	step, cancel := stepContext(ctx)
	defer cancel()
	open, err := c.watch.q.DashboardOpen(step)
	c.logPresenceError(err)
	others := sync.OnceValue(func() func(string) bool {
		step, cancel := stepContext(ctx)
		defer cancel()
		runs, err := c.watch.q.Running(step)
		if c.logPresenceError(err); err != nil {
			return func(string) bool { return true }
		}
		return runs
	})
	return presence{dashboard: err != nil || open, runs: func(instance string) bool {
		return instance == c.bridge.instance || others()(instance)
	}}
}

// logPresenceError logs the error of reading the running processes.
func (c *toolCall) logPresenceError(err error) {
	if err != nil {
		c.bridge.logf("failed to see who runs: %v", err)
	}
}

// takeClaim claims a session for this call. It takes the claim over from a process that is dead, or from a call that
// has released it.
func (c *toolCall) takeClaim(
	ctx context.Context, s queue.Session, take queue.Take, runs func(instance string) bool,
) (queue.Session, error) {
	if s.Claim != nil && !c.bridge.isHeld(s.Claim, runs) {
		take.Over = *s.Claim
	}
	return c.doAction(ctx, s.ID, queue.ByCaller, take)
}

// stepContext returns a context for one step in the store. The step is not cancelled together with ctx.
func stepContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
}

// finish applies the last action of a call to its session, after the result was written or could not be. If the store's
// server does not answer, finish tries again in the background until this process ends. A released claim counts as not
// held at once. then is called after the action was stored. problem is the format of the log's line if it cannot be
// stored.
func (c *toolCall) finish(ctx context.Context, id string, a queue.Action, then func(queue.Session), problem string) {
	if release, ok := a.(queue.Release); ok {
		c.bridge.released.Store(release.Claim, true)
	}
	cmd := queue.Command{ID: queue.NewToken(), By: queue.ByCaller, Surface: queue.SurfaceClient, Do: a}
	if c.finishOnce(ctx, id, cmd, then, problem) {
		return
	}
	c.bridge.logf(problem+": it is done when the queue is there again", id, queue.ErrUnreachable)
	go func() {
		for {
			select {
			case <-c.watch.life.Done():
				return
			case <-time.After(rewatch):
			}
			if c.finishOnce(ctx, id, cmd, then, problem) {
				return
			}
		}
	}()
}

// finishOnce tries once to apply the action of finish. It reports false if the store's server did not answer, so that
// finish must try again.
func (c *toolCall) finishOnce(
	ctx context.Context, id string, cmd queue.Command, then func(queue.Session), problem string,
) bool {
	step, cancel := stepContext(ctx)
	defer cancel()
	s, err := c.watch.q.Do(step, id, cmd)
	if errors.Is(err, queue.ErrUnreachable) {
		return false
	}
	release, releases := cmd.Do.(queue.Release)
	if releases {
		c.bridge.released.Delete(release.Claim)
	}
	switch final := errors.Is(err, queue.ErrFinal); {
	case err == nil && then != nil:
		then(s)
	case err != nil && !(final && releases):
		c.bridge.logf(problem, id, err)
	}
	return true
}

// isHeld reports whether a running process holds a claim. A claim that a call of this bridge has released is not held.
func (b *Bridge) isHeld(claim *queue.Claim, runs func(instance string) bool) bool {
	if claim == nil {
		return false
	}
	_, released := b.released.Load(*claim)
	return !released && runs(claim.Instance)
}

// ErrClosed ends a call whose connection is gone. Its question is not withdrawn.
var ErrClosed = errors.New("connection closed")

// Withdrawn ends a call that the client cancelled.
type Withdrawn struct{ Reason string }

func (w *Withdrawn) Error() string { return "cancelled by the client: " + w.Reason }

// note returns the client's reason, cut to the length that the queue allows.
func (w *Withdrawn) note() string { return queue.Shorten(w.Reason, queue.MaxNote, "") }

// timedOut reports whether the client cancelled only because its own time limit was over. Then the question stays, and
// the same ask joins it.
func (w *Withdrawn) timedOut() bool { return queue.LostPatience(w.Reason) }

// Reply connects a transport and one call. The exported fields are set before the call. Only the goroutine that serves
// the call uses a Reply until the call has its result, and only the transport after that.
type Reply struct {
	// ID is the id of the request as it was received.
	ID json.RawMessage
	// Progress tells the client that its call is alive. It returns when the message cannot be overtaken by the result.
	Progress func(token any, value float64, message string)
	// Notify writes a notification ahead of the response; nil: the transport cannot.
	Notify func(notification any)
	// Agent and Instance name the calling agent if the transport serves many. They are empty on stdio: there
	// Options.Origin describes the one agent, and the agent runs as long as this process.
	Agent, Instance string
	// Client is the name and version with which the client introduced itself; nil: it did not.
	Client *mcp.Implementation
	// Opened is called before the call uses the queue. It may be nil.
	Opened func(ctx context.Context, q *queue.Queue)

	session    string
	callerGone bool
	ended      func(err error)
}

// Session returns the id of the call's session in the queue; empty: nobody was asked.
func (r *Reply) Session() string { return r.session }

// CallerGone reports whether the caller is gone, so that no result is written.
func (r *Reply) CallerGone() bool { return r.callerGone }

// End ends the call. The transport calls it once, with nil after the result was written, or with the reason why it
// cannot be: a *Withdrawn, ErrClosed, or the error of the write. The session is then collected, withdrawn or released.
func (r *Reply) End(err error) {
	if r.ended != nil {
		r.ended(err)
	}
}

// atEnd registers a function that End calls. Functions run in the reverse order of their registration.
func (r *Reply) atEnd(do func(err error)) {
	before := r.ended
	r.ended = func(err error) {
		do(err)
		if before != nil {
			before(err)
		}
	}
}

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

// describeTool returns the description of a tool for clients. Some refuse tools that are not marked as read-only, or as
// harmless and without access to other systems. Asking changes only the person's queue.
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
		c.client = b.client(c.origin.Client)
		if params.Meta != nil {
			c.token = params.Meta.ProgressToken
			c.origin.Thread, c.origin.ToolUse = c.client.names(params.Meta.AdditionalFields)
		}
		res := c.carryLines(ctx, tool, serve(ctx, c, params.RawArguments))
		content := []mcp.Content{mcp.NewTextContent(res.Text)}
		for _, line := range res.Lines {
			content = append(content, mcp.NewTextContent(line))
		}
		return &mcp.CallToolResult{Content: content, StructuredContent: res.Structured, IsError: res.IsError}, nil
	}
}
