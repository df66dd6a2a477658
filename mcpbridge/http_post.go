package mcpbridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// post takes one message.
func (hs *httpServer) post(w http.ResponseWriter, r *http.Request) {
	raw, ok := body(w, r)
	if !ok {
		return
	}
	null := json.RawMessage("null")
	var m message
	switch trimmed := bytes.TrimLeft(raw, " \t\r\n"); {
	case !json.Valid(raw):
		refuse(w, http.StatusBadRequest, refusal(null, mcp.PARSE_ERROR, "message is not valid JSON"))
		return
	case trimmed[0] == '[':
		refuse(w, http.StatusBadRequest, refusal(null, mcp.INVALID_REQUEST, "batches are not supported: send one message a request"))
		return
	case json.Unmarshal(raw, &m) != nil:
		refuse(w, http.StatusBadRequest, refusal(null, mcp.INVALID_REQUEST, "message is no JSON-RPC message"))
		return
	case m.Method == nil && len(m.ID) == 0:
		refuse(w, http.StatusBadRequest, refusal(null, mcp.INVALID_REQUEST, "message has no method"))
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	method := ""
	if m.Method != nil {
		method = *m.Method
	}
	switch {
	case method == string(mcp.MethodNotificationCancelled) && hs.withdraw(r, m.Params):
		w.WriteHeader(http.StatusAccepted)
	case method == string(mcp.MethodToolsCall) && len(m.ID) > 0:
		hs.take(w, r, m, raw)
	case method == string(mcp.MethodInitialize):
		if !hs.room() {
			busy(w, m.ID, "too many sessions are open")
			return
		}
		rec := newRecorder() // the library opens the session after its answer: the client must not be faster
		hs.mcp.ServeHTTP(rec, r)
		rec.relay(w)
	default:
		hs.mcp.ServeHTTP(w, r)
	}
}

// body reads the request's, within its time and size. What goes on afterwards has no limit of time.
func body(w http.ResponseWriter, r *http.Request) (raw []byte, ok bool) {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(bodyWithin))
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxLine))
	_ = conn.SetReadDeadline(time.Time{})
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		refuse(w, http.StatusRequestEntityTooLarge, refusal(json.RawMessage("null"), mcp.INVALID_REQUEST, fmt.Sprintf("message is longer than %d bytes", maxLine)))
	case err != nil:
		http.Error(w, "the request's body did not arrive", http.StatusBadRequest)
	}
	return raw, err == nil
}

func refuse(w http.ResponseWriter, status int, e envelope) {
	raw, err := json.Marshal(e)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	writeJSON(w, status, raw)
}

func busy(w http.ResponseWriter, id json.RawMessage, why string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	w.Header().Set("Retry-After", "5")
	refuse(w, http.StatusServiceUnavailable, refusal(id, mcp.INTERNAL_ERROR, why))
}

// writeJSON hands one whole response to the connection.
func writeJSON(w http.ResponseWriter, status int, raw []byte) error {
	conn := http.NewResponseController(w)
	_ = conn.SetWriteDeadline(time.Now().Add(writeWithin))
	defer conn.SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(raw)))
	w.WriteHeader(status)
	if _, err := w.Write(raw); err != nil {
		return err
	}
	return conn.Flush()
}

// sessionOf is the MCP session a request belongs to; since 2026-07-28 there is none.
func sessionOf(r *http.Request) (id string, modern bool) {
	if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		return "", true
	}
	return r.Header.Get(server.HeaderKeySessionID), false
}

// recorder keeps what the library answers. It cannot stream, so the library does not try.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newRecorder() *recorder { return &recorder{header: http.Header{}} }

func (rec *recorder) Header() http.Header { return rec.header }

func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 {
		rec.status = status
	}
}

func (rec *recorder) Write(p []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	return rec.body.Write(p)
}

func (rec *recorder) relay(w http.ResponseWriter) {
	maps.Copy(w.Header(), rec.header)
	if rec.status != 0 {
		w.WriteHeader(rec.status)
	}
	_, _ = w.Write(rec.body.Bytes())
}
