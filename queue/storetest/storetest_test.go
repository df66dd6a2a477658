package storetest_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(*testing.T) queue.Store { return storetest.NewMemory() })
}

// TestARaceWithoutCompareIsNoticed is the negative control of the race tests.
func TestARaceWithoutCompareIsNoticed(t *testing.T) {
	t.Parallel()
	store := storetest.Blind(storetest.NewMemory())
	found := 0
	for range 50 {
		found += len(raceTwo(t, store))
	}
	require.NotZero(t, found, "the checker must see that several racers were told they had won")
}

// raceTwo makes two racers read the same revision before either writes.
func raceTwo(t *testing.T, store queue.Store) []string {
	s := storetest.Create(t, store)
	both := &meeting{Store: store, arrive: make(chan struct{})}
	verdicts := make(chan string, 2)
	for racer := range 2 {
		go func() {
			v, err := storetest.Race(t.Context(), both, racer, s.ID)
			if err != nil {
				v = err.Error()
			}
			verdicts <- v
		}()
	}
	told := []string{<-verdicts, <-verdicts}
	final, err := store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	return storetest.Violations(final, told)
}

// The same two racers find no fault in a store that compares.
func TestARaceWithCompareIsClean(t *testing.T) {
	t.Parallel()
	store := storetest.NewMemory()
	for range 50 {
		require.Empty(t, raceTwo(t, store))
	}
}

func TestViolationsNamesEachDefect(t *testing.T) {
	t.Parallel()
	at := time.Now()
	settled := func(ids ...string) (s queue.Session) {
		s.Outcome = &queue.Outcome{}
		for _, id := range ids {
			s.Events = append(s.Events, queue.Event{ID: id, Kind: queue.EventSettled, At: at})
		}
		return s
	}
	require.Empty(t, storetest.Violations(settled("x"), []string{"x", "x"}))
	require.Empty(t, storetest.Violations(queue.Session{}, nil))
	require.NotEmpty(t, storetest.Violations(settled("x"), []string{"x", "y"}), "told otherwise")
	require.NotEmpty(t, storetest.Violations(settled("x", "y"), []string{"y"}), "settled twice")
	require.NotEmpty(t, storetest.Violations(settled(), []string{""}), "an outcome without its event")
	require.NotEmpty(t, storetest.Violations(queue.Session{}, []string{"x"}), "acknowledged and lost")
	back := settled("x")
	back.Events = append(back.Events, queue.Event{At: at.Add(-time.Second)})
	require.NotEmpty(t, storetest.Violations(back, []string{"x"}), "events out of order")
}

// meeting delays the first two readers of a store until both have read.
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
