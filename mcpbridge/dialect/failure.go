package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// The codes of failures. A result has its code as `error` in the structured content.
const (
	CodeInvalid     = "invalid_request"   // nobody was asked; Problems lists the reasons
	CodeNotFound    = "not_found"         // there is no session with this id, or tools may not fetch it
	CodeInUse       = "in_use"            // another call waits for this session now
	CodeUsed        = "already_collected" // the session's one result was fetched before
	CodeUnavailable = "unavailable"       // the queue cannot be reached or written
)

// mostProblems limits the problems that one refusal lists. A model with more of them writes a new request.
const mostProblems = 50

// Failure holds the reason why a call does not receive the state of its session.
type Failure struct {
	Code     string
	Message  string // one sentence for the model
	Problems []queue.Problem
	Session  *queue.Session // the session that the caller asked for; nil: it was not found
	ID       string         // the session_id that the caller gave
}

// Invalid returns the failure for a list of problems.
func Invalid(problems []queue.Problem) Failure {
	return Failure{
		Code: CodeInvalid, Problems: problems,
		Message: fmt.Sprintf("The request was refused and nobody was asked: %s. Repair all of it and call again.",
			count(len(problems), "problem")),
	}
}

// count returns a number with a noun, which gets an s unless the number is 1.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// wireFailure holds the fields that every format has for a Failure.
type wireFailure struct {
	Error     string          `json:"error"`
	Message   string          `json:"message"`
	SessionID string          `json:"session_id,omitempty"`
	Problems  []queue.Problem `json:"problems,omitempty"`
	More      int             `json:"more_problems,omitempty"`
	Happened  []wireEvent     `json:"happened,omitempty"`
	Answered  string          `json:"answered,omitempty"`
}

// wireEvent holds an event in the history of a session.
type wireEvent struct {
	Event string `json:"event"`
	At    string `json:"at"`
	By    string `json:"by,omitempty"`
}

// Fail renders a failure as text, with a line for each problem or event, and as JSON.
func Fail(f Failure) Result {
	out := failedFrom(f)
	var text strings.Builder
	text.WriteString(f.Message)
	for _, p := range out.Problems {
		fmt.Fprintf(&text, "\n- %s", p)
	}
	if out.More > 0 {
		fmt.Fprintf(&text, "\n- and %s more of this kind", count(out.More, "problem"))
	}
	if f.Session != nil {
		for _, h := range out.Happened {
			fmt.Fprintf(&text, "\n- %s at %s", h.Event, h.At)
			if h.By != "" {
				fmt.Fprintf(&text, " by %s", h.By)
			}
		}
		if out.Answered != "" {
			fmt.Fprintf(&text, "\n- its result was: %s", out.Answered)
		}
	}
	return Result{Text: text.String(), Structured: compact(out), IsError: true}
}

// failError renders a failure for formats whose results have a status.
func failError(f Failure) Result {
	res := Fail(f)
	res.Structured = compact(struct {
		Status string `json:"status"`
		wireFailure
	}{statusError, failedFrom(f)})
	return res
}

// failedFrom returns the fields of a failure.
func failedFrom(f Failure) wireFailure {
	out := wireFailure{Error: f.Code, Message: f.Message, SessionID: shortVisible(f.ID), Problems: f.Problems}
	if n := len(out.Problems); n > mostProblems {
		out.Problems, out.More = out.Problems[:mostProblems], n-mostProblems
	}
	if f.Session != nil {
		out.Happened, out.Answered = history(*f.Session)
	}
	return out
}

// history returns the main events of a session with their times, and a summary of its outcome.
func history(s queue.Session) (events []wireEvent, answered string) {
	for _, e := range s.Events {
		switch e.Kind {
		case queue.EventAttached, queue.EventSettled, queue.EventCollected, queue.EventExpired:
			events = append(events, wireEvent{Event: e.Kind, At: e.At.UTC().Format(time.RFC3339), By: e.By})
		}
	}
	if s.Outcome != nil {
		answered = s.Summary()
	}
	return events, answered
}

// compact returns v as JSON without HTML escapes and without a newline at the end, for use within a text.
func compact(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return json.RawMessage(`{}`) // cannot happen: v has only types that JSON has
	}
	return bytes.TrimSpace(b.Bytes())
}
