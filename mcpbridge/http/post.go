package http

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// servePost serves a POST of one message or a batch.
func (t *transport) servePost(w http.ResponseWriter, r *http.Request) {
	raw, done, ok := t.bodies.readBody(w, r)
	defer done()
	if !ok {
		return
	}
	if rpc.IsBatch(raw) && t.takesBatches(r) {
		t.postBatch(w, r, raw)
		return
	}
	m, refusal := rpc.Parse(raw)
	if refusal != nil {
		writeJSON(w, http.StatusBadRequest, refusal)
		return
	}
	from, ok := t.admit(w, r, m)
	switch {
	case !ok:
	case m.IsResponse():
		w.WriteHeader(http.StatusAccepted)
	case m.IsNotification():
		t.takeNotification(from, m)
		w.WriteHeader(http.StatusAccepted)
	case m.Is(mcp.MethodToolsCall):
		t.serveToolCall(w, r, from, m, raw)
	default:
		t.serveAtOnce(w, r, from, m, raw)
	}
}

// takeNotification handles a notification. All but notifications/cancelled are ignored.
func (t *transport) takeNotification(from client, m rpc.Message) {
	if m.Is(mcp.MethodNotificationCancelled) {
		t.registry.takeCancel(from, m)
	}
}

// takesBatches reports whether the request belongs to a session with the one protocol version that has batches.
func (t *transport) takesBatches(r *http.Request) bool {
	s := t.sessions.useSession(r.Header.Get(headerSession))
	return s != nil && s.batches && !mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))
}

// postBatch serves a batch. Its response is a single array.
func (t *transport) postBatch(w http.ResponseWriter, r *http.Request, raw []byte) {
	from, ok := t.admit(w, r, rpc.Message{})
	if !ok {
		return
	}
	e := &exchange{batch: true, beats: make(chan any)}
	refused, refusal := rpc.TakeBatch(raw,
		func(m rpc.Message) { t.takeNotification(from, m) },
		func(m rpc.Message, part []byte) *rpc.Envelope {
			c := newPendingCall(from, m, part, t.subject, e.beats)
			if err := c.start(r.Context(), t.registry); err != nil {
				return rpc.Refuse(m.ID, mcp.INVALID_REQUEST, err.Error())
			}
			e.calls = append(e.calls, c)
			return nil
		})
	switch e.refused = refused; {
	case refusal != nil:
		writeJSON(w, http.StatusBadRequest, refusal)
	case len(e.calls) > 0:
		t.serveExchange(w, r, from, e)
	case len(refused) > 0:
		writeJSON(w, http.StatusBadRequest, refused)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// serveToolCall serves a tools/call from its request to its result.
func (t *transport) serveToolCall(w http.ResponseWriter, r *http.Request, from client, m rpc.Message, raw []byte) {
	e := &exchange{beats: make(chan any)}
	c := newPendingCall(from, m, raw, t.subject, e.beats)
	switch err := c.start(r.Context(), t.registry); {
	case errors.Is(err, rpc.ErrInFlight):
		writeJSON(w, http.StatusBadRequest, rpc.Refuse(m.ID, mcp.INVALID_REQUEST, err.Error()))
		return
	case err != nil:
		refuseBusy(w, m.ID, err.Error())
		return
	}
	e.calls = []*pendingCall{c}
	t.serveExchange(w, r, from, e)
	if id := c.reply.Session(); c.abandoned && id != "" {
		time.AfterFunc(t.away, func() { t.bridge.WithdrawDropped(context.Background(), id, t.away) })
	}
}

// serveExchange serves calls that were started, until they have ended.
func (t *transport) serveExchange(w http.ResponseWriter, r *http.Request, from client, e *exchange) {
	out := newEvents(w, r)
	defer out.clearDeadline()
	responses := e.await(r.Context(), out, e.serve(t.bridge.Log()), t.openAt, t.beat)
	t.sessions.useSession(from.peer.ID) // the session was in use until now
	e.finish(r.Context(), out, responses)
}

// serveAtOnce serves a request for which nobody has to wait.
func (t *transport) serveAtOnce(w http.ResponseWriter, r *http.Request, from client, m rpc.Message, raw []byte) {
	opens := !from.modern() && m.Is(mcp.MethodInitialize)
	var notes []any // notifications, which can only be written to this request's stream
	reply := &call.Reply{ID: m.ID, Notify: func(note any) { notes = append(notes, note) }}
	response := t.srv.Serve(r.Context(), from.peer, reply, raw)
	if opens && response.Error == nil {
		from.session.batches = response.TakesBatches()
		if !t.sessions.openSession(from.session) { // before the response, after which the client may use the session
			refuseBusy(w, m.ID, tooManySessions)
			return
		}
		w.Header().Set(headerSession, from.peer.ID)
	}
	out := newEvents(w, r)
	defer out.clearDeadline()
	for _, note := range notes {
		_ = out.writeMessage(note)
	}
	_ = out.writeResult(from.status(response), response)
}

const tooManySessions = "too many sessions are open: one ends with its DELETE, or 24 hours after it was last used"

// refuseBusy refuses a request that the client may send again in a few seconds.
func refuseBusy(w http.ResponseWriter, id json.RawMessage, why string) {
	w.Header().Set("Retry-After", "5")
	writeJSON(w, http.StatusServiceUnavailable, rpc.Refuse(id, mcp.INTERNAL_ERROR, why))
}

// writeJSON hands a whole response, or the responses of a batch, to the connection.
func writeJSON(w http.ResponseWriter, status int, response any) error {
	raw, err := json.Marshal(response)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return err
	}
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
