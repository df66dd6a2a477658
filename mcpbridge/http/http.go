// Package http speaks streamable HTTP with many MCP clients at once.
//
//	request ─► guard (Host, Origin, token) ─► post ─► admit (protocol, session)
//	    ┌───────────────────────────────────────────────┘
//	    ├ tools/call ─► book ─► waiting ─► HandleMessage
//	    │                 comments, progress │ result
//	    │                                    ▼
//	    │                              events (SSE) ─► written? ─► Call.End: collect
//	    ├ cancelled ─► book: the call's context ends, the question is withdrawn (2026-07-28: nothing, see below)
//	    ├ a batch ─► each of its messages as above, one array at the end
//	    └ all else ─► HandleMessage ─► JSON
//	DELETE ─► the session's calls end as dropped
//
// A connection that breaks drops its call, and its claim is given back at once. The question stays: the same ask
// joins it, and its session_id fetches its answer for 24 h. Since 2026-07-28 a client cancels by closing the stream of
// its call, which looks the same; so there the question is withdrawn a few seconds later, unless somebody took it up. A
// result counts as delivered when all of it was handed to a
// connection that was still open; only then is the session collected.
//
// Streams cannot be resumed. Nothing in MCP 2025-11-25 makes a server offer that: event ids and Last-Event-ID are a
// MAY, the priming event is a SHOULD (basic/transports, "Resumability and Redelivery" and "Sending Messages to the
// Server"). What it does demand is kept: a GET is answered by an event stream or by 405, here always 405, and a
// disconnection is no cancel. Of the conformance suite's scenarios server-sse-polling alone speaks of resuming; it
// wants the suite's own test tool and checks nothing without it.
package http

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// Path is the path at which the server answers; everything else is 404.
const Path = "/mcp"

// Bounds of an HTTP server.
const (
	headersWithin  = 10 * time.Second // to send a request's headers
	bodyWithin     = 30 * time.Second // to send its body, of rpc.MaxMessage bytes at most
	writeWithin    = 30 * time.Second // to take one event; a wait itself has no limit
	idleConnection = 2 * time.Minute  // between two requests
	maxHeader      = 64 << 10         // bytes
	maxBodies      = 64 << 20         // bytes of all requests that are being served,
	forSmall       = 16 << 20         // and so many more for bodies that are
	smallBody      = 256 << 10        // no longer than this, which is all that an ask may have
	tidyAfter      = 3 * time.Second  // between a longer body and giving back the memory that it took
	maxCalls       = 1000             // waiting at the same time
	maxSessions    = 1000             // more are refused
	sessionIdle    = 24 * time.Hour   // a session that nobody uses gives way then,
	sessionSpare   = time.Hour        // where all places are taken already then,
	sessionSilent  = 10 * time.Minute // and one whose client said nothing after initialize
	streamsOpenAt  = 100 * time.Millisecond
	awayAtMost     = 10 * time.Second // since 2026-07-28: between a call that broke off and the same ask again
)

// Options holds the settings for serving over HTTP.
type Options struct {
	Listener net.Listener // closed at the end
	Token    string       // what every request must carry; never empty
	Host     string       // the name in the address the person gave, if it was one: it may stand in Host too
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
	srv      *server.MCPServer
	sessions *sessions
	book     *book
	bodies   bodies
	subject  string // who a client without a session is: the holder of the token
	openAt   time.Duration
	beat     time.Duration
	away     time.Duration // how long a client of 2026-07-28 may be away before its question is withdrawn
}

func newTransport(b *call.Bridge, token string) *transport {
	srv := call.NewServer(b)
	calls := rpc.NewCalls(srv)
	return &transport{
		bridge: b, srv: srv, sessions: newSessions(b, calls), book: newBook(b, calls),
		subject: fingerprint(token), openAt: streamsOpenAt, beat: call.EveryBeat, away: awayAtMost,
	}
}

func (t *transport) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodPost:
		t.post(w, r)
	case http.MethodDelete:
		t.end(w, r)
	default: // a GET would listen or resume; we tell clients nothing but what answers a call
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, r.Method+" is not served here", http.StatusMethodNotAllowed)
	}
}

// close ends the waiting calls and takes the sessions off the queue. It does not wait for a store that hangs.
func (t *transport) close() {
	t.book.calls.Close()
	left := make(chan struct{})
	go func() {
		defer close(left)
		for _, s := range t.sessions.all() {
			s.attendance.leave()
		}
	}()
	call.AwaitClose(left)
}

// end serves DELETE.
func (t *transport) end(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(server.HeaderKeySessionID)
	if id == "" {
		http.Error(w, "which session? send "+server.HeaderKeySessionID, http.StatusBadRequest)
		return
	}
	s := t.sessions.find(id)
	if s == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	t.sessions.end(s)
	w.WriteHeader(http.StatusOK)
}
