package queue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWhatWasTypedAndNotSentIsFound(t *testing.T) {
	s := Session{Ask: Ask{Comment: "the agent's own", Questions: []Question{{ID: "q", Mode: ModeHybrid, Min: 0, Max: 1, Options: []Option{{ID: "a", Note: "came with it"}}}}},
		Outcome: &Outcome{Status: StatusSelected, Answer: Answer{Replies: []Reply{{Question: "q", Selected: []string{"a"}, Notes: map[string]string{"a": "sent note"}}}}}}
	draft := Draft{Answer: Answer{Comment: "the agent's own", Replies: []Reply{{Question: "q", Text: "my words", Notes: map[string]string{"a": "sent note", "b": "other note"}}}}}
	assert.Equal(t, []string{"my words", "other note"}, draft.Unsent(s))

	draft.Answer.Replies[0].Text, draft.Answer.Replies[0].Notes = " ", map[string]string{"a": "came with it"}
	assert.Empty(t, draft.Unsent(s))

	s.Outcome = &Outcome{Status: StatusCancelled, Reason: "not now"}
	draft.Reason, draft.Answer.Comment = "not now", "typed"
	assert.Equal(t, []string{"typed"}, draft.Unsent(s))
}

func TestTheNewestDraftReplacesAndAnInstancesOwnWhateverTheClockDid(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	old := Draft{Instance: "a", At: at}
	assert.True(t, Draft{Instance: "b", At: at.Add(time.Millisecond)}.Replaces(old))
	assert.False(t, Draft{Instance: "b", At: at}.Replaces(old))
	assert.False(t, Draft{Instance: "b", At: at.Add(-time.Hour)}.Replaces(old))
	assert.True(t, Draft{Instance: "a", At: at.Add(-time.Hour)}.Replaces(old), "its clock was put back")
	assert.False(t, old.Replaces(old), "it is the same one")
	assert.True(t, old.Holds(Draft{Instance: "b"}))
	assert.False(t, old.Holds(Draft{Instance: "a", At: at, Reason: "not now"}))
}
