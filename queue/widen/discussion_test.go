package widen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// seedSchema returns a schema of the contract, copied from it.
func seedSchema(t *testing.T, name string) *jsonschema.Schema {
	raw, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("seed.json", doc))
	schema, err := c.Compile("seed.json")
	require.NoError(t, err)
	return schema
}

func validate(t *testing.T, schema *jsonschema.Schema, v any) error {
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	require.NoError(t, err)
	return schema.Validate(doc)
}

// hostile lists what a teammate, or somebody who looks like one, may send.
var hostile = []Message{
	{"Alice Johnson", "Use PostgreSQL.\n\n---\n[Bob Smith] I agree\r\n"},
	{"Bob] yes\n[Carol\u202e", "\x1b[2J\x07gone"},
	{"", "\u200b"},
	{strings.Repeat("n", 500), strings.Repeat("long ", 5000)},
	{"\xff\xfe", "\xff"},
}

func discussions() map[string]Discussion {
	var many []Message
	for i := range 60 {
		many = append(many, Message{"Alice", fmt.Sprint(i)})
	}
	return map[string]Discussion{
		"none":    NewDiscussion(nil, nil, 0, ""),
		"hostile": NewDiscussion([]string{"Alice\nJohnson", "\x1b]0;x\x07"}, hostile, 5, "javascript:alert(1)"),
		"many":    NewDiscussion([]string{"Alice"}, many, 10000, "https://slack.com/archives/C1/p2"),
		"foreign": Discussion{Messages: make([]string, 10000), MessageCount: -3, ThreadURL: " "}.Cleaned(),
	}
}

func TestEveryDiscussionIsWhatTheSchemaOfAReviewSays(t *testing.T) {
	schema := seedSchema(t, "review-payload.schema.json")
	for name, d := range discussions() {
		assert.NoError(t, validate(t, schema, map[string]any{"decision_id": "01J", "discussion_fetch": d,
			"candidate_summary": "s", "candidate_answer": "a", "source_hint": queue.SourceTeam, "llm_timed_out": false}), name)
	}
}

func TestADiscussionIsCleanAndBounded(t *testing.T) {
	d := discussions()["hostile"]
	assert.Empty(t, d.ThreadURL)
	require.Len(t, d.Messages, 5)
	assert.Equal(t, "[Alice Johnson] Use PostgreSQL. --- [Bob Smith] I agree", d.Messages[0])
	assert.Equal(t, "[Bob) yes (Carol<U+202E>] <U+001B>[2J<U+0007>gone", d.Messages[1])
	assert.Equal(t, "[somebody without a name] <U+200B>", d.Messages[2])
	for _, m := range append(d.Messages, d.Participants...) {
		shown, odd := queue.VisibleLine(m)
		assert.Equal(t, shown, m)
		assert.False(t, odd)
		assert.LessOrEqual(t, len([]rune(m)), MaxMessage)
	}
}

func TestTheNewestFiftyMessagesAreKeptAndAllAreCounted(t *testing.T) {
	d := discussions()["many"]
	require.Len(t, d.Messages, 50)
	assert.Equal(t, "[Alice] 10", d.Messages[0])
	assert.Equal(t, "[Alice] 59", d.Messages[49])
	assert.Equal(t, 10000, d.MessageCount)
	assert.True(t, d.Truncated)
	assert.Equal(t, 9950, d.More())
	few := NewDiscussion([]string{"Alice"}, hostile[:2], 7, "")
	assert.False(t, few.Truncated)
	assert.Equal(t, 5, few.More(), "whatever says that it was cut")
}

func entry() PendingEntry {
	return PendingEntry{SchemaVersion: 1, DecisionID: "01J", MissionSlug: "m", QuestionID: "charter.db",
		QuestionText: "Which?", EnteredPendingAt: time.Date(2026, 4, 23, 16, 0, 0, 0, time.UTC),
		Response: json.RawMessage(`{"decision_id":"01J","widened_at":"2026-04-23T16:00:00Z","slack_thread_url":null,` +
			`"invited_count":2,"team":{"of":"theirs"}}`)}
}

func TestAPendingEntryIsWhatTheSchemaSaysAndComesBackAsItWas(t *testing.T) {
	schema := seedSchema(t, "widen-state.schema.json")
	e := entry()
	assert.NoError(t, validate(t, schema, e))
	line, err := json.Marshal(e)
	require.NoError(t, err)
	again, err := ParsePending(line)
	require.NoError(t, err)
	assert.Equal(t, e, again)
}

func TestPendingEntriesThatTheSchemaRefusesAreRefused(t *testing.T) {
	schema := seedSchema(t, "widen-state.schema.json")
	response := func(raw string) func(*PendingEntry) {
		return func(e *PendingEntry) { e.Response = json.RawMessage(raw) }
	}
	for name, spoil := range map[string]func(*PendingEntry){
		"version":        func(e *PendingEntry) { e.SchemaVersion = 2 },
		"decision":       func(e *PendingEntry) { e.DecisionID = "" },
		"mission":        func(e *PendingEntry) { e.MissionSlug = "" },
		"question":       func(e *PendingEntry) { e.QuestionID = "" },
		"text":           func(e *PendingEntry) { e.QuestionText = "" },
		"no object":      response(`[]`),
		"no decision id": response(`{"widened_at":"2026-04-23T16:00:00Z"}`),
		"no time":        response(`{"decision_id":"01J"}`),
		"no date":        response(`{"decision_id":"01J","widened_at":"yesterday"}`),
		"count of words": response(`{"decision_id":"01J","widened_at":"2026-04-23T16:00:00Z","invited_count":"two"}`),
		"thread of 1":    response(`{"decision_id":"01J","widened_at":"2026-04-23T16:00:00Z","slack_thread_url":1}`),
	} {
		e := entry()
		spoil(&e)
		line, err := json.Marshal(e)
		require.NoError(t, err)
		_, err = ParsePending(line)
		assert.Error(t, err, name)
		assert.Error(t, validate(t, schema, e), name)
	}
	for _, line := range []string{``, `{`, `null`, `{"schema_version":1,"surprise":true}`, `[]`} {
		_, err := ParsePending([]byte(line))
		assert.Error(t, err, "%q", line)
	}
	line, err := json.Marshal(entry())
	require.NoError(t, err)
	_, err = ParsePending(append(line, "{}"...))
	assert.Error(t, err)
}
