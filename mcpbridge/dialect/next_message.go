package dialect

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// NextMessage is the tool that fetches what the person writes in the chat. It asks nothing, so it is no Dialect.
var NextMessage = tool("next_message", "Wait for a line from the person")

// ParseNextMessage reads the tool's arguments: how long to wait, nil for the bridge's soft limit. The error is
// *queue.Invalid.
func ParseNextMessage(raw json.RawMessage) (wait *time.Duration, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var r reader
	o, ok := r.object("", raw, "an object, such as {}")
	if ok {
		wait = waitSeconds(o)
		o.unknown([]string{"wait_seconds"})
	}
	if len(r.problems) > 0 {
		return nil, &queue.Invalid{Problems: r.problems}
	}
	return wait, nil
}

type message struct {
	Status  string `json:"status"`
	Text    string `json:"text,omitempty"`
	From    string `json:"from,omitempty"`
	SentAt  string `json:"sent_at,omitempty"`
	Waiting int    `json:"waiting,omitempty"`
}

// RenderMessage is the result that delivers a message.
func RenderMessage(s queue.Session) Result {
	at := s.AskedAt.UTC().Format(time.RFC3339)
	return Result{
		Text:       "The person wrote to you (status: message, from: human, sent_at: " + at + "):\n\n" + s.Ask.Prompt,
		Structured: compact(message{Status: "message", Text: s.Ask.Prompt, From: queue.ByHuman, SentAt: at}),
	}
}

// RenderNoMessage is the result while there is none; waiting questions keep one from being delivered.
func RenderNoMessage(waiting int) Result {
	text := "No message yet (status: pending). Call next_message again to go on listening, or go on with your work."
	if waiting > 0 {
		text += fmt.Sprintf(" The person has %s to answer first (waiting: %d).", count(waiting, "question"), waiting)
	}
	return Result{Text: text, Structured: compact(message{Status: "pending", Waiting: waiting})}
}

// FailNextMessage is a call that got neither.
func FailNextMessage(f Failure) Result { return fail(f) }
