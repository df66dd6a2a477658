package widen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// PendingVersion is the version of the widen-pending-entry schema.
const PendingVersion = 1

// PendingEntry contains one line of the file widen-pending.jsonl: a question that the person parked, to continue while
// the team discusses it. Its fields are those of the widen-pending-entry schema.
type PendingEntry struct {
	SchemaVersion    int             `json:"schema_version"`
	DecisionID       string          `json:"decision_id"`
	MissionSlug      string          `json:"mission_slug"`
	QuestionID       string          `json:"question_id"`
	QuestionText     string          `json:"question_text"`
	EnteredPendingAt time.Time       `json:"entered_pending_at"`      // when it was parked, in UTC
	Response         json.RawMessage `json:"widen_endpoint_response"` // response of the team's server, unchanged
}

// ParsePending decodes one line of the file. It fails if the schema refuses the line.
func ParsePending(line []byte) (e PendingEntry, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return PendingEntry{}, fmt.Errorf("failed to read a pending question: %w", err)
	}
	_, err = d.Token()
	texts := []string{e.DecisionID, e.MissionSlug, e.QuestionID, e.QuestionText}
	if !errors.Is(err, io.EOF) || e.SchemaVersion != PendingVersion || slices.Contains(texts, "") ||
		e.EnteredPendingAt.IsZero() || CheckResponse(e.Response) != "" {
		return PendingEntry{}, errors.New("failed to read a pending question: it is not what the schema says")
	}
	return e, nil
}

// CheckResponse returns what the schema refuses in the server's response to the call that asked the team, or "". It
// never repeats the server's text.
func CheckResponse(raw json.RawMessage) string {
	const response = "widen_endpoint_response"
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil || given == nil {
		return response + " is no object"
	}
	for _, f := range []struct {
		name, want string
		value      any
		required   bool
	}{
		{"decision_id", "a text", new(string), true},
		{"widened_at", "a time like 2026-04-23T16:00:00Z", new(time.Time), true},
		{"slack_thread_url", "a text, or null", new(string), false},
		{"invited_count", "a whole number, or null", new(int64), false},
	} {
		switch text, there := given[f.name]; {
		case f.required && (!there || string(text) == "null"):
			return response + "." + f.name + " is missing; want " + f.want
		case there && json.Unmarshal(text, f.value) != nil:
			return response + "." + f.name + " is something else; want " + f.want
		}
	}
	return ""
}

// ResponseThread returns the address of the discussion in the server's response to the call that asked the team. It is
// empty if the response has no address that a browser can open.
func ResponseThread(raw json.RawMessage) string {
	var r struct {
		ThreadURL string `json:"slack_thread_url"`
	}
	_ = json.Unmarshal(raw, &r) // there may be no response
	return WebAddress(r.ThreadURL)
}

// mostAhead limits the time by which the clock of the team's server may be ahead of ours.
const mostAhead = 24 * time.Hour

// ResponseTime returns the time at which the team's server received the question, according to its response. ok is
// false if the response has no plausible time.
func ResponseTime(raw json.RawMessage, now time.Time) (at time.Time, ok bool) {
	var r struct {
		WidenedAt time.Time `json:"widened_at"`
	}
	if json.Unmarshal(raw, &r) != nil || r.WidenedAt.Year() < 2000 || r.WidenedAt.After(now.Add(mostAhead)) {
		return time.Time{}, false
	}
	return r.WidenedAt.UTC(), true
}
