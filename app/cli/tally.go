package cli

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/queue"
)

// The number in tmux's status line is the one that any process wrote last, so all processes write the same: the number
// of pending questions, read again from the queue. A command that changes the queue writes it when that is done
// (tellTmux); a process that stays writes it at every change (tallying). A process that leaves writes it instead of
// removing it, since the questions stay pending.

const (
	// tellWithin limits the time that the end of a command may take for the number.
	tellWithin = 2 * time.Second
	// tellTimes bounds how often a number that changes under us is said again.
	tellTimes = 8
	// mostTallyWait is the time for which a tally assumes that nothing but the clock changes.
	mostTallyWait = time.Minute
)

// tellTmux has tmux show how many questions wait, and returns when it does. Read again afterwards, the number may be
// another: then somebody changed it in between, and may have told tmux before we did.
func tellTmux(ctx context.Context, q *queue.Queue) {
	if !tmux.Inside() || q == nil {
		return
	}
	ctx = context.WithoutCancel(ctx) // the reason to end is no reason to be wrong
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	said := -1
	for range tellTimes {
		n, _, err := countWaiting(ctx, q)
		if err != nil || n == said || tmux.ShowCount(ctx, n) != nil {
			return
		}
		said = n
	}
}

// countWaiting returns the number of pending questions, as list and the dashboard count them, and when the clock alone
// next changes it; zero: never.
func countWaiting(ctx context.Context, q *queue.Queue) (n int, next time.Time, err error) {
	live, _, err := q.Store.Pending(ctx)
	now := q.Now()
	for _, s := range live {
		if s.IsMessage() || !s.At(now).Pending() {
			continue
		}
		n++
		if d := s.Deadline; !d.IsZero() && (next.IsZero() || d.Before(next)) {
			next = d
		}
	}
	return n, next, err
}

// tallying tells tmux the number at every change until done is called, which tells it a last time.
func tallying(ctx context.Context, q *queue.Queue) (done func()) {
	if !tmux.Inside() {
		return func() {}
	}
	step, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		tellChanges(step, q)
	}()
	return func() {
		stop()
		<-over
		tellTmux(ctx, q)
	}
}

// tellChanges tells tmux the number whenever it is another, until ctx ends or the queue cannot be watched.
func tellChanges(ctx context.Context, q *queue.Queue) {
	w, err := q.Store.Follow(ctx)
	if err != nil {
		return
	}
	defer w.Close()
	for said := -1; ctx.Err() == nil; {
		n, next, err := countWaiting(ctx, q)
		if err == nil && n != said && tmux.ShowCount(ctx, n) == nil {
			said = n
		}
		wait := mostTallyWait
		if !next.IsZero() {
			wait = min(wait, max(next.Sub(q.Now()), time.Millisecond))
		}
		step, cancel := context.WithTimeout(ctx, wait)
		_, err = w.Next(step)
		timeUp := step.Err() != nil
		cancel()
		if err != nil && !timeUp && !outlasted(ctx, err) {
			return
		}
	}
}

// queueCount is the dashboard's way to tmux: it leaves with the true number.
type queueCount struct {
	tmux.Counter
	q *queue.Queue
}

// Clear is called by the last dashboard when it ends.
func (c *queueCount) Clear() {
	c.Wait()
	tellTmux(context.Background(), c.q)
}
