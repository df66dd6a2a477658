package jetstream

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// racers is the number of clients, each with its own connection, that settle the same sessions.
const racers = 16

func TestOfSixteenClientsWhoSettleOneQuestionOneWins(t *testing.T) {
	t.Parallel()
	require.Empty(t, raceClients(t, 50))
}

func TestOfFourProcessesWhoSettleOneQuestionOneWins(t *testing.T) {
	t.Parallel()
	s := open(t)
	var all []*process
	for i := range 4 {
		all = append(all, start(t, s, "race", fmt.Sprint(i), "fair"))
	}
	for _, p := range all {
		require.Equal(t, "ready", p.line())
	}
	for range 10 {
		v := storetest.Create(t, s)
		for _, p := range all {
			_, err := fmt.Fprintln(p.in, v.ID)
			require.NoError(t, err)
		}
		var verdicts []string
		for _, p := range all {
			verdicts = append(verdicts, p.line())
		}
		final, err := s.Get(t.Context(), v.ID)
		require.NoError(t, err)
		require.Empty(t, storetest.Violations(final, verdicts))
	}
}

// raceClients lets all racers settle many sessions, and returns the faults found.
func raceClients(t *testing.T, sessions int) (wrong []string) {
	s := open(t)
	clients := make([]queue.Store, racers)
	for i := range clients {
		clients[i] = again(t, s)
		_, _, err := clients[i].Live(t.Context()) // connected before it starts
		require.NoError(t, err)
	}
	for range sessions {
		v := storetest.Create(t, s)
		meet := &sync.WaitGroup{}
		meet.Add(racers)
		verdicts, errs := make([]string, racers), make([]error, racers)
		var all sync.WaitGroup
		for i, client := range clients {
			all.Go(func() {
				verdicts[i], errs[i] = storetest.Race(t.Context(), &together{Store: client, meet: meet}, i, v.ID)
			})
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		final, err := s.Get(t.Context(), v.ID)
		require.NoError(t, err)
		wrong = append(wrong, storetest.Violations(final, verdicts)...)
	}
	return wrong
}

// together delays the first read of every racer until all have read the same revision.
type together struct {
	queue.Store
	meet *sync.WaitGroup
	once sync.Once
}

func (m *together) Get(ctx context.Context, id string) (queue.Session, error) {
	s, err := m.Store.Get(ctx, id)
	m.once.Do(func() {
		m.meet.Done()
		m.meet.Wait()
	})
	return s, err
}
