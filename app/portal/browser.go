package portal

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/maphash"
	"maps"
	"strings"
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

// browser is the browser that shows a page: the changes that it has not received yet, what it has of the page, and its
// clock. Any goroutine may add and take messages; all else is the owner's.
type browser struct {
	mu   sync.Mutex
	next *message
	bell chan struct{} // receives a value when there is a message

	sent  map[string]uint64 // by part: the checksum of the content that the browser has
	times map[string]clock  // by session: the times that it has
	frame int               // the frame that it was last asked to report

	began    time.Time     // when it connected
	quickest time.Duration // the smallest difference seen between our clock and the browser's
	timed    bool          // quickest is set
}

// add adds a change to the next message; it never waits. A newer change of the same part replaces the older one, so the
// message cannot grow without limit.
func (b *browser) add(change func(*message)) {
	b.mu.Lock()
	if b.next == nil {
		b.next = &message{Parts: map[string]string{}, Values: map[string]string{}, Times: map[string]clock{}}
	}
	change(b.next)
	b.mu.Unlock()
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

// takeMessage removes and returns the next message; nil if there is none.
func (b *browser) takeMessage() *message {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.next
	b.next = nil
	return next
}

// fill puts into a message what the browser does not have of a page. keys are those that the page takes from the
// browser now. force also replaces the text of the field being typed.
func (b *browser) fill(m *message, made drawn, path string, keys []string, force bool) {
	for id, part := range made.parts {
		if b.isNew(id, part.sum) {
			m.Parts[id] = part.html
		}
	}
	for id, text := range made.values {
		if b.isNew("="+id, maphash.String(seed, text)) || force {
			m.Values[id] = text
		}
	}
	maps.DeleteFunc(b.sent, func(part string, _ uint64) bool { // a removed field comes back empty
		id, field := strings.CutPrefix(part, "=")
		_, here := made.values[id]
		return field && !here
	})
	m.Force = m.Force || force
	if b.isNew("keys", maphash.String(seed, strings.Join(keys, " ")+made.title+path)) {
		m.Keys, m.Title, m.Path = keys, made.title, path
	}
}

// isNew reports whether the browser has other content of a part, and notes that it has this now.
func (b *browser) isNew(part string, sum uint64) bool {
	has := b.sent[part] == sum
	b.sent[part] = sum
	return !has
}

// newTimes returns the times that differ visibly from those that the browser has, and notes that it has them all now.
func (b *browser) newTimes(times map[string]clock) map[string]clock {
	changed := map[string]clock{}
	for id, c := range times {
		if was, known := b.times[id]; !known || was.Left != c.Left || was.Level != c.Level {
			changed[id] = c
		}
	}
	b.times = times
	return changed
}

// timeOf returns when the person acted. The browser sends the time on its own clock, so that a slow connection does not
// count: timeOf subtracts the delay beyond that of the browser's quickest message.
func (b *browser) timeOf(event pageEvent, now time.Time) time.Time {
	const most = 10 * time.Second
	if event.At <= 0 {
		return now
	}
	took := time.Since(b.began) - time.Duration(event.At*float64(time.Millisecond))
	if !b.timed || took < b.quickest {
		b.timed, b.quickest = true, took
	}
	return now.Add(-min(took-b.quickest, most).Truncate(time.Millisecond))
}

// writeMessages sends the page its messages until that fails.
func writeMessages(ctx context.Context, conn *websocket.Conn, b *browser) {
	for {
		select {
		case <-b.bell:
		case <-ctx.Done():
			return
		}
		next := b.takeMessage()
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

// clock is the remaining time of a question, as the page shows it.
type clock struct {
	Left  string `json:"left"`            // such as 4:12 or 14m
	Share int    `json:"share"`           // thousandths of the time that are left
	Level int    `json:"level,omitempty"` // 1: less than a minute, 2: less than warn_seconds, 3: over
}
