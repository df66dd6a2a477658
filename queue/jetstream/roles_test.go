package jetstream

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// documented returns the configuration in docs/team.md, with other directories, another port and, without withTLS, no
// TLS.
func documented(t *testing.T, withTLS bool) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "team.md"))
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```\n# /etc/nats/choicetui.conf\n(.*?)```").FindSubmatch(raw)
	require.NotNil(t, found, "docs/team.md has the configuration")
	dir, conf := t.TempDir(), string(found[1])
	writeCertificate(t, dir, time.Now().Add(90*24*time.Hour))
	for was, is := range map[string]string{"/var/lib/nats": filepath.Join(dir, "store"), "0.0.0.0:4222": "127.0.0.1:-1",
		"/etc/nats/": dir + "/"} {
		require.Contains(t, conf, was)
		conf = strings.ReplaceAll(conf, was, is)
	}
	if !withTLS {
		tls := regexp.MustCompile(`(?m)^tls .*\n`)
		require.Regexp(t, tls, conf)
		conf = tls.ReplaceAllString(conf, "")
	}
	path := filepath.Join(dir, "choicetui.conf")
	require.NoError(t, os.WriteFile(path, []byte(conf), 0o600))
	return path
}

// runConfigured runs a server with a configuration file, like nats-server.
func runConfigured(t *testing.T, path string) *server.Server {
	t.Helper()
	o, err := server.ProcessConfigFile(path)
	require.NoError(t, err)
	require.True(t, o.SyncAlways)
	o.NoSigs, o.NoLog = true, true
	n, err := runServer(o)
	require.NoError(t, err)
	t.Cleanup(n.Shutdown)
	return n
}

// password returns a user's password in the configuration.
func password(t *testing.T, path, user string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	found := regexp.MustCompile(`\{user: ` + user + `, password: "([^"]+)"`).FindSubmatch(raw)
	require.NotNil(t, found, user)
	return string(found[1])
}

func openAs(t *testing.T, n *server.Server, path, user string) *Store {
	t.Helper()
	return openAt(t, Options{URL: n.ClientURL(),
		Credentials: credentialFile(t, "user: "+user+"\npassword: "+password(t, path, user)+"\n", 0o600)})
}

// settled answers a question as the person does, and returns the session.
func settled(t *testing.T, s *Store, id string) queue.Session {
	t.Helper()
	v, err := queue.New(s).Do(t.Context(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: storetest.Answer("a")}})
	require.NoError(t, err)
	return v
}

func TestTheDocumentedUsersDoWhatTheirRolesSay(t *testing.T) {
	t.Parallel()
	path := documented(t, false)
	n := runConfigured(t, path)
	person, agent, audit := openAs(t, n, path, "ana"), openAs(t, n, path, "ci-agents"), openAs(t, n, path, "audit")
	release, err := agent.Announce(t.Context(), queue.Presence{Instance: "ci", Role: queue.RoleBridge})
	require.NoError(t, err)
	asked := storetest.Create(t, agent)
	began := time.Now()
	w := watching(t, agent, asked.ID)
	require.Less(t, time.Since(began), time.Second, "who may not read drafts does not wait for them")
	require.Len(t, next(t, w).Sessions, 1)
	_, err = person.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	_, err = person.Announce(t.Context(), queue.Presence{Instance: "ana", Role: queue.RoleDashboard})
	require.NoError(t, err)
	require.NoError(t, person.SaveDraft(t.Context(), queue.Draft{Session: asked.ID, Instance: "ana", At: time.Now()}))
	settled(t, person, asked.ID)
	for ch := (queue.Changes{}); len(ch.Sessions) == 0 || ch.Sessions[0].Outcome == nil; {
		ch = next(t, w) // new processes are reported too
	}
	claim := queue.Claim{Instance: "ci", Conn: "1"}
	var done queue.Session
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Collect{Claim: claim}} {
		done, err = queue.New(agent).Do(t.Context(), asked.ID, queue.Command{By: queue.ByCaller,
			Surface: queue.SurfaceClient, Do: do})
		require.NoError(t, err)
	}
	require.NoError(t, agent.Archive(t.Context(), done))
	require.NoError(t, release())
	for name, read := range map[string]func() error{
		"history": func() error { _, err := agent.Get(t.Context(), asked.ID); return err },
		"page":    func() error { _, _, err := agent.History(t.Context(), "", 5, queue.Whole); return err },
		"drafts":  func() error { _, err := agent.Drafts(t.Context(), asked.ID); return err },
		"draft": func() error {
			return agent.SaveDraft(t.Context(), queue.Draft{Session: asked.ID, Instance: "ci", At: time.Now()})
		},
	} {
		requireRefused(t, read, name)
	}

	page, _, err := audit.History(t.Context(), "", 5, queue.Whole)
	require.NoError(t, err)
	require.Equal(t, asked.ID, page[0].ID)
	counted, err := audit.CountHistory(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, counted)
	other := storetest.Create(t, agent)
	live, _, err := audit.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
	present, err := audit.Present(t.Context())
	require.NoError(t, err)
	require.Len(t, present, 1)
	for name, write := range map[string]func() error{
		"ask": func() error {
			_, err := queue.New(audit).Create(t.Context(), queue.Session{Ask: storetest.Ask()})
			return err
		},
		"answer": func() error { _, err := audit.Put(t.Context(), other); return err },
		"draft": func() error {
			return audit.SaveDraft(t.Context(), queue.Draft{Session: other.ID, Instance: "audit", At: time.Now()})
		},
		"announce": func() error {
			_, err := audit.Announce(t.Context(), queue.Presence{Instance: "audit", Role: queue.RoleDashboard})
			return err
		},
	} {
		requireRefused(t, write, name)
	}
	still, err := person.Get(t.Context(), other.ID)
	require.NoError(t, err)
	require.Equal(t, other.Revision, still.Revision)
}

func requireRefused(t *testing.T, do func() error, what string) {
	t.Helper()
	began := time.Now()
	err := do()
	require.Less(t, time.Since(began), answerWithin/2, "%s: it is told at once", what)
	require.ErrorIs(t, err, queue.ErrRefused, what)
	require.Contains(t, err.Error(), "does not let these credentials use", what)
	require.NotErrorIs(t, err, queue.ErrUnreachable, "%s: waiting would not help", what)
	require.NotErrorIs(t, err, queue.ErrInDoubt, "%s: nothing was written", what)
}

func TestNobodyOfTheDocumentedUsersHearsWhatAnotherIsAnswered(t *testing.T) {
	t.Parallel()
	path := documented(t, false)
	n := runConfigured(t, path)
	nc, err := nats.Connect(n.ClientURL(), nats.UserInfo("ci-agents", password(t, path, "ci-agents")),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	require.NoError(t, err)
	defer nc.Close()
	for _, subject := range []string{"_INBOX.>", "_INBOX.ana.>", "$KV.>", "choicetui_done.>", ">"} {
		_, err := nc.SubscribeSync(subject)
		require.NoError(t, err)
		require.NoError(t, nc.Flush())
		require.ErrorIs(t, nc.LastError(), nats.ErrPermissionViolation, subject)
	}
}

func TestARefusalThatSomebodyWaitedForIsNoReasonOfAnotherCall(t *testing.T) {
	t.Parallel()
	l := open(t).link
	said := func(subject string) error {
		return fmt.Errorf("%w: Permissions Violation for Publish to %q", nats.ErrPermissionViolation, subject)
	}
	began := time.Now()
	until, done := l.untilRefused(t.Context(), "$JS.API.CONSUMER.CREATE.KV_q_drafts.")
	l.noteRefusal(nil, nil, said("$JS.API.CONSUMER.CREATE.KV_q_drafts.x"))
	require.Error(t, until.Err())
	require.Error(t, done())
	require.NoError(t, l.refusedSince(began), "a call that ends without an answer meanwhile has another reason")
	l.noteRefusal(nil, nil, said("$JS.API.STREAM.INFO.q_done"))
	require.ErrorContains(t, l.refusedSince(began), "$JS.API.STREAM.INFO.q_done")
}

func TestTheDocumentedServerSpeaksTLS(t *testing.T) {
	t.Parallel()
	path := documented(t, true)
	s := openAt(t, Options{URL: overTLS(runConfigured(t, path)), Authority: filepath.Join(filepath.Dir(path), "ca.crt"),
		Credentials: credentialFile(t, "user: ana\npassword: "+password(t, path, "ana")+"\n", 0o600)})
	storetest.Create(t, s)
}
