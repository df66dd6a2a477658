package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// patience limits the time that a test waits for an expected event.
const patience = 10 * time.Second

// appServer plays the app-server of codex-cli 0.169.0 as far as it was recorded: it asks those who joined a session,
// repeats open requests for later clients, takes the first response, and tells all that the request is resolved.
type appServer struct {
	testing.TB
	home   string
	server *http.Server

	mu      sync.Mutex
	clients map[*websocket.Conn]map[string]bool // the connections, with the sessions that each has joined
	threads map[string]string                   // by id: the directory
	history string                              // the result of thread/resume
	open    map[string]json.RawMessage          // the open requests, by thread and id
	order   []string
	taken   []string // responses, in their order
	calls   []string // requests of clients: method, parameters
}

func newAppServer(t testing.TB) *appServer {
	t.Helper()
	home, err := os.MkdirTemp("", "cx") // short: a socket's name has room for 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	return &appServer{TB: t, home: home, threads: map[string]string{recordedThread: "/src/work2"},
		open: map[string]json.RawMessage{}}
}

// recordedThread is the session whose requests were recorded.
const recordedThread = "01a2000d-938f-77a0-9c03-595a8ce1966f"

// start listens, with no client and what was asked before.
func (s *appServer) start() *appServer {
	s.Helper()
	dir := filepath.Join(s.home, "app-server-control")
	require.NoError(s, os.MkdirAll(dir, 0o700))
	path := filepath.Join(dir, "app-server-control.sock")
	_ = os.Remove(path)
	l, err := net.Listen("unix", path)
	require.NoError(s, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clients = map[*websocket.Conn]map[string]bool{}
	s.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ws, err := websocket.Accept(w, r, nil); err == nil {
			s.serve(r.Context(), ws)
		}
	})}
	server := s.server
	go server.Serve(l)
	s.Cleanup(s.stop)
	return s
}

// stop ends the server and its connections.
func (s *appServer) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ws := range s.clients {
		_ = ws.CloseNow()
	}
	_ = s.server.Close()
}

func (s *appServer) serve(ctx context.Context, ws *websocket.Conn) {
	ws.SetReadLimit(-1)
	s.mu.Lock()
	s.clients[ws] = map[string]bool{}
	s.mu.Unlock()
	for {
		_, raw, err := ws.Read(ctx)
		s.mu.Lock()
		if err != nil {
			delete(s.clients, ws)
			s.mu.Unlock()
			return
		}
		var m socket.Message
		if json.Unmarshal(raw, &m) == nil && len(m.ID) > 0 {
			s.hear(ctx, ws, m, raw)
		}
		s.mu.Unlock()
	}
}

func send(ctx context.Context, ws *websocket.Conn, text string) {
	_ = ws.Write(ctx, websocket.MessageText, []byte(text))
}

func (s *appServer) hear(ctx context.Context, ws *websocket.Conn, m socket.Message, raw []byte) {
	var p struct{ ThreadID string }
	_ = json.Unmarshal(m.Params, &p)
	if m.Method != "" {
		s.calls = append(s.calls, m.Method+" "+string(m.Params))
	}
	answer := func(result string) { send(ctx, ws, `{"id":`+string(m.ID)+`,"result":`+result+`}`) }
	switch m.Method {
	case "":
		s.takeResponse(ctx, m, raw)
	case "thread/loaded/list":
		ids := []string{}
		for id := range s.threads {
			ids = append(ids, id)
		}
		list, _ := json.Marshal(ids)
		answer(`{"data":` + string(list) + `,"nextCursor":null}`)
	case "thread/resume":
		s.clients[ws][p.ThreadID] = true
		answer(fmt.Sprintf(`{"thread":{"id":%q,"preview":"x","cwd":%q,"turns":[%s]},"cwd":%q}`, p.ThreadID,
			s.threads[p.ThreadID], s.history, s.threads[p.ThreadID]))
		for _, key := range s.order {
			if request, ok := s.open[key]; ok && threadOf(request) == p.ThreadID {
				send(ctx, ws, string(request))
			}
		}
	default:
		answer(`{"userAgent":"codex-tui/0.169.0"}`)
	}
}

// takeResponse takes the first response to a request; the app-server passes over what comes later.
func (s *appServer) takeResponse(ctx context.Context, m socket.Message, raw []byte) {
	for key, request := range s.open {
		if string(idOf(request)) != string(m.ID) {
			continue
		}
		delete(s.open, key)
		s.taken = append(s.taken, string(raw))
		s.resolved(ctx, threadOf(request), m.ID)
	}
}

func (s *appServer) resolved(ctx context.Context, thread string, id json.RawMessage) {
	for ws, joined := range s.clients {
		if joined[thread] {
			send(ctx, ws, fmt.Sprintf(`{"method":"serverRequest/resolved","params":{"threadId":%q,"requestId":%s}}`,
				thread, id))
		}
	}
}

// tell sends a message to all who joined a thread.
func (s *appServer) tell(thread, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ws, joined := range s.clients {
		if joined[thread] {
			send(context.Background(), ws, text)
		}
	}
}

// asks has the model ask something.
func (s *appServer) asks(request []byte) {
	s.mu.Lock()
	key := threadOf(request) + "/" + string(idOf(request))
	s.open[key] = request
	s.order = append(s.order, key)
	s.mu.Unlock()
	s.tell(threadOf(request), string(request))
}

// answeredThere plays an answer on one of Codex's own screens.
func (s *appServer) answeredThere(request []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, threadOf(request)+"/"+string(idOf(request)))
	s.resolved(context.Background(), threadOf(request), idOf(request))
}

// closes ends a session, with all that it has open: it is not listed any more, and nothing of it is asked again.
func (s *appServer) closes(thread string) {
	s.mu.Lock()
	delete(s.threads, thread)
	for key, request := range s.open {
		if threadOf(request) == thread {
			delete(s.open, key)
		}
	}
	s.mu.Unlock()
	s.tell(thread, `{"method":"thread/closed","params":{"threadId":"`+thread+`"}}`)
}

// forgets drops the open requests, as a restart of the app-server does.
func (s *appServer) forgets() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.open)
}

func (s *appServer) responses() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.taken...)
}

func (s *appServer) called(method string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if len(c) > len(method) && c[:len(method)+1] == method+" " {
			all = append(all, c[len(method)+1:])
		}
	}
	return all
}

// joined reports whether so many clients joined a session.
func (s *appServer) joined(thread string, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, threads := range s.clients {
		if threads[thread] {
			n--
		}
	}
	return n == 0
}

func idOf(request []byte) json.RawMessage {
	var m struct{ ID json.RawMessage }
	_ = json.Unmarshal(request, &m)
	return m.ID
}

func threadOf(request []byte) string {
	var m struct{ Params struct{ ThreadID string } }
	_ = json.Unmarshal(request, &m)
	return m.Params.ThreadID
}

// recorded returns the content of a recorded file.
func recorded(t testing.TB, name, file string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "native", "codex", name+".txtar"))
	require.NoError(t, err)
	for _, f := range txtar.Parse(raw).Files {
		if f.Name == file {
			return bytes.TrimSpace(f.Data)
		}
	}
	require.Fail(t, file+" was not recorded of "+name)
	return nil
}

// answerOf returns the person's answer to a recorded request.
func answerOf(t testing.TB, name string) queue.Settle {
	var a queue.Answer
	require.NoError(t, json.Unmarshal(recorded(t, name, "answer"), &a))
	return queue.Settle{Answer: a, Confirmed: true}
}

// watched holds a watcher and its queue.
type watched struct {
	testing.TB
	*Watcher
	queue *queue.Queue
	stop  func()
}

// watch starts a watcher of a home that looks often. It keeps the questions of a lost connection for longer than a test
// waits for anything.
func watch(t testing.TB, home string, q *queue.Queue) *watched {
	t.Helper()
	return watchUntilLost(t, home, q, 3*patience)
}

// watchUntilLost starts a watcher that keeps the questions of a lost connection for a given time.
func watchUntilLost(t testing.TB, home string, q *queue.Queue, lost time.Duration) *watched {
	t.Helper()
	in, err := prompt.Open(t.Context(), call.ProcessOrigin(nil), prompt.Options{Queue: q,
		Settings: func() config.Settings { return config.Settings{TimeoutSeconds: 300} }})
	require.NoError(t, err)
	open := func(context.Context) (*prompt.Intake, error) { return in, nil }
	w := &Watcher{Home: home, Intake: open, retry: 50 * time.Millisecond, lost: lost}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	stop := sync.OnceFunc(func() { cancel(prompt.ErrAlone); <-ended; _ = in.Close() })
	t.Cleanup(stop)
	return &watched{TB: t, Watcher: w, queue: q, stop: stop}
}

func newQueue() *queue.Queue { return queue.New(storetest.NewMemory()) }

// asked waits for the one question and returns it.
func (w *watched) asked() (s queue.Session) {
	w.Helper()
	require.Eventually(w, func() bool {
		live, _, err := w.queue.Store.Live(context.Background())
		live = slices.DeleteFunc(live, func(s queue.Session) bool { return s.Outcome != nil })
		if err != nil || len(live) != 1 {
			return false
		}
		s = live[0]
		return true
	}, patience, 5*time.Millisecond)
	return s
}

// notice waits for the only agent that needs its person in its own pane, for this reason.
func (w *watched) notice(why queue.Unfit) (n queue.Presence) {
	w.Helper()
	require.Eventually(w, func() bool {
		present, err := w.queue.Store.Present(w.Context(), queue.RoleNotice)
		if err != nil || len(present) != 1 || present[0].Notice.Why != why {
			return false
		}
		n = present[0]
		return true
	}, patience, 5*time.Millisecond)
	return n
}

// noNotice waits until no agent needs its person in its own pane.
func (w *watched) noNotice() {
	w.Helper()
	require.Eventually(w, func() bool {
		present, err := w.queue.Store.Present(w.Context(), queue.RoleNotice)
		return err == nil && len(present) == 0
	}, patience, 5*time.Millisecond)
}

func (w *watched) does(id string, do queue.Action) {
	w.Helper()
	_, err := w.queue.Do(context.Background(), id,
		queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: do})
	require.NoError(w, err)
}

// ended waits until a session is over and was put away.
func (w *watched) ended(id string) (s queue.Session) {
	w.Helper()
	require.Eventually(w, func() bool {
		var err error
		s, err = w.queue.Store.Get(context.Background(), id)
		return err == nil && s.Final
	}, patience, 5*time.Millisecond)
	return s
}

// connected waits until the open request has a connection, or has lost it.
func (w *watched) connected(has bool) {
	w.Helper()
	require.Eventually(w, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, at := range w.Watcher.open {
			return (at.conn != nil) == has && (at.lost == nil) == has
		}
		return false
	}, patience, 5*time.Millisecond)
}
