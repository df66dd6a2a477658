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

// writeComment opens the stream, or keeps an open one alive: clients and proxies cut connections that are silent for 60
// or 300 seconds.
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

func (e *events) openStream() {
	e.opened = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("X-Accel-Buffering", "no") // nginx would collect events
	e.w.WriteHeader(http.StatusOK)
}

// writeMessage writes one JSON-RPC message ahead of the result, if the client takes events.
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

// writeResult writes the response, or those of a batch. nil means that all of it was handed to the connection.
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

func (e *events) writeText(text string) error {
	_ = e.conn.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := io.WriteString(e.w, text); err != nil {
		return err
	}
	return e.conn.Flush()
}

// clearDeadline removes the time limit for writing, for the connection's next response.
func (e *events) clearDeadline() { _ = e.conn.SetWriteDeadline(time.Time{}) }
