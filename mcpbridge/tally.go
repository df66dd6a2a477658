package mcpbridge

import (
	"context"
	"time"
)

// tally tells Options.Count how many questions wait, at every change. A dashboard does so too, but it may be in another
// tmux, or in none. It ends with ctx, and leaves the number as it is: what waits goes on waiting, and whoever runs the
// bridge says the number once all is withdrawn that has to be.
func (b *bridge) tally(ctx context.Context, r *roster) {
	bell, hush := r.board.listen()
	defer hush()
	timer := time.NewTimer(0)
	defer timer.Stop()
	told := -1
	for ctx.Err() == nil {
		n, look := r.board.count()
		if n != told {
			told = n
			b.o.Count(n)
		}
		timer.Stop()
		if !look.IsZero() {
			timer.Reset(max(look.Sub(r.q.Now()), leastSleep))
		}
		select {
		case <-ctx.Done():
		case <-bell:
		case <-timer.C:
		}
	}
}
