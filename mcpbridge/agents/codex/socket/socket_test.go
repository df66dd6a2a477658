package socket

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// appServer plays Codex's app-server, with the message formats of codex-cli 0.169.0.
type appServer struct {
	mu      sync.Mutex
	threads map[string]string // the directories of the loaded threads, by id
	deaf    bool              // no thread takes input
	page    int               // the threads on one page of the list; zero: all of them
	turn    func(ws *websocket.Conn, id json.RawMessage) bool
	taken   []string // thread: text
	methods []string
}

// listen starts the server on a socket, in this process.
func (s *appServer) listen(t *testing.T) Thread {
	t.Helper()
	dir, err := os.MkdirTemp("", "cx") // short: a socket's name has room for 107 bytes
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err == nil {
			s.serve(r.Context(), ws)
		}
	})}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return Thread{Socket: path, Server: os.Getpid(), ID: "t2", Cwd: "/src/work2"}
}

func (s *appServer) serve(ctx context.Context, ws *websocket.Conn) {
	write := func(text string) { _ = ws.Write(ctx, websocket.MessageText, []byte(text)) }
	write(`{"method":"configWarning","params":{"summary":"` + strings.Repeat("long ", 20_000) + `"}}`)
	for {
		_, raw, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var m Message
		if json.Unmarshal(raw, &m) != nil || m.ID == nil {
			continue
		}
		write(`{"method":"item/tool/requestUserInput","id":` + string(m.ID) + `,"params":{"threadId":"t1"}}`)
		s.mu.Lock()
		if s.methods = append(s.methods, m.Method); m.Method == "turn/start" && s.turn != nil && s.turn(ws, m.ID) {
			s.mu.Unlock()
			return
		}
		write(`{"id":` + string(m.ID) + `,` + s.answer(m) + `}`)
		s.mu.Unlock()
	}
}

func (s *appServer) answer(m Message) string {
	var p struct {
		ThreadID string  `json:"threadId"`
		Cursor   *string `json:"cursor"`
		Input    []struct{ Type, Text string }
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "initialize":
		return `"result":{"userAgent":"codex-tui/0.169.0","codexHome":"/home/me/.codex"}`
	case "thread/loaded/list":
		return s.list(p.Cursor)
	case "thread/read":
		return fmt.Sprintf(`"result":{"thread":{"id":%q,"cwd":%q,"canAcceptDirectInput":%v},"readState":null}`,
			p.ThreadID, s.threads[p.ThreadID], !s.deaf)
	case "turn/start":
		if _, ok := s.threads[p.ThreadID]; ok && len(p.Input) == 1 && p.Input[0].Type == "text" {
			s.taken = append(s.taken, p.ThreadID+": "+p.Input[0].Text)
			return `"result":{"turn":{"id":"turn-1","status":"inProgress"}}`
		}
	}
	return `"error":{"code":-32600,"message":"no such thread"}`
}

func (s *appServer) list(cursor *string) string {
	ids := []string{}
	for _, id := range []string{"t1", "t2", "t3"} {
		if _, ok := s.threads[id]; ok && (cursor == nil || id > *cursor) {
			ids = append(ids, id)
		}
	}
	next := "null"
	if s.page > 0 && len(ids) > s.page {
		ids = ids[:s.page]
		next = `"` + ids[len(ids)-1] + `"`
	}
	raw, _ := json.Marshal(ids)
	return `"result":{"data":` + string(raw) + `,"nextCursor":` + next + `}`
}

func twoThreads() *appServer {
	return &appServer{threads: map[string]string{"t1": "/src/work", "t2": "/src/work2"}}
}

// soon returns a test's patience with a server.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestALineGoesToTheThreadThatAskedAndToNoOther(t *testing.T) {
	s := twoThreads()
	to := s.listen(t)
	require.NoError(t, to.Find(soon(t)))
	require.Empty(t, s.taken, "looking changes nothing")
	require.NotContains(t, s.methods, "turn/start")
	require.NoError(t, to.Send(soon(t), "fix the README\n/quit é $(x) @hooks"))
	to.ID, to.Cwd = "t1", "/src/work/"
	require.NoError(t, to.Send(soon(t), "-t t2"))
	require.Equal(t, []string{"t2: fix the README\n/quit é $(x) @hooks", "t1: -t t2"}, s.taken)
}

func TestAThreadThatIsNotSurelyTheAgentsGetsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *appServer, to *Thread)
		want   error
	}{
		"it is not open":                     {func(s *appServer, _ *Thread) { delete(s.threads, "t2") }, ErrNotLoaded},
		"its call named none":                {func(_ *appServer, to *Thread) { to.ID = "" }, ErrNotLoaded},
		"it works in another directory":      {func(s *appServer, _ *Thread) { s.threads["t2"] = "/src/x" }, ErrElsewhere},
		"its directory is not known":         {func(_ *appServer, to *Thread) { to.Cwd = "" }, ErrElsewhere},
		"it takes no input":                  {func(s *appServer, _ *Thread) { s.deaf = true }, ErrDeaf},
		"another process listens":            {func(_ *appServer, to *Thread) { to.Server = os.Getppid() }, ErrNoServer},
		"nobody listens":                     {func(_ *appServer, to *Thread) { to.Socket += "x" }, ErrNoServer},
		"the asker's server is not known":    {func(_ *appServer, to *Thread) { to.Server = 0 }, ErrNoServer},
		"the path is no socket, but a file":  {func(_ *appServer, to *Thread) { to.Socket = os.Args[0] }, ErrNoServer},
		"the path is no socket, but nothing": {func(_ *appServer, to *Thread) { to.Socket = "" }, ErrNoServer},
	} {
		t.Run(name, func(t *testing.T) {
			s := twoThreads()
			to := s.listen(t)
			c.change(s, &to)
			require.ErrorIs(t, to.Find(soon(t)), c.want)
			err := to.Send(soon(t), "for another")
			require.ErrorIs(t, err, c.want)
			var doubt *queue.Doubt
			require.NotErrorAs(t, err, &doubt, "it was not sent, for sure")
			require.Empty(t, s.taken)
			require.NotContains(t, s.methods, "turn/start")
		})
	}
}

func TestAnotherProcessOnTheSocketIsAskedNothing(t *testing.T) {
	s := twoThreads()
	to := s.listen(t)
	to.Server = os.Getppid()
	require.ErrorContains(t, to.Find(soon(t)), fmt.Sprintf("process %d listens there, not %d", os.Getpid(), to.Server))
	require.Empty(t, s.methods)
}

func TestAThreadFarDownTheListIsFound(t *testing.T) {
	s := twoThreads()
	s.page = 1
	require.NoError(t, s.listen(t).Find(soon(t)))
}

func TestALineThatCodexRefusesWasNotSent(t *testing.T) {
	s := twoThreads()
	s.turn = func(ws *websocket.Conn, _ json.RawMessage) bool {
		delete(s.threads, "t2") // it was closed a moment ago
		return false
	}
	err := s.listen(t).Send(soon(t), "hello")
	var refused *Refused
	require.ErrorAs(t, err, &refused)
	require.EqualError(t, err, "Codex refused turn/start: no such thread (-32600)")
	var doubt *queue.Doubt
	require.NotErrorAs(t, err, &doubt)
}

func TestALineWhoseServerGoesSilentMayHaveArrived(t *testing.T) {
	for name, turn := range map[string]func(ws *websocket.Conn, id json.RawMessage) bool{
		"it ends": func(ws *websocket.Conn, _ json.RawMessage) bool { ws.CloseNow(); return true },
		"it hangs": func(*websocket.Conn, json.RawMessage) bool {
			time.Sleep(300 * time.Millisecond)
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := twoThreads()
			s.turn = turn
			to := s.listen(t)
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			var doubt *queue.Doubt
			require.ErrorAs(t, to.Send(ctx, "hello"), &doubt)
		})
	}
}

func TestTheSocketLiesInTheHomeOfTheServerItself(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc here")
	}
	for want, env := range map[string][]string{"/x/cx": {"HOME=/h", "CODEX_HOME=/x/cx"}, "/h/.codex": {"HOME=/h"}} {
		cmd := exec.Command("sleep", "60")
		cmd.Env = env
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		require.Eventually(t, func() bool { // the environment of a new process can be read only after a moment
			return Of(cmd.Process.Pid) == want+"/app-server-control/app-server-control.sock"
		}, 5*time.Second, 10*time.Millisecond)
	}
}
