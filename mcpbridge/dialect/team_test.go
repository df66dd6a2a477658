package dialect

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

const decisionID = "01KPXFGJ3T7Q2M9V5B8D0C4N6R"

// discussing returns a session that is with the team, and the delivery of its discussion.
func discussing(s queue.Session) (queue.Session, Delivery) {
	s.Deadline = time.Time{}
	s.Widen = &queue.Widened{Decision: decisionID, State: queue.WidenBlocked}
	return s, Delivery{Discussion: &queue.Request{ID: "r1", Block: "╔══╗\n║ <a> & \"b\" ║\n╚══╝\n[Alice] yes\n"}}
}

// decided returns the outcome PostgreSQL, after the team was asked.
func decided(source, summary, rationale string) queue.Outcome {
	return queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Answer: reply([]string{"pg"}, "", nil),
		Team: &queue.Resolution{Decision: decisionID, Summary: queue.Summary{Text: summary, Source: source}, Rationale: rationale}}
}

func deferred(rationale, summary string) queue.Outcome {
	source := queue.SourceManual
	if summary != "" {
		source = queue.SourceTeam
	}
	return queue.Outcome{Status: queue.StatusDeferred, By: queue.ByHuman, Reason: rationale,
		Team: &queue.Resolution{Decision: decisionID, Summary: queue.Summary{Text: summary, Source: source}, Rationale: rationale}}
}

// teamResults returns the results of a format for a question that the team was asked.
func teamResults(t testing.TB, d Dialect, arguments string, replies ...queue.Reply) map[string]Result {
	pending, end := askedBy(t, d, arguments), time.Minute
	render := func(o queue.Outcome) Result {
		s := pending
		o.At = asked.Add(end)
		s.Outcome = &o
		return d.Render(s, Delivery{})
	}
	answered := decided(queue.SourceTeam, "They agree.", "")
	answered.Answer = answers(t, pending, replies...)
	talking, toSumUp := discussing(pending)
	return map[string]Result{
		"with the team": d.Render(talking, Delivery{}), "to be summed up": d.Render(talking, toSumUp),
		"as the team said": render(answered), "deferred": render(deferred("the audit comes first", "")),
	}
}

// A deferral is no answer in any format, and tells the model what to do now.
func TestADeferralIsNeverAnAnswer(t *testing.T) {
	for _, d := range []Dialect{provideChoice, requestUserChoice, askUserQuestion} {
		s := sample()
		s.Origin.Dialect = d.Tool.Name
		o := deferred("the audit comes first", "")
		s.Outcome = &o
		r := d.Render(s, Delivery{})
		assert.Equal(t, d.Tool.Name != nameProvideChoice, r.IsError)
		var facts map[string]any
		require.NoError(t, json.Unmarshal(r.Structured, &facts))
		status := facts["status"]
		if d.Tool.Name == nameProvideChoice {
			status = facts["action_status"]
			assert.Empty(t, facts["selection"].(map[string]any)["selected_ids"])
		}
		assert.Equal(t, "deferred", status)
		assert.NotContains(t, facts, "answer")
		assert.NotContains(t, facts, "answers")
		assert.Equal(t, "the audit comes first", facts["reason"])
		assert.Equal(t, "the audit comes first", facts["team"].(map[string]any)["rationale"])
		for _, told := range []string{r.Text, string(r.Structured)} { // some clients show a model only one of them
			assert.Contains(t, told, "The person decides this later. Their reason: “the audit comes first”.")
			assert.Contains(t, told, "continue with work that does not depend on it")
			assert.Contains(t, told, "do not ask the same again now")
		}
		assert.Contains(t, r.Text, "Do not choose for the person.")
	}
}

func TestTheTextOfAChoiceStaysExactlyTheAnswerWhateverTheTeamSaid(t *testing.T) {
	r := teamResults(t, requestUserChoice, choiceAsked, queue.Reply{Selected: []string{"Use SQLite"}})["as the team said"]
	require.Equal(t, "Use SQLite", r.Text)
	require.Contains(t, string(r.Structured),
		`"team":{"decision_id":"`+decisionID+`","summary_json":{"text":"They agree.","source":"slack_extraction"}}`)
}

func TestALongSummaryIsShortInTheSentenceAndWholeInTheContent(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	o := decided(queue.SourceTeam, long, "")
	s := ended(o)
	r := renderProvideChoice(s, Delivery{})
	first, _, _ := strings.Cut(strings.TrimPrefix(r.Text, "The person answered: PostgreSQL\n"), "\n")
	require.Less(t, len(first), 700)
	require.Contains(t, string(r.Structured), long)
}

func TestAnInterviewIsAFormatAndNoTool(t *testing.T) {
	require.Equal(t, queue.DialectInterview, For(queue.DialectInterview).Tool.Name)
	for _, tool := range offered() {
		require.NotEqual(t, queue.DialectInterview, tool.Name)
	}
	require.Contains(t, For(queue.DialectInterview).Render(ended(deferred("why", "")), Delivery{}).Text, "The person decides this later.")
}
