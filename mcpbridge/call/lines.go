package call

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// A line is a message from the person to an agent, a session of its own in the queue. It reaches the agent with the
// result of any of its calls, or with that of next_message, which waits for one:
//
//	pending? ─ no question of this agent ─► takeLine: Take, with Writing ─► result ─► written? ─┬ yes: Deliver
//	                                                                                            └ no: Release
//
// A line is claimed by compare-and-swap right before its result is written, so only one result contains it. If this
// process dies after that, nobody knows whether the agent read the line. Then no other call takes it over, and the
// queue says that it was perhaps delivered. So a line is delivered at most once and never disappears silently.

const (
	// mostCarried limits the lines in one result: once they have this many bytes, no further line is added. Clients cut
	// long results.
	mostCarried = 16 << 10
	// carryWithin limits the search for lines, so that it delays an answer only briefly.
	carryWithin = time.Second
)

// carryLines adds the lines for this agent to a tool's result.
func (c *toolCall) carryLines(ctx context.Context, tool string, res dialect.Result) dialect.Result {
	if c.watch == nil { // this call did not need the queue, but another one may have opened it
		if u := c.bridge.open.Load(); u != nil {
			c.watch = u.watch
		}
	}
	if c.watch == nil || c.listens || c.reply.callerGone || ctx.Err() != nil {
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
	c.settleLines(ctx, tool, lines...)
	return res.With(lines)
}

// linesDue returns the ids of the messages that this agent may receive now, oldest first. There are none while a
// question of the agent is pending, also one that it asked through another process. A question whose caller has been
// gone for GoneGrace does not count.
func (c *toolCall) linesDue(ctx context.Context) []string {
	if c.watch.currentScope() == scopeEverything && c.watch.err() == nil { // then the watch knows all messages
		if ids, _, _ := c.watch.messagesFor(c.origin); len(ids) == 0 {
			return nil
		}
	}
	step, cancel := context.WithTimeout(ctx, carryWithin)
	defer cancel()
	live, _, err := c.watch.q.Store.Live(step) // the watch may lag behind a question that was just asked
	if err != nil {
		c.bridge.logf("failed to see whether lines wait for the agent: %v", err)
		return nil
	}
	pending := slices.DeleteFunc(live, func(s queue.Session) bool { return s.Outcome != nil })
	if !slices.ContainsFunc(pending, queue.Session.IsMessage) {
		return nil
	}
	now, runs := c.watch.q.Now(), c.readPresence(ctx).runs
	var lines []queue.Session
	for _, s := range pending {
		switch s = s.At(now); {
		case s.IsMessage():
			if s.MessageFor(c.origin, runs) {
				lines = append(lines, s)
			}
		case !s.Pending() || !s.Origin.SameAgent(c.origin):
		case !s.Gone(runs) || now.Sub(s.GoneSince()) < queue.GoneGrace: // a question of this agent
			return nil
		}
	}
	return idsByAge(lines)
}

// lineClaim returns the call's claim on messages.
func (c *toolCall) lineClaim() queue.Claim {
	return queue.Claim{Instance: c.claim.Instance, Conn: c.claim.Conn, Writing: true}
}

// takeLine claims a message for the result of this call. It takes the claim over from a process that died before it
// wrote its result. ok is false if another call has the message or has delivered it.
func (c *toolCall) takeLine(ctx context.Context, id string) (s queue.Session, ok bool) {
	runs := func(instance string) bool { return c.readPresence(ctx).runs(instance) }
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
	s, err = c.takeClaim(ctx, s, queue.Take{Claim: c.lineClaim()}, runs)
	switch {
	case err == nil && s.Outcome == nil:
		return s, true
	case err != nil && !errors.Is(err, queue.ErrUsed) && !errors.Is(err, queue.ErrFinal):
		c.bridge.logf("failed to fetch message %s: %v", id, err)
		go c.giveLineBack(context.WithoutCancel(ctx), id) // the claim may have been stored in spite of the error
	}
	return s, false
}

// giveLineBack releases the call's claim on a message.
func (c *toolCall) giveLineBack(ctx context.Context, id string) {
	c.finish(ctx, id, queue.Release{Claim: c.lineClaim()}, nil, "failed to give message %s back: %v")
}

// settleLines marks claimed messages as delivered after the result of a tool was written, and releases them if it could
// not be written.
func (c *toolCall) settleLines(ctx context.Context, tool string, lines ...queue.Session) {
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

// nextMessage is a call of next_message, which waits for a line from the person.
//
//	look ─ a message for this agent, and no pending question ─► takeLine ─► result ─► written? ─► settleLines
type nextMessage struct {
	*toolCall
	message queue.Session // the claimed message; zero if there is none yet
	closing int           // the number of pending questions, which hold messages back
	outage  outage        // for how long the watch has not been able to read the queue
}

// serve waits for a message to this agent, and returns it as the result of the call.
func (m *nextMessage) serve(ctx context.Context, raw json.RawMessage) dialect.Result {
	wait, err := dialect.ParseNextMessage(raw)
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return dialect.Fail(dialect.Invalid(bad.Problems))
	}
	err = m.openQueue(ctx)
	if err == nil {
		err = m.watch.raiseScope(ctx, scopeEverything)
	}
	if err != nil {
		return dialect.Fail(unavailable(err, ""))
	}
	m.listens = true
	p := m.patience()
	if wait != nil {
		p = patience{soft: *wait, none: *wait == 0}
	}
	if !p.none {
		defer m.announceListener(ctx)()
	}
	me := m.watch.addWaiter(ctx, anySession, nil)
	defer m.watch.removeWaiter(anySession, me)
	switch end := m.wait(ctx, me, p, m); {
	case end == endGone:
		m.reply.callerGone = true
		return dialect.Result{}
	case m.message.ID != "":
		m.settleLines(ctx, dialect.NextMessage.Name, m.message)
		return dialect.RenderMessage(m.message)
	case m.outage.ongoing():
		return dialect.Fail(m.outage.failure(""))
	default:
		return dialect.RenderNoMessage(m.closing)
	}
}

// announceListener shows the person that this agent listens, until over is called. If it fails, the call continues
// without it.
func (m *nextMessage) announceListener(ctx context.Context) (over func()) {
	step, cancel := stepContext(ctx)
	defer cancel()
	release, err := m.watch.q.Store.Announce(step, queue.Presence{
		Instance: m.bridge.instance + "-" + m.claim.Conn, Role: queue.RoleListener, Origin: &m.origin,
	})
	if err != nil {
		m.bridge.logf("failed to show that the agent listens: %v", err)
		return func() {}
	}
	return func() { _ = release() }
}

// look implements awaited. The wait is over when a message was claimed, or when an outage lasts too long.
func (m *nextMessage) look(ctx context.Context, now time.Time) (ready bool, next time.Time) {
	if m.outage.noteLook(m.watch.err(), now); m.outage.ongoing() {
		return m.outage.tooLong(now), now.Add(rereadBroken)
	}
	ids, closing, next := m.watch.messagesFor(m.origin)
	if m.closing = closing; closing == 0 && m.takeFirst(ctx, ids) {
		return true, time.Time{}
	}
	return false, sooner(next, now.Add(lookAgain))
}

// beatWords implements awaited.
func (m *nextMessage) beatWords(time.Time) string { return "listening for a message from the person" }

// takeFirst claims the first of these messages that no other call holds.
func (m *nextMessage) takeFirst(ctx context.Context, ids []string) bool {
	for _, id := range ids {
		if s, ok := m.takeLine(ctx, id); ok {
			m.message = s
			return true
		}
	}
	return false
}
