package mcpbridge

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// tally tells Options.Count how many questions wait, while no dashboard is open: a dashboard tells it itself, and the
// person without one has nothing else that says so. It ends with ctx.
func (b *bridge) tally(ctx context.Context, r *roster) {
	bell, hush := r.board.listen()
	defer hush()
	timer := time.NewTimer(0)
	defer timer.Stop()
	told := -1
	for ctx.Err() == nil {
		n, look := r.board.count()
		if _, open := r.deserted(); open {
			told = -1 // the dashboard's number stands; say it again when that is gone
		} else if n != told {
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
	if told > 0 && b.last(r) {
		b.o.Count(0) // nobody would say when they are over
	}
}

// last reports whether no other process would go on counting.
func (b *bridge) last(r *roster) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	list, err := r.q.Store.Present(ctx)
	if err != nil {
		return false
	}
	for _, p := range list {
		if p.Instance != b.instance && (p.Role == queue.RoleBridge || p.Role == queue.RoleDashboard) {
			return false
		}
	}
	return true
}
