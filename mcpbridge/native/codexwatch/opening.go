package codexwatch

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/mcpbridge/native/codex"
)

// opening is one thing that Codex asks now. Watcher.mu guards it.
type opening struct {
	thread, request string
	asked           native.Asked
	conn            *codex.Conn // where the response goes; nil: the connection is lost
	replied         bool        // a response is on its way
	over            context.CancelCauseFunc
	lost            *time.Timer   // ends it when the connection does not come back
	back            chan struct{} // rung when it is asked again, over another connection
	taken           chan struct{} // closed when Codex said that it is resolved, after a response
}

// openQuestion begins a question, or continues one that is asked again over another connection.
func (w *Watcher) openQuestion(ctx context.Context, conn *codex.Conn, id json.RawMessage, asked native.Asked) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := w.open[asked.Origin.Source]; at != nil {
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
	at := &opening{thread: asked.Origin.Thread, request: string(id), asked: asked, conn: conn,
		back: make(chan struct{}, 1), taken: make(chan struct{})}
	// A question outlives its connection for a while, so it is not that connection's context.
	var one context.Context
	one, at.over = context.WithCancelCause(context.WithoutCancel(ctx))
	w.open[asked.Origin.Source] = at
	w.asking.Add(1)
	go func() {
		defer w.asking.Done()
		w.awaitAnswer(one, at)
	}()
}

// closeQuestions ends what a thread asks: one request, or all of them where that is nil. A question whose response is
// on its way is closed by that.
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

// loseConnection gives what was asked over a connection that ended some time to be asked again.
func (w *Watcher) loseConnection(conn *codex.Conn) {
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

// giveUp gives up a question if its connection did not come back.
func (w *Watcher) giveUp(source string, at *opening) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at.conn == nil && w.open[source] == at {
		delete(w.open, source)
		at.over(native.ErrGone)
	}
}

// endAll ends all that is asked.
func (w *Watcher) endAll(why error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for source, at := range w.open {
		delete(w.open, source)
		at.over(why)
	}
}

// awaitAnswer asks, responds, and closes the session once Codex took the response. Where another watcher has the
// question, that one responds, and this one only if it does not.
func (w *Watcher) awaitAnswer(ctx context.Context, at *opening) {
	in, err := w.Intake(ctx)
	if err != nil {
		return
	}
	s, own, err := in.Await(ctx, at.asked, func(context.Context) error { return nil })
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
		return // the answer stays in the queue, and nobody has fetched it
	}
	if !own {
		return
	}
	if at.asked.Beside != nil {
		w.sayWords(ctx, at, at.asked.Beside(s))
	}
	_ = in.Collect(s)
}

// sayWords gives the session a line of the person's, as if it had been typed there: a refusal carries no words.
func (w *Watcher) sayWords(ctx context.Context, at *opening, words string) {
	w.mu.Lock()
	conn := at.conn
	w.said++
	id := firstLine + w.said
	w.mu.Unlock()
	params, err := json.Marshal(map[string]any{"threadId": at.thread,
		"input": []map[string]string{{"type": "text", "text": words}}})
	if words == "" || conn == nil || err != nil {
		return
	}
	m := codex.Message{ID: json.RawMessage(strconv.Itoa(id)), Method: "turn/start", Params: params}
	if line, err := json.Marshal(m); err == nil {
		writeMessage(ctx, conn, line)
	}
}

// deliver sends a response and reports whether Codex said that the request is resolved. Asked again, it is sent again.
func (w *Watcher) deliver(ctx context.Context, at *opening, response []byte) bool {
	for {
		patience := time.NewTimer(callWithin)
		if conn := w.startReply(at); conn == nil || !writeMessage(ctx, conn, response) {
			patience.Stop() // the connection is lost: that has its own time
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

// startReply marks a response as being on its way, and returns the connection for it; nil: it is lost.
func (w *Watcher) startReply(at *opening) *codex.Conn {
	w.mu.Lock()
	defer w.mu.Unlock()
	at.replied = true
	return at.conn
}

func writeMessage(ctx context.Context, conn *codex.Conn, raw []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	return conn.Write(ctx, raw) == nil
}
