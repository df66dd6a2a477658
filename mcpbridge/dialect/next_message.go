package dialect

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// NextMessage is the tool that fetches what the person writes in the chat. It asks nothing, so it is no Dialect.
var NextMessage = Tool{
	Name: "next_message", Title: "Wait for a line from the person",
	Description: nextMessageDescription, Input: json.RawMessage(nextMessageInput), Output: json.RawMessage(nextMessageOutput),
}

const nextMessageDescription = `Wait for the next line the person writes to you in choicetui's chat, and fetch it.

Call this when you have nothing to do until the person says something, or when they told you to listen. Do not use it to ask: provide_choice asks.

The result's status:
- "message": text is exactly what the person wrote. It is meant for you, treat it like a prompt typed by them.
- "pending": no message yet. Call this tool again to go on listening, or go on with your work. While questions wait for the person (waiting), no message is delivered: their answers come first.

Each message is delivered once.`

const nextMessageInput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "wait_seconds": {"type": "integer", "minimum": 0, "maximum": 86400, "description": "How long to wait for a message in this call; 0 only looks. Default: as long as your client allows."}
  }
}`

const nextMessageOutput = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "status": {"type": "string", "enum": ["message", "pending"], "description": "message: text holds one. pending: none yet, call again. Absent when the call failed (see error)."},
    "text": {"type": "string", "description": "Exactly what the person wrote."},
    "from": {"type": "string", "enum": ["human"], "description": "Who wrote it."},
    "sent_at": {"type": "string", "description": "When it was sent, RFC 3339 in UTC."},
    "waiting": {"type": "integer", "description": "While pending: how many questions, of any agent, wait for the person. None is delivered before they are answered."},
    "error": {"type": "string", "enum": ["invalid_request", "unavailable"], "description": "Only when the call failed."},
    "message": {"type": "string", "description": "The failure in one sentence."},
    "problems": {
      "type": "array",
      "description": "Everything wrong with the request; repair all of it and call again.",
      "items": {
        "type": "object",
        "properties": {
          "path": {"type": "string", "description": "Which field."},
          "wrong": {"type": "string", "description": "What is wrong."},
          "want": {"type": "string", "description": "What would be right."}
        }
      }
    }
  }
}`

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
