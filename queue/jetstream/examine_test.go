package jetstream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func examined(t *testing.T, s *Store) Health {
	t.Helper()
	began := time.Now()
	h, err := Examine(t.Context(), s)
	require.NoError(t, err)
	require.Less(t, time.Since(began), answerWithin, "nothing was waited for in vain")
	return h
}

func mayNot(h Health) (missing []Right) {
	for right := ReadQuestions; right <= Announce; right++ {
		if !h.May[right] {
			missing = append(missing, right)
		}
	}
	return missing
}

func TestAServerThatIsNotOneOfSeveralIsTold(t *testing.T) {
	t.Parallel()
	s := openAt(t, Options{URL: sharedURL(t), Bucket: "t-" + queue.NewToken(), Replicas: 3})
	h := examined(t, s)
	require.True(t, h.Alone)
	require.Empty(t, h.Copies)
	require.Equal(t, 3, h.Want)
	_, err := s.Create(t.Context(), queue.Session{ID: queue.NewID(), Ask: storetest.Ask()})
	require.ErrorContains(t, err, "not one of several")
}

func TestTheDocumentedRolesAreFoundNeitherTooWideNorTooNarrow(t *testing.T) {
	t.Parallel()
	path := documented(t, false)
	n := runConfigured(t, path)
	for user, missing := range map[string][]Right{
		"ana": nil, "ci-agents": {ReadDrafts, WriteDrafts, ReadHistory},
		"audit": {WriteQuestions, WriteDrafts, WriteHistory, Announce},
	} {
		s := openAs(t, n, path, user)
		if user == "ana" {
			storetest.Create(t, s)
		}
		h := examined(t, s)
		require.Equal(t, missing, mayNot(h), user)
		require.Empty(t, h.Wide, user)
		require.Equal(t, user == "ana", h.SyncKnown, user)
		require.Equal(t, user == "ana", h.SyncAlways, user)
	}
	admin := examined(t, openAs(t, n, path, "admin"))
	require.Equal(t, []string{"change streams", "delete streams", "empty streams", "make others"}, admin.Wide)
	require.True(t, admin.SyncKnown)
	live, _, err := openAs(t, n, path, "ana").Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1, "looking has changed nothing")
}

func TestAServerThatSyncsNowAndThenIsFound(t *testing.T) {
	t.Parallel()
	path := documented(t, false)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(raw), ", sync_interval: always", "", 1)), 0o600))
	o, err := server.ProcessConfigFile(path)
	require.NoError(t, err)
	o.NoSigs, o.NoLog = true, true
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	h := examined(t, openAs(t, n, path, "ana"))
	require.True(t, h.SyncKnown)
	require.False(t, h.SyncAlways)
	require.Equal(t, 2*time.Minute, h.SyncEvery)
}

func TestCopiesAndClocksAreComparedWithTheServers(t *testing.T) {
	t.Parallel()
	o := open(t).link.options
	first := openAt(t, o)
	for host, ahead := range map[string]time.Duration{"near": 0, "late": -30 * time.Second, "early": 40 * time.Second} {
		v := sample(time.Now())
		v.ID, v.Final, v.Outcome = queue.NewID(), false, nil
		v.AskedAt, v.Origin.Host = time.Now().Add(ahead), host
		_, err := first.Create(t.Context(), v)
		require.NoError(t, err)
	}
	o.Replicas = 3
	s := openAt(t, o)
	s.link.now = func() time.Time { return time.Now().Add(time.Minute) }
	h := examined(t, s)
	require.Equal(t, 1, h.Copies["KV_"+o.Bucket+pendingStream])
	require.Equal(t, 3, h.Want)
	require.InDelta(t, time.Minute, h.Ahead, float64(time.Second))
	require.InDelta(t, 0, h.Hosts["near"], float64(time.Second))
	require.InDelta(t, -30*time.Second, h.Hosts["late"], float64(time.Second))
	require.InDelta(t, 40*time.Second, h.Hosts["early"], float64(time.Second))
	require.False(t, h.SyncKnown, "a server does not tell it to everybody")
	require.False(t, h.Encrypted)
}

func TestAQuestionThatMovedHereSaysNothingOfTheClockWhereItWasAsked(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := sample(time.Now())
	v.ID, v.Final, v.Outcome = queue.NewID(), false, nil
	v.AskedAt, v.Origin.Host = time.Now().Add(-time.Hour), "vm"
	v.Events = append(v.Events, queue.Event{ID: "d", Kind: queue.EventDeparted, By: queue.ByHuman, At: time.Now()})
	_, err := s.Create(t.Context(), v)
	require.NoError(t, err)
	require.Empty(t, examined(t, s).Hosts, "its age is no skew")
}

func TestTheDocumentedServerSpeaksTLSAndItsCertificatesEndIsFound(t *testing.T) {
	t.Parallel()
	path := documented(t, true)
	s := openAt(t, Options{URL: overTLS(runConfigured(t, path)), Authority: filepath.Join(filepath.Dir(path), "ca.crt"),
		Credentials: credentialFile(t, "user: ana\npassword: "+password(t, path, "ana")+"\n", 0o600)})
	storetest.Create(t, s)
	h := examined(t, s)
	require.True(t, h.Encrypted)
	require.WithinDuration(t, time.Now().Add(90*24*time.Hour), h.CertEnds, time.Minute)
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
