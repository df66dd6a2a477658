package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// An agent's text is stored or refused, but never dropped silently.

// parsed returns the request that a format reads from valid arguments.
func parsed(t testing.TB, d Dialect, arguments string) queue.Ask {
	t.Helper()
	req, err := d.Parse(json.RawMessage(arguments))
	require.NoError(t, err)
	require.NoError(t, accepted(req.Ask))
	return req.Ask
}

func TestAWarningWithoutAConfirmationStandsBesideTheQuestion(t *testing.T) {
	for _, confirm := range []string{"", `,"requireConfirmation":false`} {
		for question, prompt := range map[string]string{
			"Drop the table?":                   "This cannot be undone.",
			" Drop the table?\n":                "This cannot be undone.",
			"Drop the table?\n\nIt has 4 rows.": "Drop the table?\n\nIt has 4 rows.\n\nThis cannot be undone.",
		} {
			arguments, err := json.Marshal(question)
			require.NoError(t, err)
			ask := parsed(t, hitlRequest, `{"question":`+string(arguments)+
				`,"options":["Drop","Keep"],"confirmationMessage":"This cannot be undone."`+confirm+`}`)
			assert.Equal(t, "Drop the table?", ask.Title)
			assert.Equal(t, prompt, ask.Prompt)
			if !strings.HasPrefix(prompt, "Drop") {
				assert.Equal(t, ask.Title, ask.Questions[0].Text, "a question that is the title is shown once")
			}
			assert.False(t, ask.Confirm)
			assert.Empty(t, ask.ConfirmMessage)
		}
	}
	ask := parsed(t, hitlRequest, `{"question":"Drop the table?","options":["Drop","Keep"],
		"confirmationMessage":"This cannot be undone.","requireConfirmation":true}`)
	assert.Equal(t, "This cannot be undone.", ask.ConfirmMessage)
	assert.NotContains(t, ask.Prompt, "undone", "it has a step of its own")

	_, err := hitlRequest.Parse(json.RawMessage(`{"question":"Drop?","options":["Drop"],
		"confirmationMessage":"` + strings.Repeat("x", queue.MaxPromptBytes) + `"}`))
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, "confirmationMessage", bad.Problems[0].Path)
}

const askedWith = `{"title":"Store","prompt":"Which?","selection_mode":"single","options":[{"id":"pg","recommended":true}]`

func TestCancelCannotBeForbiddenByAnyName(t *testing.T) {
	for _, field := range []string{
		`"no_cancel":true`, `"can_cancel":false`, `"cancelable":"false"`, `"allowCancellation":0`, `"disableCancel":null`,
	} {
		parsed(t, provideChoice, askedWith+","+field+"}")
	}
	_, err := provideChoice.Parse(json.RawMessage(askedWith + `,"cancel_message":"Stop all"}`))
	assert.Error(t, err, "words that nobody would read are no switch")
}

func TestOptionIdsMayBeNumbers(t *testing.T) {
	ask := parsed(t, provideChoice, `{"title":"Store","prompt":"Which?","selection_mode":"multi",
		"options":[{"id":1,"label":2,"recommended":true},{"id":"2"},{"id":2.50}],"default_selection_ids":[1]}`)
	q := ask.Questions[0]
	assert.Equal(t, "1", q.Options[0].ID)
	assert.Equal(t, "2", q.Options[0].Label)
	assert.Equal(t, "2.50", q.Options[2].ID, "exactly as it was written")
	assert.Equal(t, []string{"1"}, q.Defaults)
}

func TestAnUnknownFieldUnlikeAnyOtherGetsNoAdvice(t *testing.T) {
	for field, advice := range map[string]string{
		"colour": "", "metadata": "", "icon": "", "urgency": "",
		"titel": "title", "optoins": "options", "min_selection": "min_selections", "context": "prompt",
	} {
		_, err := provideChoice.Parse(json.RawMessage(askedWith + `,"` + field + `":"x"}`))
		var bad *queue.Invalid
		require.ErrorAs(t, err, &bad)
		want := "leave it out"
		if advice != "" {
			want = fmt.Sprintf("use %q, or leave it out", advice)
		}
		assert.Equal(t, want, bad.Problems[0].Want, field)
	}
}

func TestTheSummaryOfALongAnswerStaysALine(t *testing.T) {
	s := askedBy(t, provideChoice, `{"title":"Store","prompt":"Which?","selection_mode":"text_input"}`)
	words := strings.Repeat("All of it. ", 1800)
	s = over(s, queue.StatusCustom, queue.ByHuman, "", answers(t, s, queue.Reply{Text: words}))
	res := renderProvideChoice(s, Delivery{})
	var got provideResult
	require.NoError(t, json.Unmarshal(res.Structured, &got))
	assert.Equal(t, words, got.Selection.CustomInput, "what was answered is whole")
	assert.LessOrEqual(t, utf8.RuneCountInString(got.Selection.Summary), queue.MaxSummary)
	assert.True(t, strings.HasPrefix(got.Selection.Summary, "“All of it. "))
	assert.True(t, strings.HasSuffix(got.Selection.Summary, "…"))
	assert.Equal(t, 1, strings.Count(res.Text, words), "and said once")

	s = over(s, queue.StatusCancelled, queue.ByHuman, strings.Repeat("no ", 200), queue.Answer{})
	assert.Contains(t, s.Summary(), strings.Repeat("no ", 199), "some formats say the reason nowhere else")
}

// formOf returns the ask that is read from a model's text.
func formOf(t testing.TB, text string) queue.Ask {
	t.Helper()
	req, err := Extract(text).Request()
	require.NoError(t, err)
	return req.Ask
}

func TestAModelsTextSaysNothingTwice(t *testing.T) {
	one := formOf(t, `{"type":"user_choice","question":"Which store?","choices":["A","B"]}`)
	assert.Equal(t, "Which store?", one.Title)
	assert.Empty(t, one.Prompt)
	assert.Equal(t, "Which store?", one.Questions[0].Text)

	form := `{"type":"user_choice_group","question":"Auth rework"%s,"choices":[
		{"question":"Which hash?","context":"Old ones stay.","options":["x","y"]},{"question":"When?","options":["now"]}]}`
	bare := formOf(t, fmt.Sprintf(form, ""))
	assert.Equal(t, "Auth rework", bare.Title)
	assert.Empty(t, bare.Prompt)
	assert.Equal(t, "Which hash?\n\nOld ones stay.", bare.Questions[0].Text)
	assert.Equal(t, "We rework it.", formOf(t, fmt.Sprintf(form, `,"context":"We rework it."`)).Prompt)
}

func TestOptionsThatAFormDoesNotReadAreNamed(t *testing.T) {
	e := Extract(`{"type":"user_choices","title":"T","questions":[
		{"id":"a","question":"One?","options":[{"id":"1","label":"A"}]},
		{"id":"b","question":"Two?","choices":["B"],"options":["C"]},
		{"id":"c","question":"Three?"}]}`)
	assert.Equal(t, []string{"questions[0].options"}, e.Unread)
	req, err := e.Request()
	require.NoError(t, err)
	require.Len(t, req.Deprecated, 1)
	assert.Contains(t, req.Deprecated[0], "call it choices")
	assert.Empty(t, Extract(`{"type":"user_choice","question":"One?","options":["A"]}`).Unread)
}

func TestAFenceMayShareTheLineWithItsJSON(t *testing.T) {
	for _, in := range []string{
		"Before.\n```json {\"type\":\"user_choice\",\"question\":\"One?\",\"choices\":[\"A\"]}```\nAfter.",
		"Before.\n```json{\"type\":\"user_choice\",\"question\":\"One?\",\"choices\":[\"A\"]}\n```\nAfter.",
	} {
		e := Extract(in)
		require.True(t, e.Found())
		assert.Equal(t, "Before.\n\nAfter.", e.Text)
	}
}
