package codex

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// openRequest holds a request that Codex has open. Watcher.mu guards it.
type openRequest struct {
	thread, request string // request is empty for a question that does not stop Codex
	asked           prompt.Asked
	conn            *socket.Conn // where the response goes; nil: the connection is lost
	replied         bool         // a response is on its way
	over            context.CancelCauseFunc
	lost            *time.Timer   // gives the request up if the connection does not come back
	back            chan struct{} // receives a value when Codex sends the request again over a new connection
	taken           chan struct{} // closed when Codex confirms our response
}

// openQuestion starts a question, or continues one that Codex sends again over another connection.
func (w *Watcher) openQuestion(ctx context.Context, conn *socket.Conn, id json.RawMessage, asked prompt.Asked) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.open[asked.Origin.Source]
	if at != nil && at.asked.Unfit != "" && asked.Unfit == "" { // its edits are known now
		at.over(prompt.ErrThere)
		at = nil
	}
	if at != nil {
		if at.lost != nil {
			at.lost.Stop()
		}
		at.conn, at.lost = conn, nil
		select {
		case at.back <- struct{}{}:
		default:
		}
		return
	}
	if len(w.open) >= mostOpen {
		return
	}
	at = &openRequest{thread: asked.Origin.Thread, request: string(id), asked: asked, conn: conn,
		back: make(chan struct{}, 1), taken: make(chan struct{})}
	// A question outlives its connection for a while, so its context must not end with that of the connection.
	var one context.Context
	one, at.over = context.WithCancelCause(context.WithoutCancel(ctx))
	w.open[asked.Origin.Source] = at
	w.asking.Add(1)
	go func() {
		defer w.asking.Done()
		w.awaitAnswer(one, at)
	}()
}

// closeQuestions ends one request of a thread, or all of them if request is nil. If our response to the request is on
// its way, it marks that response as taken instead.
func (w *Watcher) closeQuestions(thread string, request json.RawMessage, why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for source, at := range w.open {
		if at.thread != thread || request != nil && at.request != string(request) {
			continue
		}
		delete(w.open, source)
		if at.lost != nil {
			at.lost.Stop()
		}
		if at.replied && request != nil {
			close(at.taken)
			continue
		}
		at.over(why)
	}
}

// loseConnection gives the requests of a connection that ended some time to be sent again over another one.
func (w *Watcher) loseConnection(conn *socket.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for source, at := range w.open {
		if at.conn != conn {
			continue
		}
		at.conn = nil
		at.lost = time.AfterFunc(w.lost, func() { w.giveUp(source, at) })
	}
}

// giveUp ends a question whose connection did not come back.
func (w *Watcher) giveUp(source string, at *openRequest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at.conn == nil && w.open[source] == at {
		delete(w.open, source)
		at.over(prompt.ErrGone)
	}
}

// endAll ends all questions.
func (w *Watcher) endAll(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for source, at := range w.open {
		delete(w.open, source)
		at.over(why)
	}
}

// awaitAnswer waits for the answer, responds, and closes the session once Codex took the response. If another watcher
// owns the question, this watcher responds only if the other one does not respond in time.
func (w *Watcher) awaitAnswer(ctx context.Context, at *openRequest) {
	in, err := w.Intake(ctx)
	if err != nil {
		return
	}
	s, own, err := in.AwaitOrShow(ctx, at.asked, func(context.Context) error { return nil })
	if err != nil {
		return
	}
	if !own {
		select {
		case <-time.After(ownerWithin):
		case <-ctx.Done():
			return
		}
	}
	if response := at.asked.Render(s); response != nil && !w.deliver(ctx, at, response) {
		return // the answer stays in the queue as not fetched
	}
	if !own {
		return
	}
	if at.asked.Beside != nil {
		w.sayWords(ctx, at, at.asked.Beside(s))
	}
	_ = in.Collect(s)
}

// sayWords sends the session a line from the person as if it had been typed there, because a refusal carries no words.
func (w *Watcher) sayWords(ctx context.Context, at *openRequest, words string) {
	w.mu.Lock()
	conn := at.conn
	w.said++
	id := lineIDBase + w.said
	w.mu.Unlock()
	params, err := json.Marshal(map[string]any{"threadId": at.thread,
		"input": []map[string]string{{"type": "text", "text": words}}})
	if words == "" || conn == nil || err != nil {
		return
	}
	m := socket.Message{ID: json.RawMessage(strconv.Itoa(id)), Method: "turn/start", Params: params}
	if line, err := json.Marshal(m); err == nil {
		writeMessage(ctx, conn, line)
	}
}

// deliver sends a response and reports whether Codex confirmed it. It sends the response again if Codex sends the
// request again.
func (w *Watcher) deliver(ctx context.Context, at *openRequest, response []byte) bool {
	for {
		patience := time.NewTimer(callWithin)
		if conn := w.startReply(at); conn == nil || !writeMessage(ctx, conn, response) {
			patience.Stop() // the connection is lost, and giveUp limits the wait
		}
		select {
		case <-at.taken:
			return true
		case <-at.back:
		case <-patience.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// startReply marks the response as being on its way, and returns the connection for it; nil: the connection is lost.
func (w *Watcher) startReply(at *openRequest) *socket.Conn {
	w.mu.Lock()
	defer w.mu.Unlock()
	at.replied = true
	return at.conn
}

// writeMessage sends one message and reports whether that worked.
func writeMessage(ctx context.Context, conn *socket.Conn, raw []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	return conn.Write(ctx, raw) == nil
}
