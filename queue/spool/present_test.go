package spool

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// removals lists ways to remove a queue whose processes continue to run.
var removals = map[string]func(s *Store) error{
	"the tree":               func(s *Store) error { return removeAll(s.dir) },
	"the directory present":  func(s *Store) error { return removeAll(s.path(presentDir)) },
	"all that is in present": func(s *Store) error { return emptyDir(s.path(presentDir)) },
}

// removeAll tries again if a process restored a file during the removal.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	for try := 0; err != nil && try < 100; try++ {
		err = os.RemoveAll(dir)
	}
	return err
}

func emptyDir(path string) error {
	names, err := readNames(path)
	for _, name := range names {
		if err := os.Remove(path + "/" + name); err != nil {
			return err
		}
	}
	return err
}

// runningAs starts a process with this role, which watches the queue and reads all changes.
func runningAs(t *testing.T, dir, role string) (s *Store, release func() error) {
	t.Helper()
	s, err := Open(dir)
	require.NoError(t, err)
	release, err = s.Announce(t.Context(), queue.Presence{Instance: role, Role: role})
	require.NoError(t, err)
	w := watching(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			_, _ = w.Next(ctx)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return s, release
}

func TestWhatRunsIsPresentAgainAfterThatWasRemoved(t *testing.T) {
	t.Parallel()
	for name, remove := range removals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			_, releaseBridge := runningAs(t, s.dir, queue.RoleBridge)
			_, releaseDashboard := runningAs(t, s.dir, queue.RoleDashboard)
			everyone := []queue.Presence{
				{Instance: queue.RoleBridge, Role: queue.RoleBridge}, {Instance: queue.RoleDashboard, Role: queue.RoleDashboard},
			}
			for range 2 { // it may happen again
				require.NoError(t, remove(s))
				require.Eventually(t, func() bool {
					p, err := s.Present(t.Context())
					return err == nil && len(p) == 2
				}, 20*time.Second, 10*time.Millisecond)
			}
			p, err := s.Present(t.Context())
			require.NoError(t, err)
			require.Equal(t, everyone, p)

			require.NoError(t, releaseBridge())
			require.NoError(t, emptyDir(s.path(presentDir)))
			require.Eventually(t, func() bool {
				p, err := s.Present(t.Context())
				return err == nil && len(p) == 1 && p[0].Role == queue.RoleDashboard
			}, 20*time.Second, 10*time.Millisecond, "who was released stays away")
			require.NoError(t, releaseDashboard())
			require.Empty(t, list(t, s, presentDir))
		})
	}
}

// A process that only writes announces itself again when its write creates the tree again.
func TestAWriteIntoARemovedTreeAnnouncesItsProcessAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	release, err := s.Announce(t.Context(), queue.Presence{Instance: "ask", Role: queue.RoleBridge})
	require.NoError(t, err)
	defer func() { require.NoError(t, release()) }()
	require.NoError(t, os.RemoveAll(s.dir))
	storetest.Create(t, s)
	p, err := s.Present(t.Context())
	require.NoError(t, err)
	require.Len(t, p, 1)
}
