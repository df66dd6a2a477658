package mcpbridge

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// bound are the sessions of this bridge that belong to their callers (queue.Session.Bound): they end with it, and a
// bridge that ends in good order does not leave that to the next sweep.
type bound struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (b *bound) add(s queue.Session) {
	if s.Bound() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.ids == nil {
			b.ids = map[string]bool{}
		}
		b.ids[s.ID] = true
	}
}

// drop forgets one that is over.
func (b *bound) drop(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.ids, id)
}

// withdrawBound cancels those that still wait, as their caller.
func (b *bridge) withdrawBound(q *queue.Queue) {
	b.bound.mu.Lock()
	ids := slices.Collect(maps.Keys(b.bound.ids))
	b.bound.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	alive := func(instance string) bool { return instance != b.instance }
	for _, id := range ids {
		_, err := q.Do(ctx, id, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Abandon{Alive: alive}})
		over := errors.Is(err, queue.ErrSettled) || errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrNotFound)
		if err != nil && !over {
			b.logf("failed to withdraw session %s: %v", id, err)
		}
	}
}
