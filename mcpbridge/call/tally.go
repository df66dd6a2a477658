package call

import (
	"context"
	"time"
)

// tally tells Options.Count the number of pending questions at every change. A dashboard does so too, but it may be in
// another tmux, or in none. tally ends with ctx and leaves the number unchanged: the questions stay pending, and
// whoever runs the bridge reports the number after all withdrawals.
func (b *Bridge) tally(ctx context.Context, w *watch) {
	for w.widen(ctx, scopeSessions) != nil {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rewatch):
		}
	}
	me := w.addWaiter(ctx, anySession, nil)
	defer w.removeWaiter(anySession, me)
	timer := time.NewTimer(0)
	defer timer.Stop()
	told := -1
	for ctx.Err() == nil {
		n, next := w.countQuestions()
		if n != told {
			told = n
			b.o.Count(n)
		}
		timer.Stop()
		if !next.IsZero() {
			timer.Reset(max(next.Sub(w.q.Now()), leastSleep))
		}
		select {
		case <-ctx.Done():
		case <-me.ring:
		case <-timer.C:
		}
	}
}
