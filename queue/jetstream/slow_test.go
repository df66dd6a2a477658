package jetstream

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// slowLink returns the address of a link to a server that delays everything by each, in both directions.
func slowLink(t *testing.T, server string, each time.Duration) string {
	t.Helper()
	address, stop, err := storetest.SlowLink(server, each)
	require.NoError(t, err)
	t.Cleanup(stop)
	return address
}

func TestOverASlowLinkEverythingWorksAndTakesItsTime(t *testing.T) {
	t.Parallel()
	near := open(t)
	o := near.link.options
	o.URL = slowLink(t, o.URL, 150*time.Millisecond)
	v := storetest.Create(t, near)
	require.NoError(t, near.Archive(t.Context(), storetest.Finish(t, near, storetest.Create(t, near), time.Second)))

	var all sync.WaitGroup
	for what, do := range map[string]func(*Store) error{
		"ask, answer and fetch": func(s *Store) error {
			one := storetest.Create(t, s)
			return s.Archive(t.Context(), storetest.Finish(t, s, one, time.Second))
		},
		"list": func(s *Store) error { _, _, err := s.Live(t.Context()); return err },
		"history": func(s *Store) error {
			all, _, err := s.History(t.Context(), "", 20, queue.Whole)
			if err == nil {
				require.NotEmpty(t, all)
			}
			return err
		},
		"count": func(s *Store) error { _, err := s.CountHistory(t.Context()); return err },
		"announce": func(s *Store) error {
			_, err := s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleBridge})
			return err
		},
		"present":      func(s *Store) error { _, err := s.Present(t.Context()); return err },
		"try for room": func(s *Store) error { return TryRoom(t.Context(), s) },
		"watch": func(s *Store) error {
			require.NotEmpty(t, next(t, watching(t, s, v.ID)).Sessions)
			return nil
		},
	} {
		all.Go(func() {
			began := time.Now()
			assert.NoError(t, do(openAt(t, o)), what)
			t.Logf("%s: %v", what, time.Since(began).Round(100*time.Millisecond))
		})
	}
	all.Wait() // all at once: they only wait
}
