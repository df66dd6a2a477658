package dialect

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// wellAsked returns an ask without any advice.
func wellAsked(change func(a *queue.Ask, q *queue.Question)) queue.Ask {
	a := queue.Ask{Kind: queue.KindChoice, Title: "Database", Prompt: enough, Questions: []queue.Question{{
		ID: theQuestion, Mode: queue.ModeSingle, Min: 1, Max: 1,
		Options: []queue.Option{{ID: "pg", Label: "Use PostgreSQL", Recommended: true}, {ID: "lite", Label: "Use SQLite"}},
	}}}
	if change != nil {
		change(&a, &a.Questions[0])
	}
	return a
}

func TestAdviceNamesWhatMakesAQuestionHardToDecide(t *testing.T) {
	option := func(label string) func(*queue.Ask, *queue.Question) {
		return func(_ *queue.Ask, q *queue.Question) { q.Options[1].Label = label }
	}
	for name, c := range map[string]struct {
		change func(a *queue.Ask, q *queue.Question)
		says   []string
	}{
		"well asked": {nil, nil},
		"one option": {func(_ *queue.Ask, q *queue.Question) { q.Options = q.Options[:1] }, []string{"two to four"}},
		"five options": {func(_ *queue.Ask, q *queue.Question) {
			q.Options = append(q.Options, q.Options[1], q.Options[1], q.Options[1])
		}, []string{"5 is a lot"}},
		"little context":   {func(a *queue.Ask, _ *queue.Question) { a.Prompt = "Which?" }, []string{"6 characters of context"}},
		"none recommended": {func(_ *queue.Ask, q *queue.Question) { q.Options[0].Recommended = false }, []string{"none is recommended"}},
		"two recommended":  {func(_ *queue.Ask, q *queue.Question) { q.Options[1].Recommended = true }, []string{"2 are recommended"}},
		"several of several": {func(_ *queue.Ask, q *queue.Question) {
			q.Mode, q.Max, q.Options[1].Recommended = queue.ModeMulti, 2, true
		}, nil},
		"yes":                    {option("Yes"), []string{"does not say what happens"}},
		"ok!":                    {option(" OK! "), []string{"does not say what happens"}},
		"확인":                     {option("확인"), []string{"does not say what happens"}},
		"yes and what":           {option("Yes, drop the table"), nil},
		"other":                  {option("Other (please specify)"), []string{"not needed"}},
		"something else":         {option("Something else…"), []string{"not needed"}},
		"another region":         {option("Other region"), nil},
		"own words have no list": {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Options = queue.ModeText, nil }, nil},
		"an approval":            {func(a *queue.Ask, _ *queue.Question) { a.Kind, a.Prompt = queue.KindApproval, "x" }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			advice := Advise(nameProvideChoice, wellAsked(c.change))
			require.Len(t, advice, len(c.says), "%q", advice)
			for i, part := range c.says {
				require.Contains(t, advice[i], part)
			}
		})
	}
}

func TestAdviceNamesTheFieldOfItsFormat(t *testing.T) {
	plain := wellAsked(func(_ *queue.Ask, q *queue.Question) { q.Options[0].Recommended = false })
	for dialect, field := range map[string]string{
		nameProvideChoice: `"recommended"`, nameUserChoice: `"isRecommended"`, nameQuestions: `"(Recommended)"`,
	} {
		require.Contains(t, strings.Join(Advise(dialect, plain), " "), field)
	}
	require.Empty(t, Advise(nameHITL, plain), "it has no such field")
}

func TestAdviceSaysWhichOfSeveralQuestionsItMeans(t *testing.T) {
	a := wellAsked(nil)
	a.Questions = append(a.Questions, a.Questions[0])
	a.Questions[1].Options = []queue.Option{{ID: "a", Label: "Yes", Recommended: true}, {ID: "b", Label: "Drop it"}}
	require.Len(t, Advise(nameQuestions, a), 1)
	require.Contains(t, Advise(nameQuestions, a)[0], "questions[1].options[0]")
}

func TestAdviceQuotesTheAgentSafely(t *testing.T) {
	a := wellAsked(func(_ *queue.Ask, q *queue.Question) {
		q.Options[1].Label = "Other (\u202e\x1b[2J" + strings.Repeat("x", 500) + ")"
	})
	said := strings.Join(Advise(nameProvideChoice, a), " ")
	require.Contains(t, said, "<U+202E>")
	require.Less(t, len(said), 300)
}
