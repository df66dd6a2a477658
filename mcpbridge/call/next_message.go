package call

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/dialect"
	"github.com/choicetui/choicetui/queue"
)

// nextMessage is a call that waits for a line from the person.
//
//	look ─ a message for this agent, and nothing closes chat ─► takeLine ─► result ─► written? ─► endLines
type nextMessage struct {
	*call
	message queue.Session // claimed, once there is one
	closing int           // how many questions close chat
	seen    sight         // whether the queue can be seen
}

func (m *nextMessage) serve(ctx context.Context, raw json.RawMessage) dialect.Result {
	wait, err := dialect.ParseNextMessage(raw)
	var bad *queue.Invalid
	if errors.As(err, &bad) {
		return dialect.FailNextMessage(dialect.Invalid(bad.Problems))
	}
	err = m.openQueue(ctx)
	if err == nil {
		err = m.watch.widen(ctx, scopeEverything)
	}
	if err != nil {
		return dialect.FailNextMessage(unavailable(err, ""))
	}
	m.hears = true
	p := m.patience()
	if wait != nil {
		p = patience{soft: *wait, none: *wait == 0}
	}
	if !p.none {
		defer m.announce(ctx)()
	}
	me := m.watch.addWaiter(ctx, anySession, nil)
	defer m.watch.removeWaiter(anySession, me)
	switch end := m.wait(ctx, me, p, m); {
	case end == endGone:
		m.reply.unsaid = true
		return dialect.Result{}
	case m.message.ID != "":
		m.endLines(ctx, dialect.NextMessage.Name, m.message)
		return dialect.RenderMessage(m.message)
	case m.seen.dim():
		return dialect.FailNextMessage(m.seen.failure(""))
	default:
		return dialect.RenderNoMessage(m.closing)
	}
}

// announce shows the person that this agent listens. Nothing depends on it.
func (m *nextMessage) announce(ctx context.Context) (over func()) {
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

// look is there when a message was claimed, or when the queue cannot be seen for too long.
func (m *nextMessage) look(ctx context.Context, now time.Time) (there bool, next time.Time) {
	if m.seen.note(m.watch.trouble(), now); m.seen.dim() {
		return m.seen.over(now), now.Add(rereadLost)
	}
	ids, closing, next := m.watch.messagesFor(m.origin)
	if m.closing = closing; closing == 0 && m.takeFirst(ctx, ids) {
		return true, time.Time{}
	}
	return false, sooner(next, now.Add(lookAgain))
}

func (m *nextMessage) beatWords(time.Time) string { return "listening for a message from the person" }

// takeFirst claims the first of these messages that nobody else holds.
func (m *nextMessage) takeFirst(ctx context.Context, ids []string) bool {
	for _, id := range ids {
		if s, ok := m.takeLine(ctx, id); ok {
			m.message = s
			return true
		}
	}
	return false
}
