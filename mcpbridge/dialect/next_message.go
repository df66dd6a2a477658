package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// NextMessage is the tool that waits for a message from the person. It asks nothing, so it is no Dialect.
var NextMessage = Tool{"next_message", "Wait for a line from the person"}

// ParseNextMessage reads the tool's arguments. wait is how long the call may wait; nil: the bridge's soft limit. The
// error is a *queue.Invalid.
func ParseNextMessage(raw json.RawMessage) (wait *time.Duration, err error) {
	var r reader
	if o, ok := r.arguments(raw, "an object, such as {}"); ok {
		wait = waitSeconds(o)
		o.refuseUnknown([]string{"wait_seconds"})
	}
	return wait, r.err()
}

// line holds one message from the person with the fields that every result uses.
type line struct {
	Text   string `json:"text,omitempty"`
	From   string `json:"from,omitempty"`
	SentAt string `json:"sent_at,omitempty"`
}

// messageResult is the structured content of a result of next_message.
type messageResult struct {
	Status string `json:"status"`
	line
	Waiting int `json:"waiting,omitempty"`
}

// lineOf returns the message of a session.
func lineOf(s queue.Session) line {
	return line{Text: s.Ask.Prompt, From: queue.ByHuman, SentAt: s.AskedAt.UTC().Format(time.RFC3339)}
}

// words returns the message as text. status is inserted before the sender.
func (l line) words(status string) string {
	return "The person wrote to you (" + status + "from: " + l.From + ", sent_at: " + l.SentAt + "):\n\n" + l.Text
}

// RenderMessage returns the result of next_message that delivers a message.
func RenderMessage(s queue.Session) Result {
	l := lineOf(s)
	return Result{Text: l.words("status: message, "), Structured: compact(messageResult{Status: "message", line: l})}
}

// With returns the result with messages for the agent. Each is a text in Lines, and all of them are the field
// `messages` of Structured. Text stays unchanged.
func (r Result) With(messages []queue.Session) Result {
	lines := make([]line, len(messages))
	for i, s := range messages {
		lines[i] = lineOf(s)
		r.Lines = append(r.Lines, lines[i].words(""))
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(r.Structured, &all) != nil {
		return r // cannot happen: every result is an object
	}
	rest := bytes.TrimSuffix(r.Structured, []byte("}"))
	if len(all) > 0 {
		rest = append(slices.Clip(rest), ',')
	}
	r.Structured = slices.Concat(rest, []byte(`"messages":`), compact(lines), []byte("}"))
	return r
}

// RenderNoMessage returns the result of next_message if there is no message. waiting is the number of pending
// questions, which hold messages back.
func RenderNoMessage(waiting int) Result {
	text := "No message yet (status: pending). Call next_message again to keep listening, or continue your work."
	if waiting > 0 {
		text += fmt.Sprintf(" The person has %s to answer first (waiting: %d).", count(waiting, "question"), waiting)
	}
	return Result{Text: text, Structured: compact(messageResult{Status: "pending", Waiting: waiting})}
}
