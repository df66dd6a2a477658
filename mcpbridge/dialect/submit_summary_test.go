package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestASummaryIsReadHoweverModelsWrapIt(t *testing.T) {
	const whole = `{"session_id": " K7F3M2QX ", "candidate_summary": "s\n\"t\"", "candidate_answer": "", "source_hint": "slack-Extraction"}`
	quoted := func(text string) string {
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		return string(raw)
	}
	part := strings.Replace(whole, `"session_id": " K7F3M2QX ", `, "", 1)
	for _, raw := range []string{
		whole, quoted(whole), quoted("```json\n" + whole + "\n```"), quoted("```\n" + whole + "\n```\n"),
		`{"session_id": "k7f3m2qx", "summary": ` + part + `}`,
		`{"session_id": "k7f3m2qx", "candidate_summary": ` + quoted(part) + `}`,
		`{"session_id": "k7f3m2qx", "decision_id": "01K", "block": ` + quoted("```json\n"+part+"\n```") + `}`,
	} {
		got, err := ParseSubmitSummary(json.RawMessage(raw))
		require.NoError(t, err, raw)
		require.Equal(t, Submission{Session: "k7f3m2qx", Candidate: queue.Candidate{
			Summary: "s\n\"t\"", Answer: "", SourceHint: queue.SourceTeam}}, got, raw)
	}
}

func TestASummaryThatIsRefusedNamesEveryProblem(t *testing.T) {
	for raw, want := range map[string][]string{
		``: {"session_id is missing", "candidate_summary is missing", "candidate_answer is missing", "source_hint is missing"},
		`{"session_id": "", "candidate_summary": null, "candidate_answer": [], "source_hint": "team"}`: {"session_id is missing",
			"candidate_summary is missing", "candidate_answer is a list", `source_hint is "team"`},
		`{"session_id": "k7f3m2qx", "candidate_summary": "` + strings.Repeat("x", queue.MaxCandidate+1) +
			`", "candidate_answer": "\ud800", "source_hint": "manual", "rationale": "r"}`: {
			"candidate_summary has 32769 bytes", "candidate_answer holds half of a surrogate pair", "rationale is not a known field"},
		`[1]`: {"is a list"},
	} {
		_, err := ParseSubmitSummary(json.RawMessage(raw))
		var bad *queue.Invalid
		require.ErrorAs(t, err, &bad, raw)
		var said []string
		for _, p := range bad.Problems {
			said = append(said, p.String())
		}
		require.Len(t, said, len(want), "%s", said)
		for _, w := range want {
			assert.Contains(t, strings.Join(said, "\n"), w)
		}
	}
}
