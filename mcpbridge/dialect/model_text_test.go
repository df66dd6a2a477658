package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

const single = `{"type": "user_choice", "question": "Which one?", "context": "why", "options": [{"id": "1", "label": "A"}, {"id": "2", "label": "B", "description": "b"}]}`

func TestExtract(t *testing.T) {
	fenced := func(s string) string { return "```json\n" + s + "\n```" }
	for name, c := range map[string]struct {
		in, want, text string
	}{
		"fenced, text on both sides stays": {"before\n" + fenced(single) + "\nafter", "one", "before\n\nafter"},
		"raw, what follows is dropped":     {"before " + single + " after", "one", "before"},
		"white space in the raw start":     {"x { \n \"type\" : \"user_choice\",\"question\":\"q\",\"choices\":[]} y", "one", "x"},
		"the first match only":             {single + "\n" + strings.Replace(single, "Which", "Other", 1), "one", ""},
		"fences that are no choice skip":   {fenced(`{"a":1}`) + "\n" + fenced(`{`) + "\n" + fenced(single), "one", "```json\n{\"a\":1}\n```\n```json\n{\n```"},
		"fences win over raw before them":  {single + "\n" + fenced(strings.Replace(single, "Which one?", "fenced", 1)), "fenced", single},
		"a failed fence is searched raw":   {"```json\nnote: " + single + "\n```", "one", "```json\nnote:"},
		"braces and quotes in strings":     {`x {"type":"user_choice","question":"a } \" { b","options":["{","}"]} y`, "one", "x"},
		"the next place when one fails":    {`{"type": "nothing"} {"question": broken ` + single, "one", `{"type": "nothing"} {"question": broken`},
		"another fence language is raw":    {"```\n" + single + "\n```", "one", "```"},
		"no choice":                        {"just text {\"type\":\"x\"}", "", "just text {\"type\":\"x\"}"},
		"truncated":                        {"a " + single[:len(single)-3], "", "a " + single[:len(single)-3]},
		"nested in another object":         {`{"wrap": ` + single + `}`, "one", `{"wrap":`},
	} {
		t.Run(name, func(t *testing.T) {
			e := Extract(c.in)
			assert.Equal(t, c.text, e.Text)
			if c.want == "" {
				assert.False(t, e.Found())
				return
			}
			require.NotNil(t, e.Choice)
			if c.want == "fenced" {
				assert.Equal(t, "fenced", e.Choice.Question)
			}
		})
	}
}

func TestExtractNormalises(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"options become choices": {single, `{"choice":{"type":"user_choice","question":"Which one?","context":"why","choices":[{"id":"1","label":"A"},{"id":"2","label":"B","description":"b"}]},"choices":null,"text":""}`},
		"a recommended id that matches none is kept": {`{"type":"user_choice","question":"q","choices":[{"id":"1","label":"A"}],"recommendedChoiceId":"9"}`,
			`{"choice":{"type":"user_choice","question":"q","choices":[{"id":"1","label":"A"}],"recommendedChoiceId":"9"},"choices":null,"text":""}`},
		"one that is no string is not": {`{"type":"user_choice","question":"q","choices":[],"recommendedChoiceId":9}`,
			`{"choice":{"type":"user_choice","question":"q","choices":[]},"choices":null,"text":""}`},
		"a group of one is a single question": {`{"type":"user_choice_group","question":"top","context":"why","choices":[{"question":"q","options":["A","B"]}]}`,
			`{"choice":{"type":"user_choice","question":"q","choices":[{"id":"1","label":"A"},{"id":"2","label":"B"}],"context":"why"},"choices":null,"text":""}`},
		"a group without type": {`{"question":"top","choices":[{"question":"a","choices":[{"id":1,"label":"A"}]},{"question":"b"}]}`,
			`{"choice":null,"choices":{"type":"user_choices","title":"top","questions":[{"id":"q1","question":"a","choices":[{"id":"1","label":"A"}]},{"id":"q2","question":"b","choices":[]}]},"text":""}`},
		"a group whose first entry has no options is none": {`{"question":"top","choices":[{"question":"a"},{"question":"b","options":["x"]}]}`,
			`{"choice":null,"choices":null,"text":"{\"question\":\"top\",\"choices\":[{\"question\":\"a\"},{\"question\":\"b\",\"options\":[\"x\"]}]}"}`},
		"user_choices ignores options": {`{"type":"user_choices","questions":[{"id":"x","question":"a","options":["no"],"choices":["yes"]},{"id":"y","question":"b","options":["no"]}]}`,
			`{"choice":null,"choices":{"type":"user_choices","questions":[{"id":"x","question":"a","choices":[{"id":"1","label":"yes"}]},{"id":"y","question":"b","choices":[]}]},"text":""}`},
		"user_choices may be empty":              {`{"type":"user_choices","questions":[]}`, `{"choice":null,"choices":{"type":"user_choices","questions":[]},"text":""}`},
		"user_choices without questions is none": {`{"type":"user_choices"}`, `{"choice":null,"choices":null,"text":"{\"type\":\"user_choices\"}"}`},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(Extract(c.in))
			require.NoError(t, err)
			assert.JSONEq(t, c.want, string(raw))
		})
	}
}

func TestHostileTextCostsABoundedSearch(t *testing.T) {
	e := Extract(strings.Repeat(`{"type":`, 6<<20/8)) // every place looks like a beginning, none ends
	assert.False(t, e.Found())
}

func TestModelTextBecomesAnAskAndTheReplyOfTheSeed(t *testing.T) {
	req, err := Extract(single).Request()
	require.NoError(t, err)
	assert.Equal(t, "Which one?", req.Ask.Title)
	assert.Equal(t, "why", req.Ask.Prompt)
	assert.Equal(t, ModelTextTimeout, req.Ask.TimeoutSeconds)
	s := queue.Session{Ask: req.Ask, Outcome: &queue.Outcome{Status: queue.StatusSelected, Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"2"}}}}}}
	assert.Equal(t, "2", Reply(s))

	form, err := Extract(`{"question":"top","choices":[{"question":"DB 선택?","options":[{"id":"1","label":"Postgres"}],"recommendedChoiceId":"1"},{"question":"Auth 방식?","options":[{"id":"2","label":"OAuth"}]}]}`).Request()
	require.NoError(t, err)
	assert.True(t, form.Ask.Questions[0].Options[0].Recommended)
	s = queue.Session{Ask: form.Ask, Outcome: &queue.Outcome{Status: queue.StatusSelected, Answer: queue.Answer{Replies: []queue.Reply{
		{Question: "q1", Selected: []string{"1"}}, {Question: "q2", Text: "passkeys"}}}}}
	assert.Equal(t, "DB 선택?: 1. Postgres\nAuth 방식?: 직접입력. passkeys", Reply(s))
}

func TestAFormWithDuplicateQuestionIdsIsRefusedInItsOwnWords(t *testing.T) {
	_, err := Extract(`{"type":"user_choices","title":"t","questions":[{"id":"q","question":"a","choices":["x"]},{"id":"q","question":"b","choices":[{"id":"1","label":"x"},{"id":"1","label":"y"}]}]}`).Request()
	var bad *queue.Invalid
	require.ErrorAs(t, err, &bad)
	var paths []string
	for _, p := range bad.Problems {
		paths = append(paths, p.Path)
	}
	assert.Equal(t, []string{"questions[1].id", "questions[1].choices[1].id"}, paths)
}

func TestALongQuestionKeepsAllItsWords(t *testing.T) {
	long := strings.Repeat("word ", 80)
	req, err := Extract(`{"type":"user_choice","question":"` + long + `","options":["a"]}`).Request()
	require.NoError(t, err)
	assert.LessOrEqual(t, len([]rune(req.Ask.Title)), queue.MaxTitle)
	assert.Equal(t, strings.TrimSpace(long), req.Ask.Prompt)
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{single, "```json\n" + single + "\n```", `{"question":"a","choices":[{"options":[]}]}`, `{"type":"user_choices","questions":[{}]}`, "{\"type\":\"\\", "``````json\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e := Extract(s)
		if _, err := e.Request(); e.Found() && err != nil {
			var bad *queue.Invalid
			require.ErrorAs(t, err, &bad)
		}
	})
}

func TestAHintBesideAQuestionComesWithIt(t *testing.T) {
	const hint = "[WIDEN-HINT] Ask the team — press w."
	form := `{"type": "user_choices", "questions": [{"question": "One?", "choices": ["x"]}, {"question": "Two?", "choices": ["y"]}]}`
	for in, want := range map[string]string{
		hint + "\n```json\n" + single + "\n```":                  hint + "\nwhy",
		"said\n" + single + "\n" + hint + "\r\n[WIDEN-HINT] two": hint + "\nwhy",
		hint + "\n" + form: hint,
		strings.Replace(single, `"why"`, `"`+hint+`\nwhy"`, 1): hint + "\nwhy",
		strings.ToLower(hint) + "\n" + single:                  "why",
		"so " + hint + "\n" + single:                           "why",
		"[WIDEN-HINT] \n" + single:                             "why",
	} {
		req, err := Extract(in).Request()
		require.NoError(t, err, in)
		assert.Equal(t, want, req.Ask.Prompt, in)
		assert.NotContains(t, req.Ask.Title, "WIDEN", in)
	}
	long := strings.Replace(single, `"why"`, `"`+strings.Repeat("x", queue.MaxPromptBytes)+`"`, 1)
	req, err := Extract(hint + "\n" + long).Request()
	require.NoError(t, err)
	assert.NotContains(t, req.Ask.Prompt, "WIDEN", "a hint never keeps a question from being asked")
}

func TestAHintIsNeverTheTitle(t *testing.T) {
	req, err := requestUserChoice.Parse(json.RawMessage(`{"question": "[WIDEN-HINT] Ask them.\nWhich database?", "options": ["a", "b"]}`))
	require.NoError(t, err)
	assert.Equal(t, "Which database?", req.Ask.Title)
	assert.Equal(t, "[WIDEN-HINT] Ask them.\nWhich database?", req.Ask.Prompt, "it stays as it came")
}
