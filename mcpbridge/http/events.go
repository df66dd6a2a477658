package http

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// events writes the response to one request. If the client accepts Server-Sent Events, the first message before the
// result opens a stream. Otherwise the result is a single JSON response. Only one goroutine uses it.
type events struct {
	w      http.ResponseWriter
	conn   *http.ResponseController
	sse    bool // the client accepts Server-Sent Events
	opened bool // the stream is open
}

func newEvents(w http.ResponseWriter, r *http.Request) *events {
	accepts := strings.Join(r.Header.Values("Accept"), ",")
	return &events{w: w, conn: http.NewResponseController(w), sse: strings.Contains(accepts, "text/event-stream")}
}

// writeComment opens the stream, or keeps an open one alive: clients and proxies cut connections that are silent for 60
// or 300 seconds. Without a stream it does nothing.
func (e *events) writeComment() error {
	switch {
	case !e.sse:
		return nil
	case e.opened:
		return e.writeText(": waiting for the person\n\n")
	}
	e.openStream()
	return e.writeText(": choicetui\n\n")
}

// openStream writes the headers of a stream.
func (e *events) openStream() {
	e.opened = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("X-Accel-Buffering", "no") // nginx would buffer the events
	e.w.WriteHeader(http.StatusOK)
}

// writeMessage writes one JSON-RPC message ahead of the result, if the client accepts events.
func (e *events) writeMessage(m any) error {
	if !e.sse {
		return nil
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if !e.opened {
		e.openStream()
	}
	return e.writeText(fmt.Sprintf("event: message\ndata: %s\n\n", raw))
}

// writeResult writes the response, or the responses of a batch. nil means that every byte was handed to the connection.
func (e *events) writeResult(status int, response any) error {
	if e.opened {
		return e.writeMessage(response)
	}
	return writeJSON(e.w, status, response)
}

// endEmpty ends the response to a request that its client cancelled.
func (e *events) endEmpty() {
	switch {
	case e.opened:
	case e.sse:
		e.openStream()
	default:
		e.w.WriteHeader(http.StatusAccepted)
	}
}

// writeText writes and flushes a text.
func (e *events) writeText(text string) error {
	_ = e.conn.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := io.WriteString(e.w, text); err != nil {
		return err
	}
	return e.conn.Flush()
}

// clearDeadline removes the time limit for writing, for the next response on this connection.
func (e *events) clearDeadline() { _ = e.conn.SetWriteDeadline(time.Time{}) }
