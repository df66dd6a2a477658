package jetstream

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAFullServerIsSaidToBeFullAndCanBeRead(t *testing.T) {
	t.Parallel()
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	o.JetStreamMaxStore = 64 << 10
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	s := openAt(t, Options{URL: n.ClientURL()})
	_, err = s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleBridge})
	require.NoError(t, err)
	v, stored := storetest.Create(t, s), 1
	draft := queue.Session{Ask: storetest.Ask(), Origin: queue.Origin{Dialect: "provide_choice"}}
	draft.Ask.Prompt = strings.Repeat("x", 2000)
	for range 100 {
		if _, err = queue.New(s).Create(t.Context(), draft); err != nil {
			break
		}
		stored++
	}
	require.ErrorContains(t, err, "the queue's server has no room left")
	require.NotErrorIs(t, err, queue.ErrInDoubt)
	_, err = s.Put(t.Context(), v)
	require.ErrorContains(t, err, "the queue's server has no room left")
	live, _, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, stored)
	present, err := openAt(t, s.link.options).Present(t.Context())
	require.NoError(t, err, "who runs can be seen")
	require.Len(t, present, 1)
	for range 200 { // what was refused was larger than what is tried
		if err = TryRoom(t.Context(), s); err != nil {
			break
		}
		_, _ = s.Announce(t.Context(), queue.Presence{Instance: queue.NewToken(), Role: queue.RoleBridge})
	}
	require.ErrorContains(t, err, "the queue's server has no room left")

	late := openAt(t, s.link.options)
	late.times.beat = 50 * time.Millisecond
	_, err = late.Announce(t.Context(), queue.Presence{Instance: "late", Role: queue.RoleDashboard})
	require.NoError(t, err, "one can look at a full queue")
	require.Len(t, next(t, watching(t, late)).Sessions, stored)
	dashboards, err := s.Present(t.Context(), queue.RoleDashboard)
	require.NoError(t, err)
	require.Empty(t, dashboards, "the server had no room for that")
	c, err := s.link.begin(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	pending, err := c.js.Stream(t.Context(), late.config(pendingStream).Name)
	require.NoError(t, err)
	require.NoError(t, pending.Purge(t.Context()))
	require.Eventually(t, func() bool {
		dashboards, err := s.Present(t.Context(), queue.RoleDashboard)
		return err == nil && len(dashboards) == 1
	}, 10*time.Second, 50*time.Millisecond, "and now it has")
}

func TestTryingForRoomLeavesNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.NoError(t, TryRoom(t.Context(), s), "nothing was kept there yet")
	_, err := s.Announce(t.Context(), queue.Presence{Instance: "me", Role: queue.RoleBridge})
	require.NoError(t, err)
	c, err := s.link.begin(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	storetest.Create(t, s)
	w := watching(t, s)
	require.Len(t, next(t, w).Sessions, 1)
	kept := func() (messages uint64) {
		for _, name := range []string{presentStream, pendingStream} {
			stream, err := s.stream(c, name, false)
			require.NoError(t, err)
			info, err := stream.Info(c)
			require.NoError(t, err)
			messages += info.State.Msgs
		}
		return messages
	}
	before := kept()
	require.NoError(t, TryRoom(t.Context(), s))
	live, broken, err := s.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
	require.Empty(t, broken)
	require.Eventually(t, func() bool { return kept() == before }, 5*time.Second, 100*time.Millisecond)
	storetest.Create(t, s)
	for told := 0; told == 0; {
		ch := next(t, w)
		require.Empty(t, ch.Broken)
		require.Empty(t, ch.Gone, "who follows the queue is not told of it")
		told = len(ch.Sessions)
	}
}
