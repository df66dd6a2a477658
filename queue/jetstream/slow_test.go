package jetstream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// slowLink returns the address of a server behind a link that takes so long in each direction.
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
	o.URL = slowLink(t, o.URL, 350*time.Millisecond)
	v := storetest.Create(t, near)
	require.NoError(t, near.Archive(t.Context(), storetest.Finish(t, near, storetest.Create(t, near), time.Second)))

	for what, do := range map[string]func(*Store) error{
		"ask, answer and fetch": func(s *Store) error {
			one := storetest.Create(t, s)
			return s.Archive(t.Context(), storetest.Finish(t, s, one, time.Second))
		},
		"list": func(s *Store) error { _, _, err := s.Live(t.Context()); return err },
		"history": func(s *Store) error {
			all, _, err := s.History(t.Context(), "", 20)
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
		"present": func(s *Store) error { _, err := s.Present(t.Context()); return err },
		"examine": func(s *Store) error { _, err := Examine(t.Context(), s); return err },
		"watch": func(s *Store) error {
			require.NotEmpty(t, next(t, watching(t, s, v.ID)).Sessions)
			return nil
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			require.NoError(t, do(openAt(t, o)))
			t.Logf("%v", time.Since(began).Round(100*time.Millisecond))
		})
	}
}
