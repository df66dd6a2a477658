package storetest_test

import (
	"context"
	"sync/atomic"

	"github.com/choicetui/choicetui/queue"
)

// meeting holds the first two readers of a store until both have read.
type meeting struct {
	queue.Store
	n      atomic.Int32
	arrive chan struct{}
}

func (m *meeting) Get(ctx context.Context, id string) (queue.Session, error) {
	s, err := m.Store.Get(ctx, id)
	switch n := m.n.Add(1); {
	case n == 2:
		close(m.arrive)
	case n == 1:
		<-m.arrive
	}
	return s, err
}
