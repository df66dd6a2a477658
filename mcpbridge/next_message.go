package mcpbridge

import (
	"context"
	"errors"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// listening is one next_message call. One goroutine owns it.
//
//	wait ─ a message for this agent, and nothing closes chat ─► Take (claim) ─► result ─► written? ─┬ Deliver, archive
//	                                                                                                └ Release
//
// A message is taken by compare-and-swap, so one call alone gets it, and delivered only once its result was written:
// if this process dies in between, the next call gets it again. It is never lost, and doubled only by that crash.
type listening struct {
	bridge *bridge
	client peer
	reply  *reply
	origin queue.Origin
	claim  queue.Claim
	token  any
	roster *roster
}

// nextMessage serves the tool.
func (b *bridge) nextMessage(only peer) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		r := replyFrom(ctx)
		c := r.peerOf(only)
		l := &listening{bridge: b, client: c, reply: r, origin: b.origin(dialect.Dialect{Tool: dialect.NextMessage}, c, r)}
		l.claim = queue.Claim{Instance: b.instance, Conn: queue.NewToken()}
		if req.Params.Meta != nil {
			l.token = req.Params.Meta.ProgressToken
		}
		res := l.serve(ctx, req.Params.RawArguments)
		return &mcp.CallToolResult{
			Content: []mcp.Content{mcp.NewTextContent(res.Text)}, StructuredContent: res.Structured, IsError: res.IsError,
		}, nil
	}
}

func (l *listening) serve(ctx context.Context, raw []byte) dialect.Result {
	wait, err := dialect.ParseNextMessage(raw)
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return dialect.FailNextMessage(dialect.Invalid(bad.Problems))
	}
	if l.roster, err = l.bridge.open(ctx); err != nil {
		return dialect.FailNextMessage(dialect.Failure{Code: dialect.CodeUnavailable, Message: "The queue cannot be used: " + err.Error()})
	}
	soft := softLimit(l.bridge.o.Settings(), l.origin.Client, l.token != nil)
	if wait != nil {
		soft = *wait
	}
	looks := wait != nil && *wait == 0
	if !looks {
		defer l.announce(ctx)()
	}
	s, closing, ok := l.wait(ctx, soft, looks)
	switch {
	case ok:
		l.answerFor(ctx, s)
		return dialect.RenderMessage(s)
	case ctx.Err() != nil:
		l.reply.unsaid = true
		return dialect.Result{}
	}
	return dialect.RenderNoMessage(closing)
}

// announce shows the person that this agent listens. Nothing depends on it.
func (l *listening) announce(ctx context.Context) (over func()) {
	step, cancel := stepContext(ctx)
	defer cancel()
	release, err := l.roster.q.Store.Announce(step, queue.Presence{
		Instance: l.bridge.instance + "-" + l.claim.Conn, Role: queue.RoleListener, Origin: &l.origin,
	})
	if err != nil {
		l.bridge.logf("failed to show that the agent listens: %v", err)
		return func() {}
	}
	return func() { _ = release() }
}

// wait returns the next message, claimed, or how many questions close chat when patience or the call ended.
func (l *listening) wait(ctx context.Context, soft time.Duration, looks bool) (s queue.Session, closing int, ok bool) {
	q, board := l.roster.q, l.roster.board
	bell, hush := board.listen()
	defer hush()
	started, beats := q.Now(), 0
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		var ids []string
		var look time.Time
		ids, closing, look = board.mail(l.origin)
		if closing == 0 {
			if s, ok = l.takeFirst(ctx, ids); ok {
				return s, 0, true
			}
		}
		now := q.Now()
		if looks || soft > 0 && now.Sub(started) >= soft {
			return queue.Session{}, closing, false
		}
		if l.token != nil && now.Sub(started) >= beatAt(beats) {
			beats++
			l.client.progress(l.token, float64(beats), "listening for a message from the person")
		}
		sleep := glance
		if !look.IsZero() {
			sleep = min(sleep, look.Sub(now))
		}
		if soft > 0 {
			sleep = min(sleep, started.Add(soft).Sub(now))
		}
		if l.token != nil {
			sleep = min(sleep, started.Add(beatAt(beats)).Sub(now))
		}
		timer.Reset(max(sleep, leastSleep))
		select {
		case <-ctx.Done():
		case <-bell:
		case <-timer.C:
		}
	}
	return queue.Session{}, closing, false
}

// takeFirst claims the first of these messages that nobody else holds, over a holder that is dead.
func (l *listening) takeFirst(ctx context.Context, ids []string) (queue.Session, bool) {
	for _, id := range ids {
		take := queue.Take{Claim: l.claim}
		step, cancel := stepContext(ctx)
		s, err := l.roster.q.Store.Get(step, id)
		cancel()
		if err != nil {
			continue
		}
		if s.Claim != nil && !l.runs(ctx, s.Claim.Instance) {
			take.Over = *s.Claim
		}
		if s, err = l.do(ctx, id, take); err == nil && s.Outcome == nil {
			return s, true
		}
		if err != nil && !errors.Is(err, queue.ErrUsed) && !errors.Is(err, queue.ErrFinal) {
			l.bridge.logf("failed to fetch message %s: %v", id, err)
		}
	}
	return queue.Session{}, false
}

// runs asks the store itself: the watch may not yet know of a process that has just started.
func (l *listening) runs(ctx context.Context, instance string) bool {
	step, cancel := stepContext(ctx)
	defer cancel()
	list, err := l.roster.q.Store.Present(step)
	if err != nil {
		return true
	}
	for _, p := range list {
		if p.Instance == instance {
			return true
		}
	}
	return instance == l.bridge.instance
}

// answerFor settles what becomes of the message once its result was written, or could not be.
func (l *listening) answerFor(ctx context.Context, s queue.Session) {
	l.reply.after = func(err error) {
		ctx := context.WithoutCancel(ctx)
		if err != nil {
			if _, err := l.do(ctx, s.ID, queue.Release{Claim: l.claim}); err != nil {
				l.bridge.logf("failed to give message %s back: %v", s.ID, err)
			}
			return
		}
		done, err := l.do(ctx, s.ID, queue.Deliver{Claim: l.claim, Surface: queue.SurfaceMCP})
		if err != nil {
			l.bridge.logf("failed to note that message %s was delivered: %v", s.ID, err)
			return
		}
		step, cancel := stepContext(ctx)
		defer cancel()
		if err := l.roster.q.Store.Archive(step, done); err != nil {
			l.bridge.logf("failed to archive message %s: %v", s.ID, err)
		}
	}
}

func (l *listening) do(ctx context.Context, id string, a queue.Action) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	return l.roster.q.Do(step, id, queue.Command{ID: queue.NewToken(), By: queue.ByCaller, Surface: queue.SurfaceClient, Do: a})
}
