package jetstream

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestSessionsThatSomebodyRemovedFromTheServerAreNone(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	c, err := s.link.begin(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	require.NoError(t, c.js.DeleteKeyValue(t.Context(), s.link.options.Bucket+pendingStream))
	live, _, err := s.Live(t.Context())
	require.NoError(t, err, "no bucket is no question, as before the first one")
	require.Empty(t, live)
	v := storetest.Create(t, s)
	require.Equal(t, []queue.Session{v}, liveOf(t, s), "it is made anew")
}

func TestAWatchBeginsAnewWhereItsBucketWasRemoved(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	c, err := s.link.begin(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	require.NoError(t, c.js.DeleteKeyValue(t.Context(), s.link.options.Bucket+pendingStream))
	_, err = s.Watch(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable, "whoever waits tries again")
	w := watching(t, s)
	require.Empty(t, next(t, w).Sessions)
	v := storetest.Create(t, s)
	require.Equal(t, []queue.Session{v}, next(t, w).Sessions)
}
