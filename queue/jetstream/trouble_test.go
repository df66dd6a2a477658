package jetstream

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestThatThereIsNoConnectionIsSaidWithItsReason(t *testing.T) {
	t.Parallel()
	mute, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, and never says a word
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
		s.link.greetWithin = 100 * time.Millisecond
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
	require.EqualError(t, err, "the queue cannot be reached: too few servers of the cluster run, or they just begin to")
}

func TestAReasonIsToldNoLongerOnceATryEndsForAnother(t *testing.T) {
	t.Parallel()
	o := serverOptions(t.TempDir(), server.RANDOM_PORT)
	o.Users = []*server.User{{Username: "ana", Password: secret}}
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	at, err := net.Listen("tcp", "127.0.0.1:0") // a proxy whose server goes
	require.NoError(t, err)
	t.Cleanup(func() { _ = at.Close() })
	var gone atomic.Bool
	go func() {
		for {
			near, err := at.Accept()
			if err != nil {
				return
			}
			if far, err := net.Dial("tcp", n.Addr().String()); err == nil && !gone.Load() {
				go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
				go func() { _, _ = io.Copy(near, far); _ = near.Close() }()
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
