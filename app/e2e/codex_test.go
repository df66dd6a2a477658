package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/queue"
)

// codexServer plays Codex's app-server in a home: one session that asks one thing, of whoever joins it.
type codexServer struct {
	testing.TB
	request string

	mu        sync.Mutex
	clients   int
	sockets   []*websocket.Conn // everyone who ever came
	joined    bool              // somebody has joined the session
	responses []string
}

// tell sends a message to everyone who is there.
func (s *codexServer) tell(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ws := range s.sockets {
		_ = ws.Write(s.Context(), websocket.MessageText, []byte(text))
	}
}

// codexHome is a short name for a home of Codex: a socket's name has room for 107 bytes.
func codexHome(t testing.TB) string {
	t.Helper()
	home, err := os.MkdirTemp("", "cx")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

// codex starts a server in a home. thread takes the place of the recorded one.
func (r *room) codex(home, name, thread string) *codexServer {
	r.Helper()
	s := &codexServer{TB: r}
	for _, c := range agenttest.All(r, "codex") {
		if c.Name == name {
			s.request = strings.ReplaceAll(strings.TrimSpace(string(c.Stdin)), "01a2000d-938f-77a0-9c03-595a8ce1966f", thread)
		}
	}
	dir := filepath.Join(home, "app-server-control")
	require.NoError(r, os.MkdirAll(dir, 0o700))
	l, err := net.Listen("unix", filepath.Join(dir, "app-server-control.sock"))
	require.NoError(r, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if ws, err := websocket.Accept(w, q, nil); err == nil {
			s.serve(q.Context(), ws, thread)
		}
	})}
	go server.Serve(l)
	r.Cleanup(func() { _ = server.Close() })
	return s
}

func (s *codexServer) serve(ctx context.Context, ws *websocket.Conn, thread string) {
	s.count(1)
	defer s.count(-1)
	s.mu.Lock()
	s.sockets = append(s.sockets, ws)
	s.mu.Unlock()
	write := func(text string) { _ = ws.Write(ctx, websocket.MessageText, []byte(text)) }
	for {
		_, raw, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(raw, &m)
		switch {
		case m.Method == "thread/loaded/list":
			write(fmt.Sprintf(`{"id":%s,"result":{"data":[%q],"nextCursor":null}}`, m.ID, thread))
		case m.Method == "thread/resume":
			write(fmt.Sprintf(`{"id":%s,"result":{"thread":{"id":%q,"cwd":"/src/work2","turns":[]}}}`, m.ID, thread))
			if s.request != "" {
				write(s.request)
			}
			s.mu.Lock()
			s.joined = true
			s.mu.Unlock()
		case m.Method == "" && len(m.ID) > 0:
			s.mu.Lock()
			s.responses = append(s.responses, string(raw))
			s.mu.Unlock()
			write(fmt.Sprintf(`{"method":"serverRequest/resolved","params":{"threadId":%q,"requestId":%s}}`, thread, m.ID))
		case len(m.ID) > 0:
			write(fmt.Sprintf(`{"id":%s,"result":{}}`, m.ID))
		}
	}
}

func (s *codexServer) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients += n
}

func (s *codexServer) connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients
}

// beside opens a dashboard of lines for a home of Codex, until closes is called.
func (r *room) beside(home string) (closes func()) {
	r.Helper()
	cmd := r.command("--plain")
	cmd.Env = append(cmd.Env, "CODEX_HOME="+home)
	in, err := cmd.StdinPipe()
	require.NoError(r, err)
	cmd.Stdout = io.Discard
	require.NoError(r, cmd.Start())
	closes = sync.OnceFunc(func() { _ = in.Close(); _ = cmd.Wait() })
	r.Cleanup(closes)
	return closes
}

func TestADashboardWatchesCodexAndTheLastOneEndsIt(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	home := codexHome(t)
	first := r.beside(home)
	s := r.codex(home, "question", "01a2000d-938f-77a0-9c03-595a8ce1966f")
	second := r.beside(home)
	until(t, "the queue is there", func() bool { _, err := os.Stat(r.queue); return err == nil })
	q := queue.New(r.store())
	asked := r.asked(q)
	require.Equal(t, "codex", asked.Origin.Client)
	require.Equal(t, "/src/work2", asked.Origin.Cwd)
	require.Equal(t, os.Getpid(), asked.Origin.PID, "the app-server's process")
	time.Sleep(6 * time.Second) // a dashboard has looked again
	require.Equal(t, 1, s.connected(), "one watches for both")
	first()
	_, err := q.Do(t.Context(), asked.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"HTML"}},
			{Question: "q2", Selected: []string{"Long"}}}}}})
	require.NoError(t, err)
	r.ended(q, asked.ID)
	require.Equal(t, []string{`{"id":0,"result":{"answers":{"fmt":{"answers":["HTML"]},"len":{"answers":["Long"]}}}}`},
		s.responses)
	second()
	until(t, "nobody watches any more", func() bool { return s.connected() == 0 })
	files, err := filepath.Glob(filepath.Join(home, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(home, "app-server-control")}, files, "nothing is left in Codex's home")
}

func TestCodexIsNotWatchedWhereTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	home := codexHome(t)
	s := r.codex(home, "question", "t1")
	r.run("config", "set", "native.watch", "off")
	r.beside(home)
	time.Sleep(2 * time.Second)
	require.Zero(t, s.connected())
	r.dashboard()
	p := r.command("native", "codex")
	p.Env = append(p.Env, "CODEX_HOME="+home)
	out, err := p.CombinedOutput()
	require.NoError(t, err)
	require.Empty(t, string(out))
}

func TestEachHomeOfCodexIsWatchedOnce(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	one, two := codexHome(t), codexHome(t)
	a, b := r.codex(one, "question", "t1"), r.codex(two, "question", "t2")
	link := two + "-link"
	require.NoError(t, os.Symlink(two, link))
	t.Cleanup(func() { os.Remove(link) })
	r.beside(one)
	r.beside(two)
	r.beside(link)
	until(t, "the queue is there", func() bool { _, err := os.Stat(r.queue); return err == nil })
	q := queue.New(r.store())
	until(t, "both ask", func() bool {
		live, _, err := q.Store.Live(t.Context())
		return err == nil && len(live) == 2
	})
	require.Equal(t, 1, a.connected())
	require.Equal(t, 1, b.connected())
}
