package jetstream

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestThatThereIsNoConnectionIsSaidWithItsReason(t *testing.T) {
	t.Parallel()
	mute, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and sends nothing
	require.NoError(t, err)
	t.Cleanup(func() { _ = mute.Close() })
	dir := t.TempDir()
	writeCertificate(t, dir, time.Now().Add(time.Hour))
	elsewhere, err := url.Parse(overTLS(runCertified(t, dir)))
	require.NoError(t, err)
	for address, says := range map[string]string{
		"nats://127.0.0.1:1":                                  "there is no connection to the server: dial tcp 127.0.0.1:1: connect: connection refused",
		"nats://" + mute.Addr().String():                      "there is no connection to the server: read tcp ",
		"tls://localhost:" + elsewhere.Port():                 "the server's certificate is not trusted: x509: certificate is not valid for any names, but wanted to match localhost",
		strings.Replace(sharedURL(t), "nats://", "tls://", 1): "the queue cannot be reached: the server does not speak TLS, which tls:// in its address",
	} {
		s := openAt(t, Options{URL: address, Authority: filepath.Join(dir, "ca.crt")})
		if strings.HasSuffix(address, mute.Addr().String()) { // a handshake takes longer on a busy machine
			s.link.greetWithin = 100 * time.Millisecond
		}
		for range 3 { // the library forgets why between two tries
			_, _, err := s.Live(t.Context())
			require.ErrorIs(t, err, queue.ErrUnreachable, address)
			require.ErrorContains(t, err, says, address)
			var trouble *Trouble
			require.ErrorAs(t, err, &trouble)
			require.NotEmpty(t, trouble.Remedy)
			time.Sleep(reconnectWait * 3 / 4)
		}
	}
}

func TestWhatAServerWithoutMostOfItsClusterAnswersIsSaidInWords(t *testing.T) {
	t.Parallel()
	api := &jetstream.APIError{Code: 503, ErrorCode: 10008, Description: "JetStream system temporarily unavailable"}
	err := (&call{caller: t.Context()}).explain(fmt.Errorf("failed: %w", api))
	require.ErrorIs(t, err, queue.ErrUnreachable)
	require.EqualError(t, err, "the queue cannot be reached: too few servers of the cluster are running, or they are still starting")
}

func TestAReasonIsToldNoLongerOnceATryEndsForAnother(t *testing.T) {
	t.Parallel()
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	o.Users = []*server.User{{Username: "ana", Password: secret}}
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	at, err := net.Listen("tcp", "127.0.0.1:0") // a proxy whose server goes away
	require.NoError(t, err)
	t.Cleanup(func() { _ = at.Close() })
	var gone atomic.Bool
	go func() {
		for {
			near, err := at.Accept()
			if err != nil {
				return
			}
			if remote, err := net.Dial("tcp", n.Addr().String()); err == nil && !gone.Load() {
				go func() { _, _ = io.Copy(remote, near); _ = remote.Close() }()
				go func() { _, _ = io.Copy(near, remote); _ = near.Close() }()
				continue
			}
			_ = near.Close()
		}
	}()
	s := openAt(t, Options{URL: "nats://" + at.Addr().String(),
		Credentials: credentialFile(t, "user: ana\npassword: not it\n", 0o600)})
	_, _, err = s.Live(t.Context())
	require.ErrorContains(t, err, "does not take these credentials")
	gone.Store(true)
	require.Eventually(t, func() bool {
		_, _, err := s.Live(t.Context())
		require.ErrorIs(t, err, queue.ErrUnreachable)
		return !strings.Contains(err.Error(), "credentials")
	}, 5*time.Second, 20*time.Millisecond, "nobody there has looked at them")
	for range 20 {
		_, _, err := s.Live(t.Context())
		require.ErrorContains(t, err, "there is no connection to the server")
		require.NotContains(t, err.Error(), "credentials")
		require.NoError(t, s.link.whyBarred())
		time.Sleep(reconnectWait / 4)
	}
}

func TestAServerThatCannotKeepAQueueSaysWhy(t *testing.T) {
	t.Parallel()
	bare := serverOptions(t.TempDir(), server.RANDOM_PORT)
	bare.JetStream = false
	n, err := runServer(bare)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	for name, s := range map[string]*Store{
		"JetStream does not answer on the server": openAt(t, Options{URL: n.ClientURL()}),
		"there is no connection to the server":    openAt(t, Options{URL: "nats://127.0.0.1:1"}),
	} {
		began := time.Now()
		_, _, err = s.Live(t.Context())
		require.ErrorIs(t, err, queue.ErrUnreachable)
		require.ErrorContains(t, err, name)
		require.Less(t, time.Since(began), madeWithin/2, "there is no leader to wait for")
	}
}

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
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	pending, err := c.js.Stream(t.Context(), late.streamConfig(pendingStream).Name)
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
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	storetest.Create(t, s)
	w := watching(t, s)
	require.Len(t, next(t, w).Sessions, 1)
	kept := func() (messages uint64) {
		for _, name := range []string{presentStream, pendingStream} {
			stream, err := s.stream(c, name, ifThere)
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

func TestManyMoreMayReadThanAServerAllowsByItself(t *testing.T) {
	t.Parallel()
	s := open(t)
	storetest.Create(t, s)
	c, err := s.link.beginCall(t.Context())
	require.NoError(t, err)
	defer c.cancel()
	made, err := s.stream(c, pendingStream, ifThere)
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
		_, err = s.Watch(t.Context(), queue.FewNews, queue.NewID())
		require.NoError(t, err, "the account decides, where it allows less")
	}
	_, err = s.Watch(t.Context(), queue.FewNews, queue.NewID())
	require.ErrorIs(t, err, errCrowded)
	require.NotErrorIs(t, err, queue.ErrUnreachable, "it answers, and says what is wrong")
}

func TestCopiesThatOneServerCannotKeepAreRefusedInWords(t *testing.T) {
	t.Parallel()
	s := openAt(t, Options{URL: sharedURL(t), Bucket: "t-" + queue.NewToken(), Replicas: 3})
	_, err := queue.New(s).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
	_, err2 := s.Watch(t.Context(), queue.AllNews)
	for _, err := range []error{err, err2} {
		require.ErrorContains(t, err, "not one of several, and cannot keep 3 copies")
		var trouble *Trouble
		require.ErrorAs(t, err, &trouble)
		require.Contains(t, trouble.Remedy, "queue_replicas 1")
	}
}
