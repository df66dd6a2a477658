package widen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/choicetui/choicetui/queue"
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

// ParsePending decodes one line of the file. It fails with *queue.Invalid if the line has the right JSON structure but
// the schema refuses its values, and with another error for any other text.
func ParsePending(line []byte) (e PendingEntry, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return PendingEntry{}, fmt.Errorf("failed to read a pending question: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return PendingEntry{}, errors.New("failed to read a pending question: something follows it")
	}
	if problems := e.Check(); len(problems) > 0 {
		return PendingEntry{}, &queue.Invalid{Problems: problems}
	}
	return e, nil
}

// Check lists the values that the widen-pending-entry schema refuses.
func (e PendingEntry) Check() (problems []queue.Problem) {
	add := func(path, wrong, want string) {
		problems = append(problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
	}
	if e.SchemaVersion != PendingVersion {
		add("schema_version", fmt.Sprintf("is %d", e.SchemaVersion), "1")
	}
	for _, field := range []struct{ path, text string }{{"decision_id", e.DecisionID}, {"mission_slug", e.MissionSlug},
		{"question_id", e.QuestionID}, {"question_text", e.QuestionText}} {
		if field.text == "" {
			add(field.path, "is empty", "some text")
		}
	}
	if e.EnteredPendingAt.IsZero() {
		add("entered_pending_at", "is missing", "a time")
	}
	for _, p := range CheckResponse(e.Response) {
		add("widen_endpoint_response"+p.Path, p.Wrong, p.Want)
	}
	return problems
}

// response contains the fields of the server's response to the call that asked the team, as the schema names them.
type response struct {
	DecisionID   *string          `json:"decision_id"`
	WidenedAt    *string          `json:"widened_at"`
	ThreadURL    *string          `json:"slack_thread_url"`
	InvitedCount *json.RawMessage `json:"invited_count"`
}

// CheckResponse lists the values that the schema refuses in the server's response to the call that asked the team. The
// paths of the problems start with a dot.
func CheckResponse(raw json.RawMessage) (problems []queue.Problem) {
	add := func(path, wrong, want string) {
		problems = append(problems, queue.Problem{Path: path, Wrong: wrong, Want: want})
	}
	var r response
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		add("", "is no object", "the answer as JSON")
		return problems
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		add("", "cannot be read: "+err.Error(), "the answer as JSON")
		return problems
	}
	if r.DecisionID == nil {
		add(".decision_id", "is missing", "the id of the decision")
	}
	if r.WidenedAt == nil {
		add(".widened_at", "is missing", "a time")
	} else if new(time.Time).UnmarshalText([]byte(*r.WidenedAt)) != nil { // the error would repeat the server's text
		add(".widened_at", "is no time", "a time like 2026-04-23T16:00:00Z")
	}
	if r.InvitedCount != nil && !isWhole(*r.InvitedCount) {
		add(".invited_count", "is no whole number", "a whole number, or null")
	}
	return problems
}

// isWhole reports whether a JSON value is a whole number or null.
func isWhole(raw json.RawMessage) bool {
	var n *int64
	return json.Unmarshal(raw, &n) == nil
}

// ResponseThread returns the address of the discussion in the server's response to the call that asked the team. It is
// empty if the response has no address that a browser can open.
func ResponseThread(raw json.RawMessage) string {
	var r response
	if json.Unmarshal(raw, &r) != nil || r.ThreadURL == nil {
		return ""
	}
	return WebAddress(*r.ThreadURL)
}

// mostAhead limits the time by which the clock of the team's server may be ahead of ours.
const mostAhead = 24 * time.Hour

// ResponseTime returns the time at which the team's server received the question, according to its response. ok is
// false if the response has no plausible time.
func ResponseTime(raw json.RawMessage, now time.Time) (at time.Time, ok bool) {
	var r response
	if json.Unmarshal(raw, &r) != nil || r.WidenedAt == nil || at.UnmarshalText([]byte(*r.WidenedAt)) != nil {
		return time.Time{}, false
	}
	if at.Year() < 2000 || at.After(now.Add(mostAhead)) {
		return time.Time{}, false
	}
	return at.UTC(), true
}
