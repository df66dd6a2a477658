package queue

import (
	"testing"

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
