package e2e

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
)

// A queue on a server, and what can happen to that.

// shared is a queue on a server, with a wire of its own for the dashboard and for the agents.
type shared struct {
	*room
	o            *server.Options
	server       *server.Server
	mine, theirs *line
}

// onServer is a room whose queue is on a server.
func onServer(t testing.TB, o server.Options) *shared {
	t.Helper()
	s := &shared{room: newRoom(t), o: &o}
	o.Host, o.JetStream, o.StoreDir = "127.0.0.1", true, filepath.Join(s.dir, "server")
	o.NoSigs, o.NoLog, o.SyncAlways = true, true, true
	s.mine, s.theirs = newLine(t, ""), newLine(t, "")
	s.serve()
	t.Cleanup(func() { s.server.Shutdown() })
	s.env = append(s.env, "CHOICETUI_QUEUE=nats://"+s.mine.addr)
	return s
}

// serve starts the server, on another port each time: the lines that try to reach it may have taken the port of before.
func (s *shared) serve() {
	s.Helper()
	var err error
	s.o.Port = server.RANDOM_PORT
	s.server, err = server.NewServer(s.o)
	require.NoError(s, err)
	s.server.Start()
	require.True(s, s.server.ReadyForConnections(patience))
	s.mine.lead(s.server.Addr().String())
	s.theirs.lead(s.server.Addr().String())
}

// elsewhere is the room as agents have it: they reach the server over a wire of their own.
func (s *shared) elsewhere() *room {
	r := *s.room
	r.env = append(r.env[:len(r.env):len(r.env)], "CHOICETUI_QUEUE=nats://"+s.theirs.addr)
	return &r
}

// history is what was settled and fetched.
func (s *shared) history() []queue.Session {
	s.Helper()
	o := jetstream.Options{URL: s.server.ClientURL()}
	if len(s.o.Users) > 0 {
		o.Credentials = filepath.Join(s.dir, "credentials")
	}
	store, err := jetstream.Open(o)
	require.NoError(s, err)
	defer store.Close()
	page, _, err := store.History(s.Context(), "", 10, queue.Whole)
	require.NoError(s, err)
	return page
}

// line carries connections to the server. It can be cut, and it can be held: then nothing is said on it any more.
type line struct {
	addr string
	held sync.RWMutex

	mu    sync.Mutex
	to    string
	cut   bool
	conns []net.Conn
}

func newLine(t testing.TB, to string) *line {
	t.Helper()
	in, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := &line{addr: in.Addr().String(), to: to}
	t.Cleanup(func() { in.Close(); l.breakOff(true) })
	go func() {
		for {
			near, err := in.Accept()
			if err != nil {
				return
			}
			if remote, err := net.Dial("tcp", l.leadsTo()); err != nil || !l.keep(near, remote) {
				near.Close()
			} else {
				go l.carry(near, remote)
				go l.carry(remote, near)
			}
		}
	}()
	return l
}

// lead makes the line lead to another address from now on.
func (l *line) lead(to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.to = to
}

func (l *line) leadsTo() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to
}

func (l *line) keep(conns ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, conns...)
	return !l.cut
}

func (l *line) carry(from, to net.Conn) {
	defer to.Close()
	for b := make([]byte, 32<<10); ; {
		n, err := from.Read(b)
		l.held.RLock()
		_, werr := to.Write(b[:n])
		l.held.RUnlock()
		if err != nil || werr != nil {
			return
		}
	}
}

// breakOff ends every connection on it, and as long as it is cut there are no others.
func (l *line) breakOff(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
	for _, c := range l.conns {
		c.Close()
	}
	l.conns = nil
}

// login has the server know one person by a password, and the room's programs give it.
func (s *shared) login(password string) {
	s.Helper()
	file := filepath.Join(s.dir, "credentials")
	require.NoError(s, os.WriteFile(file, []byte("user: ana\npassword: "+password+"\n"), 0o600))
	config := filepath.Join(s.dir, "config", "choicetui")
	require.NoError(s, os.MkdirAll(config, 0o700))
	settings := `{"queue_credentials": "` + file + `"}`
	require.NoError(s, os.WriteFile(filepath.Join(config, "config.json"), []byte(settings), 0o600))
}

func users(password string) []*server.User {
	return []*server.User{{Username: "ana", Password: password}}
}

// TestNothingIsLostWhateverHappensToTheServer answers a question while the server is in trouble, each time in the same
// way: the answer waits at the dashboard, and the agent has it once the trouble is over.
func TestNothingIsLostWhateverHappensToTheServer(t *testing.T) {
	for _, c := range []struct {
		name       string
		begin, end func(s *shared)
		dashboard  string // says this
		stuck      string // so does the answer under way
		told       string // is what an agent is told that asks now; empty: it can ask
		gate       string // says this, and lets everything through; empty: it knows that a question waits
		users      string
	}{
		{name: "killed and restarted", begin: func(s *shared) { s.server.Shutdown() }, end: (*shared).serve,
			dashboard: "the queue cannot be reached", stuck: "not saved yet, trying again",
			told: "The person cannot be reached just now", gate: "so the prompt goes through"},
		{name: "silent", begin: func(s *shared) { s.mine.held.Lock(); s.theirs.held.Lock() },
			end:   func(s *shared) { s.mine.held.Unlock(); s.theirs.held.Unlock() },
			stuck: "not saved yet, trying again", told: "The person cannot be reached just now", gate: "so the prompt goes through"},
		{name: "the dashboard is cut off", begin: func(s *shared) { s.mine.breakOff(true) },
			end:       func(s *shared) { s.mine.breakOff(false) },
			dashboard: "the queue cannot be reached", stuck: "not saved yet, trying again", gate: "so the prompt goes through"},
		{name: "the agents are cut off", begin: func(s *shared) { s.theirs.breakOff(true) },
			end:  func(s *shared) { s.theirs.breakOff(false) },
			told: "The person cannot be reached just now"},
		{name: "credentials revoked", users: "first", begin: func(s *shared) { s.reload("second") },
			end: func(s *shared) { s.login("second") }, dashboard: "the queue cannot be reached",
			stuck: "not saved yet, trying again", told: "The person cannot be reached just now", gate: "so the prompt goes through"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := server.Options{}
			if c.users != "" {
				o.Users = users(c.users)
			}
			s := onServer(t, o)
			if c.users != "" {
				s.login(c.users)
			}
			p := s.tmux().dashboard(110, 24)
			call := s.elsewhere().connect("claude-code").ask(which())
			p.meet("Which database?")
			p.opens("n", "Done")
			p.write("if it is cheap")
			p.see("if it is cheap")
			p.press("Enter")
			time.Sleep(guarded)

			c.begin(s)
			if c.dashboard != "" {
				t.Log(said(p.see(c.dashboard, "if it is cheap"), c.dashboard))
			}
			if c.told != "" {
				other := s.elsewhere().connect("codex-mcp-client").ask(object{"title": "Which cache?", "prompt": "One.",
					"selection_mode": "single", "options": []object{{"id": "a", "recommended": true}, {"id": "b"}}})
				got := other.refusal()
				t.Log(got)
				assert.Contains(t, got, c.told)
				assert.Contains(t, got, "call again")
			}
			gate := s.run("gate")
			t.Log(gate)
			assert.Contains(t, gate.err, c.gate)
			if c.gate != "" {
				assert.Zero(t, gate.code)
			}
			p.press("Enter")
			if c.stuck != "" {
				t.Log(said(p.see(c.stuck), c.stuck))
			}
			c.end(s)
			got := call.answer()
			assert.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
			assert.Equal(t, object{"pg": "if it is cheap"}, got.selection()["option_annotations"])
			p.see("nothing is waiting")
			p.lose("cannot be reached")
			until(t, "it is archived", func() bool { return len(s.history()) == 1 })
		})
	}
}

// reload restarts the server with another password. Its own ReloadOptions has a data race with clients that are sending.
func (s *shared) reload(password string) {
	s.Helper()
	s.server.Shutdown()
	s.server.WaitForShutdown()
	s.o.Users = users(password)
	s.serve()
}

// said is the row of a screen that says something.
func said(screen, what string) string {
	for row := range strings.Lines(screen) {
		if strings.Contains(row, what) {
			return strings.TrimSpace(row)
		}
	}
	return ""
}
