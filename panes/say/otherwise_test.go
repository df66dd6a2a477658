package say

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWhatAnswersInAnotherTerminalHasTheFlagsThatTheQuestionTakes(t *testing.T) {
	options := func(ids ...string) (all []queue.Option) {
		for _, id := range ids {
			all = append(all, queue.Option{ID: id})
		}
		return all
	}
	text := queue.Question{ID: "name", Mode: queue.ModeText}
	one := queue.Question{ID: "db", Mode: queue.ModeSingle, Options: options("pg", "lite", "my"), Max: 1}
	several := queue.Question{ID: "run", Mode: queue.ModeMulti, Options: options("lint", "test"), Max: 2}
	for name, c := range map[string]struct {
		ask  queue.Ask
		want []string
	}{
		"one option":      {queue.Ask{Questions: []queue.Question{one}}, []string{`--select ID    ID is "pg", "lite" or "my"`}},
		"a single one":    {queue.Ask{Questions: []queue.Question{{Options: options("go"), Max: 1}}}, []string{`--select ID    ID is "go"`}},
		"several":         {queue.Ask{Questions: []queue.Question{several}}, []string{`--select ID    ID is "lint", "test", or several with commas`}},
		"own words":       {queue.Ask{Questions: []queue.Question{text}}, []string{`--text "your own words"`}},
		"to be confirmed": {queue.Ask{Questions: []queue.Question{text}, Confirm: true}, []string{`--text "your own words" --confirm`}},
		"hidden characters": {queue.Ask{Questions: []queue.Question{{Options: options("a\x1bb"), Max: 1}}},
			[]string{`--select ID    ID is "a<U+001B>b"`}},
		"many": {queue.Ask{Questions: []queue.Question{{Options: options("1", "2", "3", "4", "5", "6", "7"), Max: 7}}},
			[]string{"--select ID    ID is one that choicetui show k7f3m2qx names"}},
		"a form": {queue.Ask{Questions: []queue.Question{one, text}},
			[]string{`--select QUESTION=ID --text QUESTION="your own words"    one for each question: choicetui show k7f3m2qx`}},
		"a form of options": {queue.Ask{Questions: []queue.Question{one, several}},
			[]string{"--select QUESTION=ID    one for each question: choicetui show k7f3m2qx"}},
	} {
		lines := AnsweredElsewhere(queue.Session{ID: "k7f3m2qx", Ask: c.ask})
		require.Equal(t, "answer it in another terminal with one of these:\n  choicetui    opens the dashboard\n"+
			"  choicetui attach k7f3m2qx\n  choicetui answer k7f3m2qx "+
			strings.Join(c.want, "\n"), strings.Join(lines, "\n"), name)
	}
}
