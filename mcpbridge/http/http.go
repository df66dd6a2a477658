// Package http speaks streamable HTTP with many MCP clients at once.
//
//	request ─► guard (Host, Origin, token) ─► post ─► admit (protocol, session)
//	    ┌───────────────────────────────────────────────┘
//	    ├ tools/call ─► registry ─► pendingCall ─► HandleMessage
//	    │                       comments, progress │ result
//	    │                                          ▼
//	    │                                    events (SSE) ─► written? ─► Call.End: collect
//	    ├ cancelled ─► registry: the call's context ends, the question is withdrawn (2026-07-28: nothing, see below)
//	    ├ a batch ─► each of its messages as above, one array at the end
//	    └ all else ─► HandleMessage ─► JSON
//	DELETE ─► the session's calls end as dropped
//
// A connection that breaks drops its call, and its claim is given back at once. The question stays: the same ask
// joins it, and its session_id fetches its answer for 24 h. Since 2026-07-28 a client cancels by closing the stream of
// its call, which looks the same. There the question is withdrawn a few seconds later, unless a call took it over. A
// result counts as delivered when all of it was handed to a connection that was still open. Only then is the session
// collected.
//
// Streams cannot be resumed. MCP 2025-11-25 does not require it: event ids and Last-Event-ID are a MAY, the priming
// event is a SHOULD (basic/transports, "Resumability and Redelivery" and "Sending Messages to the Server"). The server
// keeps what the protocol does require: it answers a GET by 405, and a disconnection cancels nothing. Of the
// conformance suite's scenarios only server-sse-polling tests resuming; without the suite's own test tool it checks
// nothing.
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

// Path is the path at which the server answers; everything else is 404.
const Path = "/mcp"

// headerSession names the client's session in its requests, before 2026-07-28.
const headerSession = "Mcp-Session-Id"

// Bounds of an HTTP server.
const (
	headersWithin  = 10 * time.Second // to send a request's headers
	bodyWithin     = 30 * time.Second // to send its body, of rpc.MaxMessage bytes at most
	writeWithin    = 30 * time.Second // to take one event; a wait itself has no limit
	idleConnection = 2 * time.Minute  // between two requests
	maxHeader      = 64 << 10         // bytes
	maxBodies      = 64 << 20         // bytes of all requests that are being served
	forSmall       = 16 << 20         // bytes beyond maxBodies, for small bodies only
	smallBody      = 256 << 10        // bytes of a small body; an ask needs no more
	tidyAfter      = 3 * time.Second  // between a longer body and giving back the memory that it took
	maxCalls       = 1000             // waiting at the same time
	maxSessions    = 1000             // open at the same time
	sessionIdle    = 24 * time.Hour   // without use, until a session gives way to new ones
	sessionSpare   = time.Hour        // the same where all places are taken
	sessionSilent  = 10 * time.Minute // the same for a client that sent nothing after initialize
	streamsOpenAt  = 100 * time.Millisecond
	awayAtMost     = 10 * time.Second // since 2026-07-28: between a call that broke off and the same ask again
)

// Options holds the settings for serving over HTTP.
type Options struct {
	Listener net.Listener // closed at the end
	Token    string       // what every request must carry; never empty
	Host     string       // the host name that the person gave, which clients may send as Host; empty: none
}

// Serve answers at Path until ctx is done (its cause) or the listener fails.
func Serve(ctx context.Context, b *call.Bridge, o Options) error {
	if o.Token == "" {
		return errors.New("serving over HTTP needs a token")
	}
	return newTransport(b, o.Token).run(ctx, o)
}

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

// transport holds the parts that all clients share.
type transport struct {
	bridge   *call.Bridge
	srv      *rpc.Server
	sessions *sessions
	registry *registry
	bodies   bodies
	subject  string // the agent's name for clients without a session, which hold the token
	openAt   time.Duration
	beat     time.Duration
	away     time.Duration // how long a client of 2026-07-28 may be away before its question is withdrawn
}

func newTransport(b *call.Bridge, token string) *transport {
	srv := rpc.NewServer(b)
	calls := rpc.NewCalls(srv)
	return &transport{
		bridge: b, srv: srv, sessions: newSessions(b, calls), registry: newRegistry(b, calls),
		subject: fingerprint(token), openAt: streamsOpenAt, beat: call.EveryBeat, away: awayAtMost,
	}
}

func (t *transport) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodPost:
		t.servePost(w, r)
	case http.MethodDelete:
		t.serveDelete(w, r)
	default: // a GET would listen or resume; the server sends nothing but responses to calls
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, r.Method+" is not served here", http.StatusMethodNotAllowed)
	}
}

// close ends the waiting calls and takes the sessions off the queue. It does not wait for a store that hangs.
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

// serveDelete serves DELETE.
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
