package call

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// storeWithin limits one step in the store. The step continues after the call is cancelled, so that its result is
// known.
const storeWithin = 30 * time.Second

// toolCall is one tool call that may wait, from its arguments to its result: a question or a next_message. One
// goroutine owns it.
type toolCall struct {
	bridge *Bridge
	reply  *Reply
	origin queue.Origin
	claim  queue.Claim
	token  any    // the client's progress token; nil: it wants no progress
	watch  *watch // nil until the queue is open
	// listens is set by next_message, which takes lines by its own rules.
	listens bool
}

// ErrPanicked is the only thing that a client learns of a call that panicked. The log has the rest.
var ErrPanicked = errors.New("the call could not be served")

// openQueue makes the queue usable. Nothing is created or announced before the first call that needs it.
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

// readSession reads a session. A session that this agent may not see is queue.ErrNotFound.
func (c *toolCall) readSession(ctx context.Context, id string) (queue.Session, error) {
	step, cancel := stepContext(ctx)
	defer cancel()
	s, err := c.watch.q.Store.Get(step, id)
	if errors.Is(err, queue.ErrRefused) {
		err = queue.ErrNotFound
	}
	return s, err
}

// archive moves a session that is over to the history, unless its team is told before. kind names it in the log.
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

// presence holds the processes that run now.
type presence struct {
	dashboard bool                       // a dashboard is open
	runs      func(instance string) bool // reads the store at its first use: few callers need it
}

// readPresence reads the store: the watch may not yet know of a process that has just started. After an error every
// process counts as running, so that nothing is taken over, and a dashboard counts as open, so that the call waits.
func (c *toolCall) readPresence(ctx context.Context) presence {
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

func (c *toolCall) logUnseen(err error) {
	if err != nil {
		c.bridge.logf("failed to see who runs: %v", err)
	}
}

// takeClaim claims a session for this call. It takes over from a holder that is dead or has released the session.
func (c *toolCall) takeClaim(
	ctx context.Context, s queue.Session, take queue.Take, runs func(instance string) bool,
) (queue.Session, error) {
	if s.Claim != nil && !c.bridge.isHeld(s.Claim, runs) {
		take.Over = *s.Claim
	}
	return c.doAction(ctx, s.ID, queue.ByCaller, take)
}

// stepContext returns a context for one step in the store, which ctx does not cancel.
func stepContext(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
}

// finish applies the last action of a call to its session, once the result was written or cannot be. While the store's
// server is away it tries again in the background, until this process ends. A claim that it releases counts as
// nobody's at once. then is called when the action is stored; problem is the log's line if it cannot be.
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

// finishOnce tries once, and reports whether finish is over.
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

// isHeld reports whether a running process holds a claim. A claim that a call has released is not held.
func (b *Bridge) isHeld(claim *queue.Claim, runs func(instance string) bool) bool {
	if claim == nil {
		return false
	}
	_, released := b.released.Load(*claim)
	return !released && runs(claim.Instance)
}
