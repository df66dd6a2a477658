package jetstream

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// The intervals of a real store add up to less than the contract allows.
func TestADeathIsNoticedWithinTwentySeconds(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, silentFor+lookEvery+time.Second, 20*time.Second)
	require.LessOrEqual(t, 2*beatEvery, silentFor, "one lost beat is no death")
	require.Greater(t, graceFor, silentFor, "a server that has just started has heard everybody by then")
}

func TestAKilledProcessIsTakenFromTheListAndAWatcherIsTold(t *testing.T) {
	t.Parallel()
	s := open(t)
	quicken(s)
	p := start(t, s, "announce")
	require.Equal(t, "ready", p.line())
	w := watching(t, s)
	require.True(t, next(t, w).Presence)
	require.Len(t, present(t, s), 1)
	time.Sleep(2 * s.times.grace)
	require.Len(t, present(t, s), 1, "it beats")
	p.kill()
	begin := time.Now()
	require.True(t, next(t, w).Presence)
	require.Empty(t, present(t, s))
	require.Less(t, time.Since(begin), 5*time.Second)
}

func TestWhoLooksOnceRemovesTheDeadToo(t *testing.T) {
	t.Parallel()
	s := open(t)
	quicken(s)
	p := start(t, s, "announce")
	require.Equal(t, "ready", p.line())
	require.Len(t, present(t, s), 1)
	p.kill()
	require.Eventually(t, func() bool { return len(present(t, s)) == 0 }, 10*time.Second, 50*time.Millisecond)
}

func TestNobodyIsTakenForDeadSinceTheServerWasAway(t *testing.T) {
	t.Parallel()
	n := startServer(t)
	s := openAt(t, Options{URL: n.url()})
	quicken(s)
	release, err := s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleDashboard})
	require.NoError(t, err)
	silent := openAt(t, Options{URL: n.url()})
	quicken(silent)
	silent.times.beat = time.Hour // only the new connection makes it announce itself again
	_, err = silent.Announce(t.Context(), queue.Presence{Instance: "other", Role: queue.RoleBridge})
	require.NoError(t, err)
	n.kill()
	time.Sleep(s.silentAfter)
	n.start()
	fresh := n.open()
	quicken(fresh)
	require.Eventually(t, func() bool { _, err := fresh.Present(t.Context()); return err == nil },
		10*time.Second, 10*time.Millisecond)
	require.Len(t, present(t, fresh), 2, "a server that has just started has heard nobody yet")
	require.Eventually(t, func() bool {
		all := present(t, fresh)
		return len(all) == 1 && all[0].Instance == "me"
	}, 10*time.Second, 50*time.Millisecond, "the other one does not beat")
	require.NoError(t, release())
	require.Empty(t, present(t, fresh))
}

func TestAProcessThatStoodStillIsThereAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	quicken(s)
	_, err := s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleBridge})
	require.NoError(t, err)
	other := again(t, s)
	quicken(other)
	require.Len(t, present(t, other), 1)
	for key := range s.announced { // removed by a process that received no beat
		require.NoError(t, byHand(t, s, presentStream).Purge(t.Context(), key))
	}
	require.Empty(t, present(t, other))
	s.resendAnnouncements()
	require.Len(t, present(t, other), 1)
}

func present(t *testing.T, s *Store) []queue.Presence {
	t.Helper()
	list, err := s.Present(t.Context())
	require.NoError(t, err)
	return list
}

func TestWhoFollowsItsQuestionIsToldOfDashboardsAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	w, err := s.Watch(t.Context(), queue.FewNews, queue.NewID())
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	require.True(t, next(t, w).Presence)
	announce := func(role string) {
		_, err := openAt(t, s.link.options).Announce(t.Context(), queue.Presence{Instance: role, Role: role})
		require.NoError(t, err)
	}
	announce(queue.RoleBridge)
	announce(queue.RoleListener)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = w.Next(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded, "a thousand agents do not tell each other that they are there")
	announce(queue.RoleDashboard)
	require.True(t, next(t, w).Presence)
	present, err := s.Present(t.Context(), queue.RoleDashboard)
	require.NoError(t, err)
	require.Len(t, present, 1)
	present, err = s.Present(t.Context())
	require.NoError(t, err)
	require.Len(t, present, 3, "who asks for everybody is told of everybody")
}

func TestWhatCouldNotBeTakenBackIsTakenBackWithTheNextBeat(t *testing.T) {
	t.Parallel()
	s := open(t)
	quicken(s)
	for _, role := range []string{queue.RoleBridge, queue.RoleListener} {
		_, err := s.Announce(t.Context(), queue.Presence{Instance: role, Role: role})
		require.NoError(t, err)
	}
	s.running.mu.Lock()
	for key := range s.running.announced {
		if ofRole(key, []string{queue.RoleListener}) { // it ended while the server did not answer
			delete(s.running.announced, key)
			s.running.dropped[key] = true
		}
	}
	s.running.mu.Unlock()
	require.Eventually(t, func() bool { return len(present(t, s)) == 1 }, 5*time.Second, 20*time.Millisecond,
		"a listener that has gone is not counted beside the one that came after it")
}
