package codex

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
)

// Methods and notifications of the app-server.
const (
	methodList     = "thread/loaded/list"
	methodJoin     = "thread/resume"
	toldStarted    = "thread/started"
	toldClosed     = "thread/closed"
	toldResolved   = "serverRequest/resolved"
	toldItem       = "item/started"
	toldItemOver   = "item/completed"
	toldPatch      = "item/fileChange/patchUpdated"
	firstCall      = 1000   // above the ids of the handshake
	mostOfAnything = 10_000 // limits the awaited responses, and the sessions of a listing
)

// link holds one connection to an app-server, and the sessions that were joined over it. Only one goroutine uses it.
type link struct {
	watcher *Watcher
	conn    *socket.Conn
	last    int
	calls   map[string]func(socket.Message) // the handlers of expected responses, by the id of the request
	listing bool                            // a listing of the sessions is in progress
	threads map[string]*thread
	late    chan socket.Message // requests whose edits did not come within heldWithin
}

// heldWithin is the time for which a change of files waits for its edits. Then the person is told of it all the same.
const heldWithin = time.Second

// thread is one session of Codex that was joined.
type thread struct {
	cwd     string
	changes map[string]json.RawMessage // the planned edits of unfinished changes, by the id of the item
	held    map[string]socket.Message  // requests whose edits are not known yet, by the id of the item
}

func newLink(w *Watcher, conn *socket.Conn) *link {
	return &link{watcher: w, conn: conn, last: firstCall, calls: map[string]func(socket.Message){},
		threads: map[string]*thread{}, late: make(chan socket.Message)}
}

// sendRequest sends a request. then is called with the response.
func (l *link) sendRequest(ctx context.Context, method string, params any, then func(socket.Message)) {
	l.last++
	id := fmt.Sprint(l.last)
	raw, err := json.Marshal(params)
	if err != nil || len(l.calls) > mostOfAnything {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	if l.conn.Send(ctx, socket.Message{ID: json.RawMessage(id), Method: method, Params: raw}) == nil {
		l.calls[id] = then
	}
}

// listThreads lists the open sessions and joins the new ones. It does nothing while a listing is in progress.
func (l *link) listThreads(ctx context.Context) {
	if !l.listing {
		l.listing = true
		l.listPage(ctx, nil, map[string]bool{})
	}
}

// listPage reads one page of the list of sessions and the pages after it. Sessions that are no longer listed are
// forgotten.
func (l *link) listPage(ctx context.Context, cursor *string, seen map[string]bool) {
	params := map[string]any{}
	if cursor != nil {
		params["cursor"] = *cursor
	}
	l.sendRequest(ctx, methodList, params, func(m socket.Message) {
		var page struct {
			Data       []string `json:"data"`
			NextCursor *string  `json:"nextCursor"`
		}
		if m.Error != nil || json.Unmarshal(m.Result, &page) != nil {
			l.listing = false
			return
		}
		for _, id := range page.Data {
			seen[id] = true
			l.joinThread(ctx, id)
		}
		if page.NextCursor != nil && len(page.Data) > 0 && len(seen) < mostOfAnything {
			l.listPage(ctx, page.NextCursor, seen)
			return
		}
		l.listing = false
		for id := range l.threads {
			if !seen[id] {
				delete(l.threads, id)
			}
		}
	})
}

// joinThread makes the app-server send the requests of a session here, those that are already open included.
func (l *link) joinThread(ctx context.Context, id string) {
	if l.threads[id] != nil || id == "" {
		return
	}
	joined := &thread{changes: map[string]json.RawMessage{}, held: map[string]socket.Message{}}
	l.threads[id] = joined
	l.sendRequest(ctx, methodJoin, map[string]string{"threadId": id}, func(m socket.Message) {
		if m.Error != nil {
			if l.threads[id] == joined {
				delete(l.threads, id) // the next listing joins it again
			}
			return
		}
		l.learnThread(ctx, joined, m.Result)
	})
}

// takeMessage handles a request, a notification or a response.
func (l *link) takeMessage(ctx context.Context, m socket.Message) {
	switch then := l.calls[string(m.ID)]; {
	case m.Method != "" && len(m.ID) > 0:
		l.askRequest(ctx, m, false)
	case m.Method != "":
		l.takeNotification(ctx, m)
	case then != nil:
		delete(l.calls, string(m.ID))
		then(m)
	}
}

// messageContext holds the fields of a message that say which thread, item and request it is about.
type messageContext struct {
	ThreadID  string          `json:"threadId"`
	ItemID    string          `json:"itemId"`
	RequestID json.RawMessage `json:"requestId"`
	Thread    struct {
		ID string `json:"id"`
	} `json:"thread"`
}

// takeLate tells the person of a change of files whose edits are still not known.
func (l *link) takeLate(ctx context.Context, m socket.Message) {
	var of messageContext
	if json.Unmarshal(m.Params, &of) != nil {
		return
	}
	if t := l.threads[of.ThreadID]; t != nil {
		if held, waits := t.held[of.ItemID]; waits && string(held.ID) == string(m.ID) {
			l.askRequest(ctx, m, true)
		}
	}
}

// takeNotification handles a notification.
func (l *link) takeNotification(ctx context.Context, m socket.Message) {
	var of messageContext
	if json.Unmarshal(m.Params, &of) != nil {
		return
	}
	switch m.Method {
	case toldStarted:
		l.joinThread(ctx, of.Thread.ID)
		l.learnThread(ctx, l.threads[of.Thread.ID], m.Params)
	case toldItem, toldPatch, toldItemOver:
		l.learnItem(ctx, m)
	case toldClosed:
		delete(l.threads, of.ThreadID)
		l.watcher.closeQuestions(of.ThreadID, nil, prompt.ErrGone)
	case toldResolved:
		if len(of.RequestID) > 0 {
			l.threads[of.ThreadID].forgetHeld(of.RequestID)
			l.watcher.closeQuestions(of.ThreadID, of.RequestID, prompt.ErrThere)
		}
	}
}

// askRequest puts a request into the queue. Requests of other kinds are left to Codex's other clients. A change of
// files whose edits are not known waits for them, unless it is late.
func (l *link) askRequest(ctx context.Context, m socket.Message, late bool) {
	var of messageContext
	if json.Unmarshal(m.Params, &of) != nil {
		return
	}
	r := Request{Method: m.Method, ID: m.ID, Params: m.Params, Cut: m.Cut, Server: l.conn.Server()}
	if t := l.threads[of.ThreadID]; t != nil {
		r.Cwd, r.Changes = t.cwd, t.changes[of.ItemID]
		if m.Method == MethodFiles && r.Changes == nil && !late && len(t.held) < mostOpen {
			t.held[of.ItemID] = m // keepChanges asks it as soon as the edits are known
			time.AfterFunc(heldWithin, func() {
				select {
				case l.late <- m:
				case <-ctx.Done():
				}
			})
			return
		}
	}
	if asked, ok := ReadRequest(r); ok {
		l.watcher.openQuestion(ctx, l.conn, m.ID, asked)
	}
}
