package codex

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"

	"github.com/choicetui/choicetui/mcpbridge/agents/codex/socket"
)

// item holds a step of a session. Of a step that changes files the planned edits are kept, because its request does not
// contain them. Messages are read for questions that do not stop Codex; see later.go.
type item struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Status    string          `json:"status"`
	Changes   json.RawMessage `json:"changes"`
	Delivery  string          `json:"delivery"`
	Questions []laterQuestion `json:"questions"`
	Content   []userText      `json:"content"` // of a message of the person
}

const (
	itemFiles      = "fileChange"
	itemMessage    = "agentMessage"
	itemPerson     = "userMessage"
	itemInProgress = "inProgress"
	mostChanges    = 20 // changes that are kept of one session at a time
)

// learnThread records the directory of a session and its unfinished changes of files, from a result or notification
// that describes the whole session.
func (l *link) learnThread(ctx context.Context, t *thread, raw json.RawMessage) {
	var is struct {
		Thread struct {
			ID    string `json:"id"`
			Cwd   string `json:"cwd"`
			Turns []struct {
				Items []json.RawMessage `json:"items"`
			} `json:"turns"`
		} `json:"thread"`
	}
	if t == nil || json.Unmarshal(raw, &is) != nil {
		return
	}
	if is.Thread.Cwd != "" {
		t.cwd = is.Thread.Cwd
	}
	for n, turn := range is.Thread.Turns {
		for _, each := range turn.Items {
			var i item
			switch {
			case json.Unmarshal(each, &i) != nil:
			case i.Type == itemFiles && i.Status == itemInProgress:
				l.keepChanges(ctx, t, i.ID, i.Changes)
			case n == len(is.Thread.Turns)-1: // older questions are no longer asked
				l.learnLater(ctx, is.Thread.ID, t.cwd, i)
			}
		}
	}
}

// learnItem records the planned edits of a change of files, and forgets them once the change is done.
func (l *link) learnItem(ctx context.Context, m socket.Message) {
	var said struct {
		ThreadID string          `json:"threadId"`
		ItemID   string          `json:"itemId"`
		Item     item            `json:"item"`
		Changes  json.RawMessage `json:"changes"`
	}
	if json.Unmarshal(m.Params, &said) != nil {
		return
	}
	t := l.threads[said.ThreadID]
	switch {
	case t == nil:
	case m.Method == toldPatch:
		l.keepChanges(ctx, t, said.ItemID, said.Changes)
	case said.Item.Type != itemFiles:
		l.learnLater(ctx, said.ThreadID, t.cwd, said.Item)
	case m.Method == toldItemOver:
		delete(t.changes, said.Item.ID)
		delete(t.held, said.Item.ID)
	default:
		l.keepChanges(ctx, t, said.Item.ID, said.Item.Changes)
	}
}

// keepChanges records the planned edits of a change, up to mostChanges. If a request waited for these edits, it is
// asked now; beyond the limit it is left to Codex.
func (l *link) keepChanges(ctx context.Context, t *thread, id string, changes json.RawMessage) {
	if _, known := t.changes[id]; !known && len(t.changes) >= mostChanges || len(changes) == 0 {
		return
	}
	t.changes[id] = changes
	if m, waits := t.held[id]; waits {
		delete(t.held, id)
		l.askRequest(ctx, m, false)
	}
}

// forgetHeld drops a request that waited for its planned edits, because it was answered elsewhere.
func (t *thread) forgetHeld(id json.RawMessage) {
	if t == nil {
		return
	}
	maps.DeleteFunc(t.held, func(_ string, m socket.Message) bool { return bytes.Equal(m.ID, id) })
}
