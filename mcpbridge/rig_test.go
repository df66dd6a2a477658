package mcpbridge

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// rig is a bridge on a memory store, with a client on one side and a person on the other. Inside synctest the clock
// is fake, so minutes of waiting take no time.
type rig struct {
	t        testing.TB
	store    queue.Store
	q        *queue.Queue
	settings config.Settings
	opened   int
	in       *io.PipeWriter
	out      *sink
	done     chan error
	cancel   context.CancelCauseFunc
}

// sink is the client's end of the bridge's output.
type sink struct {
	mu      sync.Mutex
	fail    error
	before  func() // runs before each message is taken
	writers atomic.Int32
	lines   chan []byte
}

func (s *sink) Write(p []byte) (int, error) {
	if s.writers.Add(1) > 1 {
		panic("two messages are written at once")
	}
	runtime.Gosched()
	defer s.writers.Add(-1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.before != nil {
		s.before()
	}
	if s.fail != nil {
		return 0, s.fail
	}
	for line := range bytes.Lines(p) {
		s.lines <- bytes.Clone(line)
	}
	return len(p), nil
}

// sharedBy makes the tests treat the queue as one on a server, where a bridge watches only what it needs.
var sharedBy = flag.String("shared-by", "", "the host that shares the queue with others; empty: the queue is local")

func newRig(t testing.TB) *rig {
	store := storetest.NewMemory()
	q := queue.New(store)
	q.Host = *sharedBy
	return &rig{t: t, store: store, q: q, settings: config.Default()}
}

// run starts a bridge; several may run on one rig's store, each replacing the client side of the one before.
func (r *rig) run(change ...func(*Options)) {
	in, w := io.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	out, done := &sink{lines: make(chan []byte, 10_000)}, make(chan error, 1)
	o := Options{In: in, Out: out, Options: call.Options{
		Open:     func() (*queue.Queue, error) { r.opened++; return r.q, nil },
		Settings: func() config.Settings { return r.settings },
		Version:  "1.2.3", Client: agents.ClientOf, Origin: queue.Origin{Host: "h", Cwd: "/nowhere", Agent: "7-1", PID: 7},
	}}
	for _, c := range change {
		c(&o)
	}
	go func() {
		done <- Serve(ctx, o)
		close(done)
		in.Close()
	}()
	r.in, r.out, r.done, r.cancel = w, out, done, cancel
}

// start runs a bridge and shakes hands as the named client.
func (r *rig) start(client string, change ...func(*Options)) *rig {
	r.run(change...)
	r.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":%q,"version":"9"}}}`, client)
	require.Contains(r.t, r.next().Result, "instructions")
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

// stop closes the client's end, as clients do when they end.
func (r *rig) stop() {
	r.in.Close()
	require.NoError(r.t, <-r.done)
}

func (r *rig) send(format string, args ...any) {
	_, err := fmt.Fprintf(r.in, format+"\n", args...)
	require.NoError(r.t, err)
}

const single = `"title":"Store","prompt":"Which?","selection_mode":"single","options":[{"id":"pg","label":"PostgreSQL","recommended":true},{"id":"lite"}]`

// ask calls provide_choice without waiting for the result; fields are added to the arguments.
func (r *rig) ask(id int, fields string) { r.call(id, single+fields, "") }

func (r *rig) call(id int, arguments, meta string) {
	r.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"provide_choice","arguments":{%s}%s}}`, id, arguments, meta)
}

func (r *rig) poll(id int, session, fields string) {
	r.call(id, `"session_id":"`+session+`"`+fields, "")
}

func (r *rig) cancelled(id int, reason string) {
	r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":%q}}`, id, reason)
}

// said is one message of the server's.
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

func (s said) text() string {
	return s.Result["content"].([]any)[0].(map[string]any)["text"].(string)
}

func (s said) failed() bool { return s.Result["isError"] == true }

func (r *rig) next() said {
	r.t.Helper()
	var m said
	require.NoError(r.t, json.Unmarshal(<-r.out.lines, &m))
	return m
}

// result returns the next message, which must be the result of this call.
func (r *rig) result(id int) said {
	r.t.Helper()
	m := r.next()
	require.Equal(r.t, fmt.Sprint(id), string(m.ID), "%+v", m)
	require.Nil(r.t, m.Error)
	return m
}

// silent requires that nothing was written.
func (r *rig) silent() {
	r.t.Helper()
	synctest.Wait()
	select {
	case line := <-r.out.lines:
		require.Fail(r.t, "unexpected message", "%s", line)
	default:
	}
}

// live returns every live session after all goroutines are idle.
func (r *rig) live() []queue.Session {
	r.t.Helper()
	synctest.Wait()
	w, err := r.store.Watch(context.Background(), queue.AllNews)
	require.NoError(r.t, err)
	defer w.Close()
	all, err := w.Next(context.Background())
	require.NoError(r.t, err)
	return all.Sessions
}

// only returns the one live session.
func (r *rig) only() queue.Session {
	r.t.Helper()
	all := r.live()
	require.Len(r.t, all, 1)
	return all[0]
}

// dashboard opens a dashboard. The caller closes it.
func (r *rig) dashboard() (closed func() error) {
	closed, err := r.store.Announce(context.Background(), queue.Presence{Instance: queue.NewToken(), Role: queue.RoleDashboard})
	require.NoError(r.t, err)
	return closed
}

func (r *rig) answer(id string, selected ...string) {
	r.t.Helper()
	r.do(id, queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: selected}}}})
}

func (r *rig) do(id string, a queue.Action) queue.Session {
	r.t.Helper()
	s, err := r.q.Do(context.Background(), id, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Surface: queue.SurfaceDashboard, Do: a})
	require.NoError(r.t, err)
	return s
}

func (r *rig) get(id string) queue.Session {
	r.t.Helper()
	synctest.Wait()
	s, err := r.store.Get(context.Background(), id)
	require.NoError(r.t, err)
	return s
}

// bubble runs a test with a fake clock.
func bubble(t *testing.T, f func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		f(t, r)
		if r.in != nil {
			r.in.Close()
			<-r.done
		}
	})
}
