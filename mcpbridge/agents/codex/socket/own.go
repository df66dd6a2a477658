package socket

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/coder/websocket"
)

const (
	// maxAsked limits the bytes of a message. Longer ones are skipped, but of a longer request or response the head is
	// read.
	maxAsked = 4 << 20
	// headLength is the number of bytes of that head. A response can be long because it contains a thread's whole
	// history.
	headLength = 64 << 10
)

// noisyNotifications lists notifications that the server need not send here, because they say nothing about questions.
// Some come with every word of an agent.
var noisyNotifications = []string{
	"item/agentMessage/delta", "item/plan/delta", "command/exec/outputDelta", "process/outputDelta",
	"item/commandExecution/outputDelta", "item/commandExecution/terminalInteraction", "item/fileChange/outputDelta",
	"item/mcpToolCall/progress", "item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded",
	"item/reasoning/textDelta", "thread/tokenUsage/updated", "turn/diff/updated", "turn/plan/updated",
	"account/rateLimits/updated", "thread/realtime/item/transcript/delta", "thread/realtime/transcript/delta",
	"thread/realtime/outputAudio/delta", "rawResponseItem/completed",
}

// DialOwn connects to the app-server that listens at path, if it runs as this user, and shakes hands. The error is
// ErrNoServer if nobody listens there, or another user's process does.
func DialOwn(ctx context.Context, path string) (*Conn, error) {
	c, err := dialExpected(ctx, path, noisyNotifications, func(who process) error {
		if who.uid != os.Getuid() {
			return fmt.Errorf("user %d listens there, not %d", who.uid, os.Getuid())
		}
		return nil
	})
	if err == nil {
		c.ws.SetReadLimit(-1) // Next limits the memory
	}
	return c, err
}

// Listens reports whether the process server listens at path. It sends nothing to that process.
func Listens(ctx context.Context, path string, server int) bool {
	conn, _, err := dialProcess(ctx, path, isProcess(server))
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// Server returns the process id of the app-server.
func (c *Conn) Server() int { return c.server }

// Write sends one message unchanged.
func (c *Conn) Write(ctx context.Context, raw []byte) error {
	if err := c.ws.Write(ctx, websocket.MessageText, raw); err != nil {
		return fmt.Errorf("failed to send to Codex: %w", err)
	}
	return nil
}

// Next waits for the next message. Of a response that is too long it returns the id and the thread's directory, and of
// a request what it is about; see Message.Cut. It skips notifications of that length, and bytes that are no message.
func (c *Conn) Next(ctx context.Context) (Message, error) {
	for {
		_, r, err := c.ws.Reader(ctx)
		if err != nil {
			return Message{}, fmt.Errorf("failed to hear from Codex: %w", err)
		}
		raw, err := io.ReadAll(io.LimitReader(r, maxAsked+1))
		if err != nil {
			return Message{}, fmt.Errorf("failed to hear from Codex: %w", err)
		}
		if len(raw) > maxAsked {
			if _, err := io.Copy(io.Discard, r); err != nil {
				return Message{}, fmt.Errorf("failed to hear from Codex: %w", err)
			}
			if m, ok := cutResponse(raw[:headLength]); ok {
				return m, nil
			}
			if m, ok := cutRequest(raw[:headLength]); ok {
				return m, nil
			}
			continue
		}
		var m Message
		if json.Unmarshal(raw, &m) == nil {
			return m, nil
		}
	}
}

// responseHead matches the beginning of a response, with its id.
var responseHead = regexp.MustCompile(`^\{"id":(\d+),"result":`)

// cutResponse reads the head of a response that is too long. Of its result only `{"thread":{"cwd":…}}` remains.
func cutResponse(head []byte) (m Message, ok bool) {
	found := responseHead.FindSubmatch(head)
	if found == nil {
		return m, false
	}
	m.ID, m.Result = bytes.Clone(found[1]), json.RawMessage("{}")
	d := json.NewDecoder(bytes.NewReader(head[len(found[0]):]))
	if cwd := threadDir(d); cwd != "" {
		m.Result, _ = json.Marshal(map[string]any{"thread": map[string]string{"cwd": cwd}})
	}
	return m, true
}

// cutRequest reads the head of a request that is too long. Of its parameters only those before the long one remain.
func cutRequest(head []byte) (m Message, ok bool) {
	d := json.NewDecoder(bytes.NewReader(head))
	params := map[string]json.RawMessage{}
	readHead(d, func(key string) {
		switch key {
		case "id":
			_ = d.Decode(&m.ID)
		case "method":
			_ = d.Decode(&m.Method)
		case "params":
			readHead(d, func(key string) {
				var value json.RawMessage
				if d.Decode(&value) == nil {
					params[key] = value
				}
			})
		}
	})
	m.Params, _ = json.Marshal(params)
	m.Cut = true
	return m, len(m.ID) > 0 && m.Method != ""
}

// readHead reads an object as far as its bytes go. read reads the value of a member.
func readHead(d *json.Decoder, read func(key string)) {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return
	}
	for d.More() {
		t, err := d.Token()
		key, isKey := t.(string)
		if err != nil || !isKey {
			return
		}
		before := d.InputOffset()
		if read(key); d.InputOffset() == before { // nothing was read: the bytes end here
			return
		}
	}
}

// threadDir returns the directory of the thread at the beginning of a result; empty: the head ends before it.
func threadDir(d *json.Decoder) string {
	for _, want := range []any{json.Delim('{'), "thread", json.Delim('{')} {
		if t, err := d.Token(); err != nil || t != want {
			return ""
		}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
		if key == "cwd" {
			var cwd string
			_ = json.Unmarshal(value, &cwd)
			return cwd
		}
	}
	return ""
}
