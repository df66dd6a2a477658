package interview

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

func answerIn(t *testing.T, text string) string {
	var out struct{ Answers map[string]string }
	require.NoError(t, yaml.Unmarshal([]byte(text), &out))
	return out.Answers["charter.db"]
}

func load(t *testing.T, text string) (File, error) {
	path := filepath.Join(t.TempDir(), "charter.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return Load(path)
}

func TestAFileIsReadAsYAMLAndAsJSON(t *testing.T) {
	for _, text := range []string{two, whole.Mark + two, whole.Mark + `{"mission": "shop", "questions": [
		{"id": "charter.db", "text": "Which database?", "default": "lite", "options": ["PostgreSQL", {"id": "lite", "label": "SQLite"}]},
		{"id": "charter.name", "text": "What is it called?"}]}`, `{"mission": "shop", "questions": [
		{"id": "charter.db", "text": "Which database?", "default": "lite", "options": ["PostgreSQL", {"id": "lite", "label": "SQLite"}]},
		{"id": "charter.name", "text": "What is it called?"}]}`} {
		f, err := load(t, text)
		require.NoError(t, err)
		assert.Equal(t, "shop", f.Mission)
		require.Len(t, f.Questions, 2)
		a := f.Questions[0].Ask()
		assert.Empty(t, a.Check())
		assert.Equal(t, queue.ModeHybrid, a.Questions[0].Mode)
		assert.Equal(t, 1, a.Questions[0].Max)
		assert.Equal(t, []string{"lite"}, a.Questions[0].Defaults)
		assert.Empty(t, a.Questions[0].DefaultText)
		assert.Equal(t, queue.ModeText, f.Questions[1].Ask().Questions[0].Mode)
	}
}

// People take their first file from the document about interviews.
func TestTheExampleOfTheDocumentIsAFileOfQuestions(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "interview.md"))
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(document), "\n```yaml\n")
	require.True(t, found)
	example, _, found := strings.Cut(rest, "\n```\n")
	require.True(t, found)
	f, err := load(t, example)
	require.NoError(t, err)
	require.NotEmpty(t, f.Questions)
	assert.Equal(t, queue.Option{ID: "lite", Label: "SQLite", Description: "One file, no server"},
		f.Questions[0].Options[1])
}

func TestADefaultMayBeALabelOrOwnWords(t *testing.T) {
	for given, want := range map[string]queue.Question{
		"sqlite": {Defaults: []string{"lite"}}, "PostgreSQL": {Defaults: []string{"PostgreSQL"}},
		"Oracle": {DefaultText: "Oracle"}, "5": {DefaultText: "5"}, "no": {DefaultText: "no"},
	} {
		f, err := load(t, strings.Replace(two, "default: lite", "default: "+given, 1))
		require.NoError(t, err)
		q := f.Questions[0].Ask().Questions[0]
		assert.Equal(t, want.Defaults, q.Defaults, given)
		assert.Equal(t, want.DefaultText, q.DefaultText, given)
	}
}

func TestJSONWithEscapesThatYAMLDoesNotKnowIsRead(t *testing.T) {
	f, err := load(t, `{"mission": "m", "questions": [{"id": "q", "text": "\ud83d\ude00 a\/b"}]}`)
	require.NoError(t, err)
	assert.Equal(t, "😀 a/b", f.Questions[0].Text)
}

func TestEveryProblemOfAFileIsSaidAtOnceWithItsLine(t *testing.T) {
	_, err := load(t, `mission: ""
colour: 3
questions:
  - id: a
    text: " "
  - id: a
    text: x
    defalt: 3
  - text: y
    options: {}
  - 5
  - id: o
    text: t
    options: [a, a]
    default: [x]
  - id: p
    id: q
    text: t
`)
	var faulty *Faulty
	require.True(t, errors.As(err, &faulty))
	assert.Equal(t, []string{
		faulty.File + " is not an interview:",
		`line 1: mission is blank; it must not be empty`,
		`line 2: colour is not a known field; want mission or questions`,
		`line 5: questions[0].text is blank; it must not be empty`,
		`line 6: questions[1].id "a" is also the id of questions[0]; want a different id for each question`,
		`line 8: questions[1].defalt is not a known field; want id, text, default or options`,
		`line 9: questions[2].id is missing; it must not be empty`,
		`line 10: questions[2].options is not a list; want a list of texts, or of id, label and description`,
		`line 11: questions[3] is not a mapping; want id, text, default or options`,
		`line 15: questions[4].default is not a text; want a text`,
		`line 17: questions[5].id is there twice; want each field once`,
	}, strings.Split(err.Error(), "\n  - "))
}

func TestWhatIsNoFileOfQuestionsIsRefused(t *testing.T) {
	many := "mission: m\nquestions:\n"
	for i := range MaxQuestions + 1 {
		many += fmt.Sprintf("  - {id: q%d, text: t}\n", i)
	}
	for text, want := range map[string]string{
		"": "is empty; want mission and questions", "5": "is not a mapping; want mission or questions",
		"mission: m": "questions is missing", "mission: m\nquestions: []": "questions is empty; want at least one question",
		"mission: m\nquestions: 5": "questions is not a list", ": : :": "cannot be read: yaml",
		"mission: m\nquestions:\n  - {id: a, text: t}\n---\n": "contains more than one document",
		many: "questions has 201 entries; want at most 200",
		"mission: m\nquestions:\n  - {id: a, text: t, options: [x, x]}":                `questions[0].options[1].id "x" is also the id of options[0]`,
		"mission: m\nquestions:\n  - {id: a, text: " + strings.Repeat("x", 9000) + "}": "questions[0].text has 9000 characters; want at most 8000",
		"a: &a [x]\nmission: *a\nquestions: [*a]":                                      "mission is not a text",
		"mission: \"\\xff\\e[2J\"\nquestions: 5":                                       "questions is not a list",
	} {
		_, err := load(t, text)
		require.ErrorContains(t, err, want, text[:min(len(text), 80)])
		assert.NotContains(t, err.Error(), "\x1b")
	}
}
