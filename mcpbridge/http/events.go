package http

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// events writes the response to one request. If the client accepts Server-Sent Events, a stream opens with the first
// message before the result. Otherwise the result is one JSON response. One goroutine uses it.
type events struct {
	w      http.ResponseWriter
	conn   *http.ResponseController
	sse    bool // the client takes them
	opened bool
}

func newEvents(w http.ResponseWriter, r *http.Request) *events {
	accepts := strings.Join(r.Header.Values("Accept"), ",")
	return &events{w: w, conn: http.NewResponseController(w), sse: strings.Contains(accepts, "text/event-stream")}
}

// comment opens the stream, or keeps an open one alive: clients and proxies cut connections that are silent for 60 or
// 300 seconds.
func (e *events) comment() error {
	switch {
	case !e.sse:
		return nil
	case e.opened:
		return e.put(": waiting for the person\n\n")
	}
	e.headers()
	return e.put(": choicetui\n\n")
}

func (e *events) headers() {
	e.opened = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("X-Accel-Buffering", "no") // nginx would collect events
	e.w.WriteHeader(http.StatusOK)
}

// message writes one JSON-RPC message ahead of the result, if the client takes events.
func (e *events) message(m any) error {
	if !e.sse {
		return nil
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if !e.opened {
		e.headers()
	}
	return e.put(fmt.Sprintf("event: message\ndata: %s\n\n", raw))
}

// result writes the response, or those of a batch. nil means that all of it was handed to the connection.
func (e *events) result(status int, response any) error {
	if e.opened {
		return e.message(response)
	}
	return writeJSON(e.w, status, response)
}

// empty ends the response to a request that its client cancelled.
func (e *events) empty() {
	switch {
	case e.opened:
	case e.sse:
		e.headers()
	default:
		e.w.WriteHeader(http.StatusAccepted)
	}
}

func (e *events) put(text string) error {
	_ = e.conn.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := io.WriteString(e.w, text); err != nil {
		return err
	}
	return e.conn.Flush()
}

// close removes the time limit for writing, for the connection's next response.
func (e *events) close() { _ = e.conn.SetWriteDeadline(time.Time{}) }
