package codex

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
	// maxAsked limits the length of a message; of a longer response the head is read, other messages are skipped.
	maxAsked = 2 << 20
	// headOf is the length of the head that is kept of a longer response: a thread's whole history comes with it.
	headOf = 64 << 10
)

// noisyNotifications are the notifications that a watcher of questions does without: they come with every word an agent
// says.
var noisyNotifications = []string{
	"item/agentMessage/delta", "item/plan/delta", "command/exec/outputDelta", "process/outputDelta",
	"item/commandExecution/outputDelta", "item/commandExecution/terminalInteraction", "item/fileChange/outputDelta",
	"item/mcpToolCall/progress", "item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded",
	"item/reasoning/textDelta", "thread/tokenUsage/updated", "turn/diff/updated", "turn/plan/updated",
	"account/rateLimits/updated", "thread/realtime/item/transcript/delta", "thread/realtime/transcript/delta",
	"thread/realtime/outputAudio/delta", "rawResponseItem/completed",
}

// DialOwn connects to whichever app-server listens at a path, if it runs as this very user, and shakes hands.
// ErrNoServer: nobody listens there, or somebody else does.
func DialOwn(ctx context.Context, path string) (*Conn, error) {
	c, err := dialExpected(ctx, path, noisyNotifications, func(who process) error {
		if who.uid != os.Getuid() {
			return fmt.Errorf("user %d listens there, not %d", who.uid, os.Getuid())
		}
		return nil
	})
	if err == nil {
		c.ws.SetReadLimit(-1) // Next bounds what is kept
	}
	return c, err
}

// Listens reports whether it is this process that listens at a path. It sends nothing to it.
func Listens(ctx context.Context, path string, server int) bool {
	conn, _, err := dialProcess(ctx, path, isProcess(server))
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// Server returns the process at the other end.
func (c *Conn) Server() int { return c.server }

// Write sends one message as it is.
func (c *Conn) Write(ctx context.Context, raw []byte) error {
	if err := c.ws.Write(ctx, websocket.MessageText, raw); err != nil {
		return fmt.Errorf("failed to send to Codex: %w", err)
	}
	return nil
}

// Next waits for the next message that can be read. Of a response that is too long the id is kept, and of its result
// what the beginning says of the thread; other messages of that length, and what is no message, are passed over.
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
			if m, ok := cutResponse(raw[:headOf]); ok {
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

var responseHead = regexp.MustCompile(`^\{"id":(\d+),"result":`)

// cutResponse reads the beginning of a response: `{"thread":{"cwd":…}}` is left of its result.
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

// threadDir returns the directory of the thread that a result begins with; empty: it does not say so in time.
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
