package mcpbridge

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/queue"
)

// Over HTTP the library serves the protocol (sessions, versions, lists), and what waits for a person is ours, because
// the library's streams take another call's heartbeats, and neither end nor resume as a question needs:
//
//	request ─► guard (Host, Origin, token) ─► post ─┬ tools/call ─► httpCall ─► mcp-go ─► bridge.handler ─► …
//	                                                │                  │ priming, heartbeats, result
//	                                                │                  ▼
//	                                                │               events (SSE) ─► written? ─► reply.after: collect
//	                                                ├ cancelled ─► the call's context ends, the question is withdrawn
//	                                                └ all else ─► mcp-go
//	          GET with Last-Event-ID ─► stream ─► its result again, or a poll of its session under the old request's id
//	          DELETE ─► the session's calls end as dropped ─► mcp-go
//
// A connection that breaks drops its call: the claim is given back at once, so that the same ask may join, and a
// resumed stream takes it again. A result counts as delivered when all of it was handed to a connection that was still
// open; only then is the session collected. Should it be lost behind that, the stream repeats it for ten minutes; if
// it was not handed over, it can be fetched by session_id for 24 h.

// HTTPPath is where the server answers; everything else is 404.
const HTTPPath = "/mcp"

// Bounds of an HTTP server.
const (
	headersWithin  = 10 * time.Second // to send a request's headers
	bodyWithin     = 30 * time.Second // to send its body, of maxLine bytes at most
	writeWithin    = 30 * time.Second // to take one event; a wait itself has no limit
	idleConnection = 2 * time.Minute  // between two requests
	maxHeader      = 64 << 10         // bytes
	maxCalls       = 1000             // waiting at the same time
	maxSessions    = 1000             // the one unused longest gives way
	sessionIdle    = 24 * time.Hour   // a session nobody uses is forgotten
	streamsOpenAt  = 100 * time.Millisecond
	boundGrace     = 10 * time.Second // a dropped call whose question dies with it may be resumed within
)

// HTTP is what serving over HTTP needs beside Options.
type HTTP struct {
	Listener net.Listener // closed at the end
	Token    string       // what every request must carry; never empty
	Host     string       // the name in the address the person gave, if it was one: it may stand in Host too
}

// ServeHTTP speaks streamable HTTP at HTTPPath until ctx is done (its cause) or the listener fails. Options.In, Out
// and Origin are not used: what a remote client says of itself beyond its name is not to be trusted.
func ServeHTTP(ctx context.Context, o Options, h HTTP) error {
	if h.Token == "" {
		return errors.New("serving over HTTP needs a token")
	}
	o.Origin = queue.Origin{}
	b := newBridge(o)
	defer b.close()
	return newHTTPServer(b, h.Token).run(ctx, h)
}

func (hs *httpServer) run(ctx context.Context, h HTTP) error {
	srv := &http.Server{
		Handler:           newGuard(h, hs),
		ReadHeaderTimeout: headersWithin, IdleTimeout: idleConnection, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(hs.b.o.Log, "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(h.Listener) }()
	select {
	case err := <-failed:
		hs.close()
		return err
	case <-ctx.Done():
	}
	hs.close()
	closing, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	if srv.Shutdown(closing) != nil {
		srv.Close()
	}
	return context.Cause(ctx)
}

// httpServer is the transport: many clients, each with calls that wait.
type httpServer struct {
	b        *bridge
	mcp      *server.StreamableHTTPServer
	sessions *httpSessions
	subject  string // who a client without a session is: the holder of the token
	openAt   time.Duration
	beat     time.Duration
	grace    time.Duration
	most     int // calls at the same time

	mu      sync.Mutex
	calls   map[string]*httpCall // by MCP session and request id
	serving int
	early   map[string]earlyCancel
	streams map[string]*stream
	present map[string]*attendance // by MCP session
	closing chan struct{}          // closed at the end
	busy    sync.WaitGroup
}

func newHTTPServer(b *bridge, token string) *httpServer {
	hs := &httpServer{
		b: b, sessions: newHTTPSessions(time.Now), subject: fingerprint(token),
		openAt: streamsOpenAt, beat: everyBeat, grace: boundGrace, most: maxCalls,
		calls: map[string]*httpCall{}, early: map[string]earlyCancel{}, streams: map[string]*stream{}, present: map[string]*attendance{},
		closing: make(chan struct{}),
	}
	hs.mcp = server.NewStreamableHTTPServer(newServer(b, nil),
		server.WithSessionIdManager(hs.sessions),
		server.WithDisableStreaming(true), // we tell clients nothing but what answers a call
		server.WithHTTPContextFunc(accepted),
		server.WithStreamableHTTPLogger(slog.New(slog.NewTextHandler(b.o.Log, &slog.HandlerOptions{Level: slog.LevelWarn}))))
	return hs
}

func (hs *httpServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodPost:
		hs.post(w, r)
	case http.MethodGet:
		hs.get(w, r)
	case http.MethodDelete:
		hs.end(w, r)
	default:
		w.Header().Set("Allow", "POST, GET, DELETE")
		http.Error(w, r.Method+" is not served here", http.StatusMethodNotAllowed)
	}
}

// close ends what waits and gives it a moment to release its claims.
func (hs *httpServer) close() {
	hs.mu.Lock()
	close(hs.closing)
	for _, c := range hs.calls {
		c.cancel(errEnded)
	}
	hs.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		hs.busy.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(closeWithin):
	}
	hs.mu.Lock()
	var left []*attendance
	for session := range hs.present {
		left = append(left, hs.strike(session))
	}
	hs.mu.Unlock()
	for _, a := range left {
		hs.release(a)
	}
}

func (hs *httpServer) closed() bool {
	select {
	case <-hs.closing:
		return true
	default:
		return false
	}
}
