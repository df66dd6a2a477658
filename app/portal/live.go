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
	// mostRead is the largest message of a page: a text of one's own, with every character of it escaped.
	mostRead    = 6*queue.MaxPromptBytes + 4096
	writeWithin = 10 * time.Second // a page that takes longer to read is dropped
	pingEvery   = 25 * time.Second // one that does not answer is gone: a laptop was closed, a phone is out of reach
)

// pageEvent is sent by a page for an action of the person. Do is an action of the key table, or a word of the page's
// own; see verbs.
type pageEvent struct {
	Do    string  `json:"do"`
	Key   string  `json:"key"`   // that was pressed
	N     int     `json:"n"`     // which option, question, tab or reason, counted from 1
	Field string  `json:"field"` // which text
	Value string  `json:"value"` // the text, or the value of a setting
	Path  string  `json:"path"`  // where the page is
	Seq   int     `json:"seq"`   // of a key: the page holds the next ones back until this one was seen
	At    float64 `json:"at"`    // when, by the page's own clock, in milliseconds; 0: now
	Touch bool    `json:"touch"` // the person most likely has no keyboard
}

// message holds the changes for a page. What it leaves out has not changed.
type message struct {
	Parts  map[string]string `json:"parts,omitempty"`  // HTML by the id of its place
	Values map[string]string `json:"values,omitempty"` // texts by the id of their field
	Force  bool              `json:"force,omitempty"`  // the field being typed takes its text over too
	Times  map[string]clock  `json:"times,omitempty"`  // by session
	Keys   []string          `json:"keys,omitempty"`   // that mean something now
	Title  string            `json:"title,omitempty"`
	Path   string            `json:"path,omitempty"`  // the page is somewhere else now
	Focus  string            `json:"focus,omitempty"` // the id of what has the focus now
	Alert  *alert            `json:"alert,omitempty"`
	Copy   string            `json:"copy,omitempty"`  // goes into the clipboard
	Say    string            `json:"say,omitempty"`   // what is to be said now, for a while
	Seen   int               `json:"seen,omitempty"`  // the last key that was done
	Frame  int               `json:"frame,omitempty"` // the page says when this is on screen
}

// alert is a notification for a person who looks elsewhere.
type alert struct {
	Tag   string `json:"tag"`
	Title string `json:"title"`
	Body  string `json:"body"`
}

// mailbox holds the changes that a page has not been told yet. A newer change replaces an older one, so the mailbox
// cannot grow.
type mailbox struct {
	mu   sync.Mutex
	next *message
	bell chan struct{}
}

func newMailbox() *mailbox { return &mailbox{bell: make(chan struct{}, 1)} }

// put adds to what the page is told next; it never waits.
func (m *mailbox) put(add func(*message)) {
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

// take takes out what is there; nil: nothing.
func (m *mailbox) take() *message {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := m.next
	m.next = nil
	return next
}

// Live makes the request the connection of one page, and so one seat, until the page or the request's context ends. The
// door has let the request in, with this grant.
func (p *Pages) Live(w http.ResponseWriter, r *http.Request, g Grant) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}})
	if err != nil {
		return // it has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(mostRead)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	p.looks(g, 1)
	defer p.looks(g, -1)
	on := newPage(p, g)
	p.post(func() { p.join(on) })
	defer p.post(func() { p.leave(on) })
	go func() {
		defer cancel()
		write(ctx, conn, on.out)
	}()
	go func() {
		defer cancel()
		p.ping(ctx, conn)
	}()
	p.read(ctx, conn, on)
	_ = conn.Close(websocket.StatusGoingAway, "") // where it is not closed already
}

// read takes what the person does, one deed after the other: a page that sends more than the owner takes has to wait.
func (p *Pages) read(ctx context.Context, conn *websocket.Conn, on *page) {
	for {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var d pageEvent
		if json.Unmarshal(raw, &d) != nil {
			continue // no page of ours says such a thing
		}
		done := make(chan struct{})
		p.post(func() {
			defer close(done)
			verbs{on}.take(d)
		})
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// ping asks now and then whether the page is there, until it is not: a page that is open counts as somebody who looks.
func (p *Pages) ping(ctx context.Context, conn *websocket.Conn) {
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

// write tells the page what there is to tell, until it does not read any more.
func write(ctx context.Context, conn *websocket.Conn, out *mailbox) {
	for {
		select {
		case <-out.bell:
		case <-ctx.Done():
			return
		}
		next := out.take()
		if next == nil {
			continue
		}
		if send(ctx, conn, next) != nil {
			return
		}
	}
}

// send tells the page one message.
func send(ctx context.Context, conn *websocket.Conn, m *message) error {
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
