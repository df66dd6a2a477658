package mcpbridge

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// What streams may cost once nobody reads them.
const (
	repeatFor   = 10 * time.Minute // a result that was sent can be had again
	maxStreams  = 2000             // remembered; the oldest is forgotten
	maxRepeated = 32 << 20         // bytes of results kept to be repeated
)

// stream is the answer to one request, over all connections it takes. Progress is not kept: what is new makes the old
// worthless. Its server's mutex guards it, but for what its call alone uses.
type stream struct {
	session string // MCP session
	id      json.RawMessage
	key     string // in httpServer.calls; empty: cannot be cancelled or resumed
	// progress is the client's token; sent counts events and beats the progress over all connections; the call's.
	progress any
	sent     int
	beats    int

	token  string    // names it in event ids; empty until it can be resumed
	call   *httpCall // that serves it now; nil: none
	asked  string    // the queue's session it stands for
	result []byte    // sent, kept to be repeated
	last   int       // the number of the event that held it
	over   bool      // there is nothing more to say
	at     time.Time // when it ended
}

func newStreamToken() string { return rand.Text()[:16] }

// remember makes a stream resumable, from its first event on.
func (hs *httpServer) remember(st *stream) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	if st.key == "" || st.token != "" {
		return
	}
	st.token = newStreamToken()
	hs.streams[st.token] = st
	hs.trim()
}

// trim forgets what is too old or too much; the caller holds mu. Streams whose call runs are bounded by maxCalls.
func (hs *httpServer) trim() {
	var ended []*stream
	kept := 0
	for token, st := range hs.streams {
		switch {
		case st.call != nil:
		case st.over && time.Since(st.at) > repeatFor:
			delete(hs.streams, token)
		default:
			ended = append(ended, st)
			kept += len(st.result)
		}
	}
	if len(hs.streams) <= maxStreams && kept <= maxRepeated {
		return
	}
	slices.SortFunc(ended, func(a, b *stream) int { return a.at.Compare(b.at) })
	for _, st := range ended {
		if len(hs.streams) <= maxStreams*3/4 && kept <= maxRepeated*3/4 { // not again at once
			return
		}
		delete(hs.streams, st.token)
		kept -= len(st.result)
	}
}

// settle notes how a stream's call ended.
func (hs *httpServer) settle(c *httpCall, out *events, err error) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	st := c.stream
	st.call = nil
	if c.reply.asked != "" {
		st.asked = c.reply.asked
	}
	st.at = time.Now()
	if err == nil {
		st.result, st.last, st.over = out.raw, st.sent, true
	}
	if c.withdrawn != nil {
		st.over = true
	}
	hs.trim()
}

// get resumes a stream. There is no other: a client that asks for one to listen on is told so, in the way clients take
// quietly.
func (hs *httpServer) get(w http.ResponseWriter, r *http.Request) {
	last := r.Header.Get(mcp.HeaderLastEventID)
	session, modern := sessionOf(r)
	if modern || last == "" {
		hs.mcp.ServeHTTP(w, r)
		return
	}
	if _, err := hs.sessions.Validate(session); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	token, number, _ := strings.Cut(last, ".")
	seen, err := strconv.Atoi(number)
	st, was := hs.attach(token, session)
	switch {
	case err != nil || st == nil:
		http.Error(w, "this Last-Event-ID is not known, or not any more", http.StatusBadRequest)
	case was.over && seen >= was.last:
		// The TypeScript client comes back for ever after an empty stream, and stops without an error at this.
		w.Header().Set("Allow", "POST, DELETE")
		http.Error(w, "the stream has ended", http.StatusMethodNotAllowed)
	case was.over:
		newEvents(hs, w, r, st).repeat(was.last, was.result)
	case was.asked == "":
		hs.nothingAsked(newEvents(hs, w, r, st))
	default:
		r.Header.Del(mcp.HeaderLastEventID)
		r.Header.Set("Content-Type", "application/json")
		hs.serve(w, r, st, was.again())
	}
}

// attach takes a stream away from the connection that has it, if any, waits until that has let go, and returns the
// stream and how it was then.
func (hs *httpServer) attach(token, session string) (st *stream, was stream) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	for {
		st := hs.streams[token]
		if st == nil || st.session != session {
			return nil, stream{}
		}
		c := st.call
		if c == nil {
			return st, *st
		}
		select {
		case <-c.resumed:
		default:
			close(c.resumed)
		}
		c.cancel(errClosed)
		hs.mu.Unlock()
		<-c.over
		hs.mu.Lock()
	}
}

// again is the request that goes on where the first one broke off: a poll of the session it asked for.
func (st *stream) again() []byte {
	params := map[string]any{"name": "provide_choice", "arguments": map[string]any{"session_id": st.asked}}
	if st.progress != nil {
		params["_meta"] = map[string]any{"progressToken": st.progress}
	}
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": mcp.JSONRPC_VERSION, "id": st.id, "method": string(mcp.MethodToolsCall), "params": params,
	})
	if err != nil {
		return nil
	}
	return raw
}

// nothingAsked ends a stream whose call broke off before there was a session, or whose tool has none.
func (hs *httpServer) nothingAsked(out *events) {
	const text = "The connection broke before anybody was asked. Call the tool again; do not choose yourself."
	st := out.st
	raw, err := json.Marshal(envelope{JSONRPC: mcp.JSONRPC_VERSION, ID: st.id, Result: mcp.NewToolResultError(text)})
	if err != nil {
		return
	}
	hs.mu.Lock()
	if !st.over {
		st.sent++
		st.over, st.last, st.result, st.at = true, st.sent, raw, time.Now()
	}
	last, raw := st.last, st.result
	hs.mu.Unlock()
	out.repeat(last, raw)
}
