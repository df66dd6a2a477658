package cli

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/relay"
	"github.com/choicetui/choicetui/queue/storetest"
)

// newRelay returns the host's side for a queue in a directory of its own, and its queue.
func newRelay(t *testing.T) (*relayHost, *queue.Queue) {
	t.Helper()
	t.Cleanup(xdg.Reload) // runs after t.Setenv has restored the variables
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TMUX", "")
	xdg.Reload() // else the rules are those of who runs the tests
	sh := &shell{out: io.Discard, err: io.Discard, now: time.Now, queue: filepath.Join(t.TempDir(), "queue")}
	q, err := sh.openQueue()
	require.NoError(t, err)
	r := &relayHost{sh: sh, queue: q}
	t.Cleanup(r.leave)
	return r, q
}

func encoded(t *testing.T, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}

func TestTheRelayUsesOnlyOriginsThatItsQueueHas(t *testing.T) {
	r, q := newRelay(t)
	_, err := r.reach(t.Context(), encoded(t, queue.Origin{}))
	require.ErrorIs(t, err, errNotJoined)
	o := queue.Origin{Client: "claude-code", Cwd: "/src/shop", Host: "h", PID: 1 << 22, ToolUse: "toolu_1"}
	_, err = q.Create(t.Context(), queue.Session{Ask: storetest.Ask(), Origin: o})
	require.NoError(t, err)
	_, err = r.join(t.Context(), "desk", queue.RoleDashboard)
	require.NoError(t, err)
	_, err = r.join(t.Context(), "desk", queue.RoleDashboard)
	require.Error(t, err, "one dashboard for each relay")

	o.Host = "build1" // the dashboard's name for it
	got, err := r.look(t.Context(), encoded(t, remoteLook{Of: o}))
	require.NotErrorIs(t, err, queue.ErrNotFound, "%v", got)
	for name, change := range map[string]func(*queue.Origin){
		"another directory": func(o *queue.Origin) { o.Cwd = "/etc" },
		"another process":   func(o *queue.Origin) { o.PID = 1 },
		"another call":      func(o *queue.Origin) { o.ToolUse = "../../x" },
		"another pane":      func(o *queue.Origin) { o.Pane = "%0; rm -rf ~" },
	} {
		forged := o
		change(&forged)
		_, err := r.look(t.Context(), encoded(t, remoteLook{Of: forged}))
		require.ErrorIs(t, err, queue.ErrNotFound, name)
	}
	forged := o
	forged.PID = 1
	_, err = r.line(t.Context(), encoded(t, remoteLine{To: forged, Text: "hello"}))
	require.ErrorIs(t, err, desk.ErrAgentGone)
	_, err = r.line(t.Context(), encoded(t, remoteLine{To: o, Text: "hello"}))
	require.Error(t, err, "no process has that id")
	require.NotErrorIs(t, err, desk.ErrAgentGone)
	at, err := r.reach(t.Context(), encoded(t, o))
	require.NoError(t, err)
	require.NotEmpty(t, at.(remoteReach).Why)
}

func TestARuleMadeFromElsewhereHoldsOnItsHost(t *testing.T) {
	r, q := newRelay(t)
	ask := roomtest.ApproveTest()
	ask.Approval.Dir = t.TempDir()
	ask.TimeoutSeconds = 60
	put := func(source string) queue.Session {
		t.Helper()
		s, err := q.Create(t.Context(), queue.Session{Ask: ask, Origin: queue.Origin{Dialect: queue.DialectNative,
			Client: "claude-code", Cwd: ask.Approval.Dir, Thread: "t", Source: source}})
		require.NoError(t, err)
		return s
	}
	first := put("claude:t/1")
	w, err := r.join(t.Context(), "desk", queue.RoleDashboard)
	require.NoError(t, err)
	ch, err := w.Next(t.Context())
	require.NoError(t, err)
	require.True(t, ch.Presence)
	require.Len(t, ch.Sessions, 1, "the dashboard drops what the first batch does not have")
	require.Equal(t, first.ID, ch.Sessions[0].ID)

	_, err = r.addRule(t.Context(), encoded(t, first.ID))
	require.NoError(t, err)
	time.Sleep(2 * time.Millisecond) // a rule covers what is asked after it was made, to the millisecond
	second := put("claude:t/2")
	for {
		ch, err := w.Next(t.Context())
		require.NoError(t, err)
		for _, s := range ch.Sessions {
			if s.ID != second.ID {
				continue
			}
			require.NotNil(t, s.Outcome, "it is never shown as pending")
			require.Equal(t, queue.ByRule, s.Outcome.By)
			_, err = r.addRule(t.Context(), encoded(t, "../rules"))
			require.ErrorIs(t, err, queue.ErrNotFound)
			return
		}
	}
}

func TestWhyARelayDoesNotStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command string
		is      error
		says    string
	}{
		{"exit 127", errNotInstalled, ""},
		{"echo 'bash: choicetui: command not found' >&2; exit 127", errNotInstalled, ""},
		{`echo 'exec: "choicetui": executable file not found in $PATH' >&2; exit 1`, errNotInstalled, ""},
		{`echo 'choicetui: there is no command "relay"' >&2; exit 1`, relay.ErrOlder, ""},
		{"echo 'dev@build1: Permission denied (publickey).' >&2; exit 255", errNoLogin, "Permission denied"},
		{"echo 'ssh: connect to host build1 port 22: No route to host' >&2; exit 255", nil, "No route to host"},
		{`printf 'no\033[31mthing\n' >&2; exit 9`, nil, "no<U+001B>[31mthing"},
		{"exit 3", nil, "exit status 3"},
		{`echo 'OCI runtime exec failed: exec: "choicetui": executable file not found in $PATH'; exit 126`, // docker
			errNotInstalled, ""},
		{"echo 'OCI runtime exec failed: exec format error'; exit 126", nil, "exec format error"},
		{"echo Welcome; printf 'no end'; echo 'sh: choicetui: not found' >&2; exit 127", errNotInstalled, ""},
		{"echo Welcome; exit 127", errNotInstalled, ""},
		{"echo Welcome; exit 5", nil, "exit status 5"},
		{"no-such-program exec -i box || exit", nil, "no-such-program"},
		{"printf 'choicetui: it has no flag -x\nchoicetui: hint: look\n' >&2; exit 1", nil, "it has no flag -x"},
		{"printf 'Error: no such folder\n    at async main.js:488\n}\n' >&2; exit 1", nil, "no such folder"},
		{"echo '" + relay.Greeting + `{"version":1}'; echo '{"now":"2026"}'; exit 4`, nil, "exit status 4"},
	} {
		conn, err := startRelay("box", c.command+"; : choicetui relay")
		require.NoError(t, err)
		_, _ = io.Copy(io.Discard, conn)
		err = conn.Close()
		require.Error(t, err, c.command)
		require.ErrorContains(t, err, c.says)
		if c.is != nil {
			require.ErrorIs(t, err, c.is, c.command)
		}
	}
	conn, err := startRelay("box", "echo bye >&2; true")
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.NoError(t, whyEnded("box", errors.New("killed"), "", ""))
}

func TestAPersonMayNameTheProgramInVia(t *testing.T) {
	t.Parallel()
	for via, want := range map[string]string{
		"docker exec -i box":                        "docker exec -i box choicetui relay",
		"docker exec -i box choicetui relay":        "docker exec -i box choicetui relay",
		"docker exec -i box /opt/choicetui relay\n": "docker exec -i box /opt/choicetui relay\n",
		"docker exec -i relay":                      "docker exec -i relay choicetui relay",
	} {
		require.Equal(t, want, viaCommand(via))
	}
}

func TestACommandThatLooksAtAHostIsNoDashboardThere(t *testing.T) {
	r, q := newRelay(t)
	_, err := r.join(t.Context(), "look", queue.RoleVisitor)
	require.NoError(t, err)
	open, err := q.DashboardOpen(t.Context())
	require.NoError(t, err)
	require.False(t, open, "agents must not wait for it")
}
