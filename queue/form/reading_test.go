package form

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestAHintStandsAboveThePromptAndNotInIt(t *testing.T) {
	for prompt, want := range map[string]struct {
		text  string
		hints []string
	}{
		"[WIDEN-HINT] Ask the team — press w.\nWe need a store.": {"We need a store.", []string{"Ask the team — press w."}},
		"# T\n[WIDEN-HINT] ask them\r\nWhy\nso":                  {"Why\nso", []string{"ask them"}},
		"Why\n[WIDEN-HINT] one\nso\n[WIDEN-HINT] two":            {"Why\nso\n", []string{"one", "two"}},
		"[WIDEN-HINT] alone":                                     {"", []string{"alone"}},
		"[WIDEN-HINT]  \nWhy":                                    {"Why", nil},
		"[widen-hint] lower case\nWhy":                           {"[widen-hint] lower case\nWhy", nil},
		"[WIDEN-HINT]no blank":                                   {"[WIDEN-HINT]no blank", nil},
		" [WIDEN-HINT] indented":                                 {" [WIDEN-HINT] indented", nil},
		"said [WIDEN-HINT] inside":                               {"said [WIDEN-HINT] inside", nil},
		"\nWhy":                                                  {"\nWhy", nil},
	} {
		s := one(queue.ModeHybrid, nil)
		s.Ask.Prompt = prompt
		f := pointing(s)
		assert.Equal(t, want.text, Text(f), "%q", prompt)
		assert.Equal(t, want.hints, Hints(f), "%q", prompt)
		assert.Equal(t, prompt, s.Ask.Prompt, "it stays as it came")
		assert.Len(t, f.Here().Rows(), 4, "the options do not change")
	}
}

func TestAHintInAQuestionOfSeveralIsThatQuestions(t *testing.T) {
	s := asked(question("q1", queue.ModeSingle, func(q *queue.Question) { q.Text = "[WIDEN-HINT] ask\nWhich store?" }),
		question("q2", queue.ModeSingle, func(q *queue.Question) { q.Text = "Which cache?" }))
	f := pointing(s)
	assert.Equal(t, []string{"ask"}, Hints(f))
	assert.Equal(t, "Which store?", Text(f))
	assert.Equal(t, "Which store?", LongName(f.Here()))
	f.enters(1)
	assert.Empty(t, Hints(f))
}
