package portal

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/choicetui/choicetui/queue"
)

const (
	subprotocol = "choicetui"
	// mostRead is the largest message of a page in bytes: a text of the person's with every character escaped.
	mostRead    = 6*queue.MaxPromptBytes + 4096
	writeWithin = 10 * time.Second // a page that needs longer to read a message is disconnected
	// The portal disconnects a page that does not answer a ping: a laptop was closed, a phone is out of reach.
	pingEvery = 25 * time.Second
)

// pageEvent is the message that a page sends for an action of the person. Do is an action of the key table, or one of
// the constants doOpen and following.
type pageEvent struct {
	Do    string  `json:"do"`
	Key   string  `json:"key"`   // the key that was pressed
	N     int     `json:"n"`     // the number of an option, question, tab or reason, from 1
	Field string  `json:"field"` // the name of a text field, or the key of a setting
	Value string  `json:"value"` // the text, or the value of a setting
	Path  string  `json:"path"`  // the path that the page shows
	Seq   int     `json:"seq"`   // the number of a key; the page sends no further key until it is confirmed
	At    float64 `json:"at"`    // the time on the page's own clock, in milliseconds; 0: now
	Held  bool    `json:"held"`  // the key is held: this is a repeat
	Touch bool    `json:"touch"` // the person probably has no keyboard
}

// message contains the changes for a page. Empty fields have not changed.
type message struct {
	Parts  map[string]string `json:"parts,omitempty"`  // HTML, by the id of the element that contains it
	Values map[string]string `json:"values,omitempty"` // the content of text fields, by their id
	Force  bool              `json:"force,omitempty"`  // also replace the text of the field being typed
	Times  map[string]clock  `json:"times,omitempty"`  // remaining times, by session
	Keys   []string          `json:"keys,omitempty"`   // the keys that have a meaning now
	Title  string            `json:"title,omitempty"`
	Path   string            `json:"path,omitempty"`  // the new path of the page
	Focus  string            `json:"focus,omitempty"` // the id of the element that gets the focus
	Alert  *alert            `json:"alert,omitempty"`
	Copy   string            `json:"copy,omitempty"`  // the text for the clipboard
	Say    string            `json:"say,omitempty"`   // a notice, shown for a while
	News   string            `json:"news,omitempty"`  // told to a screen reader alone: what has come
	Seen   int               `json:"seen,omitempty"`  // the number of the last key that was processed
	Frame  int               `json:"frame,omitempty"` // the page reports when this frame is on screen
}

// alert is a browser notification for a person who is looking elsewhere.
type alert struct {
	Tag   string `json:"tag"`
	Title string `json:"title"`
	Body  string `json:"body"`
}

// mailbox collects the changes that a page has not received yet. A newer change of the same part replaces the older
// one, so the mailbox cannot grow without limit.
type mailbox struct {
	mu   sync.Mutex
	next *message
	bell chan struct{}
}

func newMailbox() *mailbox { return &mailbox{bell: make(chan struct{}, 1)} }

// addChange adds a change to the next message; it never waits.
func (m *mailbox) addChange(add func(*message)) {
	m.mu.Lock()
	if m.next == nil {
		m.next = &message{Parts: map[string]string{}, Values: map[string]string{}, Times: map[string]clock{}}
	}
	add(m.next)
	m.mu.Unlock()
	select {
	case m.bell <- struct{}{}:
	default:
	}
}

// takeMessage removes and returns the next message; nil if there is none.
func (m *mailbox) takeMessage() *message {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := m.next
	m.next = nil
	return next
}

// Live upgrades the request to the WebSocket of one page, which is one view. It returns when the page is closed or the
// request's context ends. The door has checked the request and found the web session.
func (p *Pages) Live(w http.ResponseWriter, r *http.Request, s Session) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}})
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(mostRead)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	p.countPage(s, 1)
	defer p.countPage(s, -1)
	on := newPage(p, s)
	p.post(func() { p.addPage(on) })
	defer p.post(func() { p.removePage(on) })
	go func() {
		defer cancel()
		writeMessages(ctx, conn, on.out)
	}()
	go func() {
		defer cancel()
		p.pingPage(ctx, conn)
	}()
	p.readEvents(ctx, conn, on)
	_ = conn.Close(websocket.StatusGoingAway, "") // an error means that it is closed already
}

// readEvents passes the page's events to the owner of the desk one after the other, so a page that sends faster than
// the owner works has to wait.
func (p *Pages) readEvents(ctx context.Context, conn *websocket.Conn, on *page) {
	for {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var event pageEvent
		if json.Unmarshal(raw, &event) != nil {
			continue // our page never sends this
		}
		done := make(chan struct{})
		p.post(func() {
			defer close(done)
			on.takeEvent(event)
		})
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// pingPage checks regularly that the page is still connected, because an open page counts as a dashboard. It returns
// when the page does not answer.
func (p *Pages) pingPage(ctx context.Context, conn *websocket.Conn) {
	again := time.NewTicker(p.pingEvery)
	defer again.Stop()
	for {
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
		within, cancel := context.WithTimeout(ctx, p.pingEvery)
		err := conn.Ping(within)
		cancel()
		if err != nil {
			return
		}
	}
}

// writeMessages sends the page its messages until that fails.
func writeMessages(ctx context.Context, conn *websocket.Conn, out *mailbox) {
	for {
		select {
		case <-out.bell:
		case <-ctx.Done():
			return
		}
		next := out.takeMessage()
		if next == nil {
			continue
		}
		if sendMessage(ctx, conn, next) != nil {
			return
		}
	}
}

// sendMessage sends the page one message.
func sendMessage(ctx context.Context, conn *websocket.Conn, m *message) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the text is not inserted into HTML
	if err := e.Encode(m); err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	return conn.Write(within, websocket.MessageText, b.Bytes())
}
