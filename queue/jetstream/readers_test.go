package jetstream

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestManyMoreMayReadThanAServerAllowsByItself(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	c, err := s.link.begin(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	made, err := s.stream(c, pendingStream, false)
	require.NoError(t, err)
	require.Greater(t, made.CachedInfo().Config.MaxConsumers, server.JSDefaultMaxConsumersPerStream)
}

func TestAnAccountThatAllowsFewReadersIsSaidToBeFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "few.conf")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `listen: 127.0.0.1:-1
		jetstream: {store_dir: %q}
		accounts: {team: {users: [{user: "ana", password: "word"}],
			jetstream: {max_mem: 10M, max_file: 10M, max_streams: 10, max_consumers: 2}}}
		no_auth_user: ana`, t.TempDir()), 0o600))
	o, err := server.ProcessConfigFile(path)
	require.NoError(t, err)
	o.NoSigs = true
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	s := openAt(t, Options{URL: n.ClientURL()})
	storetest.Create(t, s)
	for range 2 {
		_, err = s.Follow(t.Context(), queue.NewID())
		require.NoError(t, err, "the account decides, where it allows less")
	}
	_, err = s.Follow(t.Context(), queue.NewID())
	require.ErrorIs(t, err, errCrowded)
	require.NotErrorIs(t, err, queue.ErrUnreachable, "it answers, and says what is wrong")
}

func TestCopiesThatOneServerCannotKeepAreRefusedInWords(t *testing.T) {
	t.Parallel()
	s := openAt(t, Options{URL: sharedURL(t), Bucket: "t-" + queue.NewToken(), Replicas: 3})
	_, err := queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	_, err2 := s.Watch(t.Context())
	for _, err := range []error{err, err2} {
		require.ErrorContains(t, err, "not one of several, and cannot keep 3 copies")
		var trouble *Trouble
		require.ErrorAs(t, err, &trouble)
		require.Contains(t, trouble.Remedy, "queue_replicas 1")
	}
}
