package widen

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

const answered = `{"candidate_summary":"All agree.","candidate_answer":"Post{gre}SQL \"now\"","source_hint":"slack_extraction"}`

// readWhole reads an answer at once, as it came.
func readWhole(text string) (queue.Candidate, bool) {
	var r SummaryReader
	for line := range strings.Lines(text) {
		r.Add(line)
	}
	return r.Summary()
}

func TestTheCandidateIsFoundInAModelsAnswer(t *testing.T) {
	want := queue.Candidate{Summary: "All agree.", Answer: `Post{gre}SQL "now"`, SourceHint: queue.SourceTeam}
	for name, text := range map[string]string{
		"alone":              answered,
		"behind words":       "Here is what I made of it:\n\n" + answered,
		"in a fence":         "```json\n" + answered + "\n```\n",
		"with words behind":  answered + " I hope } that helps",
		"with a member more": answered[:len(answered)-1] + `,"confidence":{"high":true}}`,
		"over several lines": "{\n  " + strings.ReplaceAll(answered[1:], ",\"", ",\n\"") + "\n",
	} {
		s, ok := readWhole(text)
		require.True(t, ok, name)
		assert.Equal(t, want, s, name)

		var r SummaryReader
		done := false
		for line := range strings.Lines(text) {
			assert.NotPanics(t, func() { done = r.Add(line) || done })
		}
		assert.True(t, done, name)
		s, ok = r.Summary()
		require.True(t, ok, name)
		assert.Equal(t, want, s, name)
	}
}

func TestAnAnswerThatIsNoCandidateIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"no brace":       "The team agrees.",
		"half":           answered[:60],
		"no JSON":        "{candidate}",
		"a member less":  `{"candidate_summary":"s","candidate_answer":"a"}`,
		"unknown source": `{"candidate_summary":"s","candidate_answer":"a","source_hint":"mission_owner_override"}`,
		"not a text":     `{"candidate_summary":"s","candidate_answer":7,"source_hint":"manual"}`,
		"null":           `{"candidate_summary":"s","candidate_answer":null,"source_hint":"manual"}`,
		"too long":       strings.Repeat("x", MaxSummaryBytes) + answered,
		"a long answer": `{"candidate_summary":"s","source_hint":"manual","candidate_answer":"` +
			strings.Repeat("x", queue.MaxCandidate+1) + `"}`,
	} {
		_, ok := readWhole(text)
		assert.False(t, ok, name)
	}
}

func TestReadingStopsWhereTheAnswerIsTooLong(t *testing.T) {
	var r SummaryReader
	lines := 0
	for !r.Add("{ " + strings.Repeat("x", 1000)) {
		lines++
		require.Less(t, lines, 100)
	}
	_, ok := r.Summary()
	assert.False(t, ok)
}
