package codexwatch

import (
	"context"
	"encoding/json"

	"github.com/choicetui/choicetui/mcpbridge/native/codex"
)

// item is a step of a session. For a change of files it keeps the planned edits, because the person who is asked sees
// nothing else of the change.
type item struct {
	ID      string          `json:"id"`
	Type    string          `json:"type"`
	Status  string          `json:"status"`
	Changes json.RawMessage `json:"changes"`
}

const (
	itemFiles      = "fileChange"
	itemInProgress = "inProgress"
	mostChanges    = 20 // of one session at a time
)

// learnThread keeps what a result or a notification says of a whole session.
func (l *link) learnThread(ctx context.Context, t *thread, raw json.RawMessage) {
	var is struct {
		Thread struct {
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
	for _, turn := range is.Thread.Turns {
		for _, each := range turn.Items {
			var i item
			if json.Unmarshal(each, &i) == nil && i.Type == itemFiles && i.Status == itemInProgress {
				l.keepChanges(ctx, t, i.ID, i.Changes)
			}
		}
	}
}

// learnItem keeps what a change of files would do until it is done.
func (l *link) learnItem(ctx context.Context, m codex.Message) {
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
	case m.Method == toldItemOver:
		delete(t.changes, said.Item.ID)
		delete(t.held, said.Item.ID)
	default:
		l.keepChanges(ctx, t, said.Item.ID, said.Item.Changes)
	}
}

// keepChanges keeps what a change would do, and asks what waited for that.
func (l *link) keepChanges(ctx context.Context, t *thread, id string, changes json.RawMessage) {
	if _, known := t.changes[id]; !known && len(t.changes) >= mostChanges || len(changes) == 0 {
		return
	}
	t.changes[id] = changes
	if m, waits := t.held[id]; waits {
		delete(t.held, id)
		l.askRequest(ctx, m)
	}
}

// forgetHeld forgets a request that was answered before it could be asked here.
func (t *thread) forgetHeld(id json.RawMessage) {
	if t == nil {
		return
	}
	for item, m := range t.held {
		if string(m.ID) == string(id) {
			delete(t.held, item)
		}
	}
}
