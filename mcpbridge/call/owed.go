package call

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// finish does what a call leaves to be done with a session once its result is out, or never will be. While the store's
// server is away it is tried again until it is done or this process ends, and a claim that it gives back counts as
// nobody's from now on. then is called when it is done; problem is what the log says if it cannot be.
func (c *call) finish(ctx context.Context, id string, a queue.Action, then func(queue.Session), problem string) {
	if release, ok := a.(queue.Release); ok {
		c.bridge.owed.Store(release.Claim, true)
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

// finishOnce tries that once, and reports whether it need not be tried again.
func (c *call) finishOnce(
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
		c.bridge.owed.Delete(release.Claim)
	}
	switch over := errors.Is(err, queue.ErrFinal); {
	case err == nil && then != nil:
		then(s)
	case err != nil && !(over && releases):
		c.bridge.logf(problem, id, err)
	}
	return true
}

// owedClaims are claims that calls have given back, where the store may not know it yet.
type owedClaims struct{ sync.Map }

// held reports whether somebody alive has a claim. One that is owed is nobody's.
func (o *owedClaims) held(claim *queue.Claim, runs func(instance string) bool) bool {
	if claim == nil {
		return false
	}
	_, owed := o.Load(*claim)
	return !owed && runs(claim.Instance)
}
