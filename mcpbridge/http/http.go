// Package http speaks streamable HTTP with many MCP clients at once.
//
//	request ─► guard (Host, Origin, token) ─► post ─► admit (protocol, session)
//	    ┌───────────────────────────────────────────────┘
//	    ├ tools/call ─► registry ─► pendingCall ─► rpc.Server
//	    │                       comments, progress │ result
//	    │                                          ▼
//	    │                                    events (SSE) ─► written? ─► Call.End: collect
//	    ├ cancelled ─► registry: the call's context ends, the question is withdrawn (2026-07-28: nothing, see below)
//	    ├ a batch ─► each of its messages as above, one array at the end
//	    └ all else ─► rpc.Server ─► JSON
//	DELETE ─► the session's calls end as dropped
//
// If a connection breaks, its call ends and releases its claim at once. The question stays: the same ask joins it, and
// its answer can be fetched by its session_id for 24 h. Since 2026-07-28 a client cancels a call by closing its stream,
// which looks the same. In that protocol the question is withdrawn a few seconds later, unless another call claims it.
// A result counts as delivered when all of it was handed to an open connection. Only then is the session collected.
//
// Streams cannot be resumed. MCP 2025-11-25 does not require it: event ids and Last-Event-ID are a MAY, the priming
// event is a SHOULD (basic/transports, "Resumability and Redelivery" and "Sending Messages to the Server"). The server
// does what the protocol requires: it answers a GET with 405, and a disconnection cancels nothing. In the conformance
// suite only the scenario server-sse-polling tests resuming, and only servers that have the suite's own test tool.
package http

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// Path is the URL path of the MCP endpoint. Every other path is 404.
const Path = "/mcp"

// headerSession is the header with the id of a client's session, before 2026-07-28.
const headerSession = "Mcp-Session-Id"

// Limits of the server.
const (
	headersWithin  = 10 * time.Second       // the time a client has to send the headers of a request
	bodyWithin     = 30 * time.Second       // the time a client has to send the body
	writeWithin    = 30 * time.Second       // the time a client has to receive one event
	idleConnection = 2 * time.Minute        // the time between two requests of a connection
	maxHeader      = 64 << 10               // the bytes of a request's headers
	maxBodies      = 64 << 20               // the bytes of all bodies that are being served
	forSmall       = 16 << 20               // the bytes beyond maxBodies, for small bodies only
	smallBody      = 256 << 10              // the bytes of a small body; an ask needs no more
	tidyAfter      = 3 * time.Second        // from the end of a long body until its memory is returned to the system
	maxCalls       = 1000                   // the calls that wait at the same time
	maxSessions    = 1000                   // the sessions that are open at the same time
	sessionIdle    = 24 * time.Hour         // the time without use after which a session may be ended for a new one
	sessionSpare   = time.Hour              // the same while maxSessions are open
	sessionSilent  = 10 * time.Minute       // the same for a client that has sent nothing since initialize
	streamsOpenAt  = 100 * time.Millisecond // from the start of a call until its stream opens
	awayAtMost     = 10 * time.Second       // since 2026-07-28: from a broken stream until the question is withdrawn
)

// Options holds the settings for serving over HTTP.
type Options struct {
	Listener net.Listener // Serve closes it
	Token    string       // the bearer token of every request; never empty
	Host     string       // a host name that clients may send as Host; empty: none beside the usual ones
}

// Serve answers requests at Path until ctx is done (its cause) or the listener fails.
func Serve(ctx context.Context, b *call.Bridge, o Options) error {
	if o.Token == "" {
		return errors.New("serving over HTTP needs a token")
	}
	return newTransport(b, o.Token).run(ctx, o)
}

// run serves HTTP until ctx is done or the listener fails, and then ends all calls.
func (t *transport) run(ctx context.Context, o Options) error {
	srv := &http.Server{
		Handler:           newGuard(o, t),
		ReadHeaderTimeout: headersWithin, IdleTimeout: idleConnection, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(t.bridge.Log(), "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(o.Listener) }()
	select {
	case err := <-failed:
		t.close()
		return err
	case <-ctx.Done():
	}
	t.close()
	closing, cancel := context.WithTimeout(context.Background(), call.CloseWithin)
	defer cancel()
	if srv.Shutdown(closing) != nil {
		srv.Close()
	}
	return context.Cause(ctx)
}

// transport holds the state that all clients share.
type transport struct {
	bridge   *call.Bridge
	srv      *rpc.Server
	sessions *sessions
	registry *registry
	bodies   bodies
	subject  string        // the name of the agent for all clients without a session
	openAt   time.Duration // streamsOpenAt
	beat     time.Duration // the time between two comments
	away     time.Duration // awayAtMost
}

func newTransport(b *call.Bridge, token string) *transport {
	srv := rpc.NewServer(b)
	calls := rpc.NewCalls(srv)
	return &transport{
		bridge: b, srv: srv, sessions: newSessions(b, calls), registry: newRegistry(b, calls),
		subject: fingerprint(token), openAt: streamsOpenAt, beat: call.EveryBeat, away: awayAtMost,
	}
}

// ServeHTTP serves a request that the guard has accepted.
func (t *transport) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodPost:
		t.servePost(w, r)
	case http.MethodDelete:
		t.serveDelete(w, r)
	default: // a GET asks for a stream of the server's own messages, and this server sends only responses
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, r.Method+" is not served here", http.StatusMethodNotAllowed)
	}
}

// close ends the waiting calls and the presence of the sessions. It waits for a store that does not answer no longer
// than call.CloseWithin.
func (t *transport) close() {
	t.registry.calls.Close()
	left := make(chan struct{})
	go func() {
		defer close(left)
		for _, s := range t.sessions.allSessions() {
			s.presence.leave()
		}
	}()
	call.AwaitClose(left)
}

// serveDelete serves a DELETE, which ends a session.
func (t *transport) serveDelete(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(headerSession)
	if id == "" {
		http.Error(w, "which session? send "+headerSession, http.StatusBadRequest)
		return
	}
	s := t.sessions.useSession(id)
	if s == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	t.sessions.endSession(s)
	w.WriteHeader(http.StatusOK)
}
