package call

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// Lines of the person's go to the agent with the result of any call of its, or with that of next_message:
//
//	pending? ─ no question of this agent ─► takeLine: Take, with Writing ─► result ─► written? ─┬ yes: Deliver
//	                                                                                            └ no: Release
//
// A line is claimed by compare-and-swap right before its result is written, so one result alone holds it. If this
// process dies after that, nobody knows whether the agent read it: no other call takes it over, and the queue says that
// it was perhaps delivered. So it is given at most once, and is never gone without a word.

const (
	// mostCarried limits the bytes of lines in one result, apart from its first line: clients cut long results.
	mostCarried = 16 << 10
	// carryWithin bounds the look for lines: an answer does not wait longer for that.
	carryWithin = time.Second
)

// carryLines adds the lines that wait for this agent to a result of a tool.
func (c *call) carryLines(ctx context.Context, tool string, res dialect.Result) dialect.Result {
	if c.watch == nil { // a refusal that needed no queue; it may be open all the same
		if u := c.bridge.used.Load(); u != nil {
			c.watch = u.watch
		}
	}
	if c.watch == nil || c.hears || c.reply.unsaid || ctx.Err() != nil {
		return res
	}
	var lines []queue.Session
	size := 0
	for _, id := range c.linesDue(ctx) {
		s, ok := c.takeLine(ctx, id)
		if !ok {
			continue
		}
		lines = append(lines, s)
		if size += len(s.Ask.Prompt); size >= mostCarried {
			break
		}
	}
	if len(lines) == 0 {
		return res
	}
	c.endLines(ctx, tool, lines...)
	return res.With(lines)
}

// linesDue returns the ids of the messages that this agent may have now, oldest first. It returns none while a question
// of the agent's own is pending, even one that it asked elsewhere, unless that question's caller has been gone for
// GoneGrace.
func (c *call) linesDue(ctx context.Context) (ids []string) {
	if c.watch.sees() == scopeEverything && c.watch.trouble() == nil {
		if ids, _, _ := c.watch.messagesFor(c.origin); len(ids) == 0 {
			return nil
		}
	}
	step, cancel := context.WithTimeout(ctx, carryWithin)
	defer cancel()
	pending, _, err := c.watch.q.Store.Pending(step) // the watch may lag behind a question that was just asked
	if err != nil {
		c.bridge.logf("failed to see whether lines wait for the agent: %v", err)
		return nil
	}
	if !slices.ContainsFunc(pending, queue.Session.IsMessage) {
		return nil
	}
	now, runs := c.watch.q.Now(), c.present(ctx).runs
	var lines []queue.Session
	for _, s := range pending {
		switch s = s.At(now); {
		case s.IsMessage():
			if s.MessageFor(c.origin, runs) {
				lines = append(lines, s)
			}
		case !s.Pending() || !s.Origin.SameAgent(c.origin):
		case !s.Gone(runs) || now.Sub(s.GoneSince()) < queue.GoneGrace:
			return nil
		}
	}
	slices.SortFunc(lines, func(a, b queue.Session) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, s := range lines {
		ids = append(ids, s.ID)
	}
	return ids
}

// lineClaim returns the call's claim on lines.
func (c *call) lineClaim() queue.Claim {
	return queue.Claim{Instance: c.claim.Instance, Conn: c.claim.Conn, Writing: true}
}

// takeLine claims a message for the result of this call, over a holder that died before it gave it to anybody. ok
// false: somebody else has it, or had it.
func (c *call) takeLine(ctx context.Context, id string) (s queue.Session, ok bool) {
	runs := func(instance string) bool { return c.present(ctx).runs(instance) }
	s, err := c.readSession(ctx, id)
	switch {
	case err != nil:
		return s, false
	case s.Unsure(runs):
		if err := c.watch.q.Sweep(ctx, []queue.Session{s}); err != nil {
			c.bridge.logf("failed to note that message %s is in doubt: %v", id, err)
		}
		return s, false
	}
	take := queue.Take{Claim: c.lineClaim()}
	if s.Claim != nil && !c.bridge.owed.held(s.Claim, runs) {
		take.Over = *s.Claim
	}
	s, err = c.do(ctx, id, queue.ByCaller, take)
	switch {
	case err == nil && s.Outcome == nil:
		return s, true
	case err != nil && !errors.Is(err, queue.ErrUsed) && !errors.Is(err, queue.ErrFinal):
		c.bridge.logf("failed to fetch message %s: %v", id, err)
		go c.giveLineBack(context.WithoutCancel(ctx), id) // it may be claimed all the same
	}
	return s, false
}

func (c *call) giveLineBack(ctx context.Context, id string) {
	c.finish(ctx, id, queue.Release{Claim: c.lineClaim()}, nil, "failed to give message %s back: %v")
}

// endLines settles what becomes of claimed messages once the result of a tool was written, or could not be.
func (c *call) endLines(ctx context.Context, tool string, lines ...queue.Session) {
	ctx = context.WithoutCancel(ctx)
	c.reply.atEnd(func(err error) {
		for _, s := range lines {
			if err != nil {
				c.giveLineBack(ctx, s.ID)
				continue
			}
			c.finish(ctx, s.ID, queue.Deliver{Claim: c.lineClaim(), Surface: queue.SurfaceMCP, Detail: tool},
				func(done queue.Session) { c.archive(ctx, "message", done) },
				"failed to note that message %s was delivered: %v")
		}
	})
}
