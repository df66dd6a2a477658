package mcpbridge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// events writes a stream to one connection: as Server-Sent Events where the client takes them, which open with the
// first thing there is to say before the result, and otherwise as one JSON response. One goroutine uses it.
type events struct {
	hs     *httpServer
	w      http.ResponseWriter
	conn   *http.ResponseController
	st     *stream
	sse    bool // the client takes them
	prime  bool // and knows an event without data, which only brings its id
	opened bool
	raw    []byte // the result, once written
}

func newEvents(hs *httpServer, w http.ResponseWriter, r *http.Request, st *stream) *events {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	return &events{
		hs: hs, w: w, conn: http.NewResponseController(w), st: st,
		sse:   r.Method == http.MethodGet || strings.Contains(strings.Join(r.Header.Values("Accept"), ","), "text/event-stream"),
		prime: version >= mcp.ProtocolVersion20251125 && !mcp.IsModernProtocol(version),
	}
}

// open starts the stream. From here on it can be resumed.
func (e *events) open() error {
	if e.opened || !e.sse {
		return nil
	}
	e.hs.remember(e.st)
	e.headers()
	if e.prime && e.st.token != "" {
		e.st.sent++
		return e.write(e.st.sent, nil)
	}
	return e.put(": choicetui\n\n")
}

func (e *events) headers() {
	e.opened = true
	e.w.Header().Set("Content-Type", "text/event-stream")
	e.w.Header().Set("X-Accel-Buffering", "no") // nginx would collect events
	e.w.WriteHeader(http.StatusOK)
}

// repeat writes a stream's last event, which the client says it has not seen.
func (e *events) repeat(number int, raw []byte) {
	defer e.close()
	e.headers()
	_ = e.write(number, raw) // if that fails, the client comes again
}

// comment keeps the connection alive: clients and proxies cut what is silent for 60 or 300 seconds.
func (e *events) comment() error {
	switch {
	case !e.sse:
		return nil
	case !e.opened:
		return e.open()
	}
	return e.put(": waiting for the person\n\n")
}

// message writes one JSON-RPC message.
func (e *events) message(raw []byte) error {
	if !e.sse {
		return nil
	}
	if err := e.open(); err != nil {
		return err
	}
	e.st.sent++
	return e.write(e.st.sent, raw)
}

// result writes what the library answered, under the id as it came. nil means that all of it was handed to the
// connection.
func (e *events) result(rec *recorder) error {
	var answer struct {
		Result json.RawMessage `json:"result,omitempty"`
		Error  json.RawMessage `json:"error,omitempty"`
	}
	if json.Unmarshal(rec.body.Bytes(), &answer) != nil || answer.Result == nil && answer.Error == nil {
		rec.relay(e.w) // no JSON-RPC: the request was refused
		return errClosed
	}
	raw, err := json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   json.RawMessage `json:"error,omitempty"`
	}{mcp.JSONRPC_VERSION, e.st.id, answer.Result, answer.Error})
	if err != nil {
		return err
	}
	if e.opened {
		err = e.message(raw)
	} else {
		err = writeJSON(e.w, rec.status, raw)
	}
	if err == nil {
		e.raw = raw
	}
	return err
}

// nothing ends the response of a call that has no result.
func (e *events) nothing(status int) {
	switch {
	case e.opened:
	case e.sse && status == http.StatusAccepted:
		e.w.Header().Set("Content-Type", "text/event-stream")
		e.w.WriteHeader(http.StatusOK)
	default:
		e.w.WriteHeader(status)
	}
}

// write writes one event under its number in the stream; without a message it only brings the number.
func (e *events) write(number int, raw []byte) error {
	id := ""
	if e.st.token != "" {
		id = fmt.Sprintf("id: %s.%d\n", e.st.token, number)
	}
	if raw == nil {
		return e.put(id + "data: \n\n")
	}
	return e.put(fmt.Sprintf("%sevent: message\ndata: %s\n\n", id, raw))
}

func (e *events) put(text string) error {
	_ = e.conn.SetWriteDeadline(time.Now().Add(writeWithin))
	if _, err := io.WriteString(e.w, text); err != nil {
		return err
	}
	return e.conn.Flush()
}

// close lets the connection's next response take its time.
func (e *events) close() { _ = e.conn.SetWriteDeadline(time.Time{}) }
