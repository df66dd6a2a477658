package http

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

const webToken = "a-token-of-the-tests-only"

// web is a bridge over HTTP on a memory store, with an open dashboard. Connections are real, so the clock is real too.
type web struct {
	t      testing.TB
	store  queue.Store
	q      *queue.Queue
	hs     *transport
	addr   string
	cancel context.CancelFunc
	done   chan error
}

func newWeb(t testing.TB, change ...func(*transport)) *web {
	store := storetest.NewMemory()
	_, err := store.Announce(context.Background(), queue.Presence{Instance: queue.NewToken(), Role: queue.RoleDashboard})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	w := &web{t: t, store: store, q: queue.New(store), addr: l.Addr().String(), cancel: cancel, done: make(chan error, 1)}
	b := call.NewBridge(call.Options{Open: func() (*queue.Queue, error) { return w.q, nil }, Version: "1.2.3",
		Client: agents.ClientOf})
	w.hs = newTransport(b, webToken)
	w.hs.openAt, w.hs.beat = 5*time.Millisecond, 30*time.Millisecond
	for _, c := range change {
		c(w.hs)
	}
	go func() {
		w.done <- w.hs.run(ctx, Options{Listener: l, Token: webToken})
		b.Close()
	}()
	t.Cleanup(func() {
		cancel()
		<-w.done
	})
	return w
}

func (w *web) answer(id string, selected ...string) {
	w.t.Helper()
	w.do(id, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: selected}}}})
}

func (w *web) do(id string, a queue.Action) {
	w.t.Helper()
	_, err := w.q.Do(context.Background(), id, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: a})
	require.NoError(w.t, err)
}

const single = `"title":"Store","prompt":"Which?","selection_mode":"single","options":[{"id":"pg","label":"PostgreSQL","recommended":true},{"id":"lite"}]`

// said holds one message from the server.
type said struct {
	ID     json.RawMessage
	Method string
	Params struct {
		ProgressToken any
		Progress      float64
		Message       string
	}
	Result map[string]any
	Error  *struct {
		Code    int
		Message string
	}
}

func (s said) structured() map[string]any {
	m, _ := s.Result["structuredContent"].(map[string]any)
	return m
}

func (s said) selection() map[string]any {
	m, _ := s.structured()["selection"].(map[string]any)
	return m
}

func (s said) failed() bool { return s.Result["isError"] == true }

func (w *web) url() string { return "http://" + w.addr + Path }

// agent is one MCP session of a client, with connections of its own.
type agent struct {
	w       *web
	http    *http.Client
	session string
	version string
}

func (w *web) agent(name string) *agent {
	w.t.Helper()
	a := &agent{w: w, http: &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}, version: "2025-11-25"}
	w.t.Cleanup(a.http.CloseIdleConnections)
	res := a.post(context.Background(), fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":%q,"version":"9"}}}`, name))
	defer res.Body.Close()
	require.Equal(w.t, http.StatusOK, res.StatusCode)
	a.session = res.Header.Get(headerSession)
	require.NotEmpty(w.t, a.session)
	return a
}

func (a *agent) request(ctx context.Context, method, body string, headers ...string) *http.Response {
	a.w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, a.w.url(), strings.NewReader(body))
	require.NoError(a.w.t, err)
	r.Header.Set("Authorization", "Bearer "+webToken)
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	if a.session != "" {
		r.Header.Set(headerSession, a.session)
		r.Header.Set("MCP-Protocol-Version", a.version)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := a.http.Do(r)
	require.NoError(a.w.t, err)
	return res
}

func (a *agent) post(ctx context.Context, body string, headers ...string) *http.Response {
	a.w.t.Helper()
	return a.request(ctx, http.MethodPost, body, headers...)
}

// status posts and wants nothing but the status.
func (a *agent) status(method, body string, headers ...string) int {
	a.w.t.Helper()
	res := a.request(context.Background(), method, body, headers...)
	defer res.Body.Close()
	return res.StatusCode
}

// wait is a waiting call as its client sees it.
type wait struct {
	t      testing.TB
	res    *http.Response
	lines  *bufio.Reader
	cancel context.CancelFunc
	last   string // the last event id
	notes  []said
	silent int // the number of comments
}

func toolCall(id int, arguments, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"provide_choice","arguments":{%s}%s}}`, id, arguments, more)
}

// ask calls provide_choice and returns once the stream is open.
func (a *agent) ask(id int, more string) *wait {
	a.w.t.Helper()
	return a.open(http.MethodPost, toolCall(id, single, more))
}

func (a *agent) open(method, body string, headers ...string) *wait {
	a.w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	a.w.t.Cleanup(cancel)
	res := a.request(ctx, method, body, headers...)
	a.w.t.Cleanup(func() { res.Body.Close() })
	return &wait{t: a.w.t, res: res, lines: bufio.NewReader(res.Body), cancel: cancel}
}

// event reads one event or comment; false at the stream's end.
func (w *wait) event() (m said, ok bool) {
	w.t.Helper()
	var data []byte
	for {
		line, err := w.lines.ReadBytes('\n')
		if err != nil {
			return said{}, false
		}
		switch line = bytes.TrimRight(line, "\n"); {
		case bytes.HasPrefix(line, []byte(":")):
			w.silent++
		case bytes.HasPrefix(line, []byte("id: ")):
			w.last = string(line[4:])
		case bytes.HasPrefix(line, []byte("data: ")):
			data = line[6:]
		case len(line) == 0 && len(data) > 0:
			require.NoError(w.t, json.Unmarshal(data, &m))
			return m, true
		case len(line) == 0:
			return said{}, true
		}
	}
}

// primed wants the stream to be open.
func (w *wait) primed() *wait {
	w.t.Helper()
	require.Equal(w.t, http.StatusOK, w.res.StatusCode)
	require.Equal(w.t, "text/event-stream", w.res.Header.Get("Content-Type"))
	return w
}

// result reads up to the response.
func (w *wait) result(id int) said {
	w.t.Helper()
	require.Equal(w.t, http.StatusOK, w.res.StatusCode)
	if w.res.Header.Get("Content-Type") == "application/json" {
		raw, err := io.ReadAll(w.res.Body)
		require.NoError(w.t, err)
		var m said
		require.NoError(w.t, json.Unmarshal(raw, &m))
		require.Equal(w.t, fmt.Sprint(id), string(m.ID))
		return m
	}
	for {
		m, ok := w.event()
		require.True(w.t, ok, "the stream ended without a result")
		switch {
		case m.ID != nil:
			require.Equal(w.t, fmt.Sprint(id), string(m.ID))
			return m
		case m.Method != "":
			w.notes = append(w.notes, m)
		}
	}
}

// eventually waits until a live session fulfils a condition, and returns it.
func (w *web) eventually(want func(queue.Session) bool) (found queue.Session) {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		for _, s := range w.sessions() {
			if want(s) {
				found = s
				return true
			}
		}
		return false
	}, 5*time.Second, 2*time.Millisecond)
	return found
}

func (w *web) sessions() []queue.Session {
	watch, err := w.store.Watch(context.Background(), queue.AllNews)
	require.NoError(w.t, err)
	defer watch.Close()
	all, err := watch.Next(context.Background())
	require.NoError(w.t, err)
	return all.Sessions
}

func claimed(s queue.Session) bool  { return s.Claim != nil }
func released(s queue.Session) bool { return s.Claim == nil && s.DroppedAt != nil }

// gone waits until the session is closed and archived, and returns it.
func (w *web) gone(id string) queue.Session {
	w.t.Helper()
	var s queue.Session
	require.Eventually(w.t, func() bool {
		var err error
		s, err = w.store.Get(context.Background(), id)
		return err == nil && s.Final && len(w.sessions()) == 0
	}, 5*time.Second, 2*time.Millisecond)
	return s
}
