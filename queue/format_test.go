package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestOwnWordsAreSentOnlyInTheFormatThatIsWanted(t *testing.T) {
	t.Parallel()
	one, ten, two, four := 1.0, 10.0, 2, 4
	for name, c := range map[string]struct {
		format   queue.TextFormat
		good     []string
		bad      []string
		asWanted string
	}{
		"a number": {queue.TextFormat{Kind: queue.FormatNumber, Least: &one, Most: &ten}, []string{"1", " 2.5 ", "1e1"},
			[]string{"0", "11", "two", "0x2", "+3", "NaN", "01", "Inf"}, "a number from 1 to 10"},
		"a whole number": {queue.TextFormat{Kind: queue.FormatInteger}, []string{"0", "-12"},
			[]string{"1.5", "1e1", ""}, "a whole number"},
		"an e-mail address": {queue.TextFormat{Kind: queue.FormatEmail}, []string{"ana@example.com"},
			[]string{"ana", "Ana <ana@example.com>"}, "an e-mail address"},
		"an address": {queue.TextFormat{Kind: queue.FormatURI}, []string{"https://example.com/a?b=c"},
			[]string{"example.com", "https://example.com/a b"}, "a whole address such as https://example.com/"},
		"a date": {queue.TextFormat{Kind: queue.FormatDate}, []string{"2026-11-22"}, []string{"22.11.2026",
			"2026-13-01"}, "a date such as 2026-11-22"},
		"a time": {queue.TextFormat{Kind: queue.FormatDateTime}, []string{"2026-11-22T14:02:00+01:00"},
			[]string{"2026-11-22"}, "a time such as 2026-11-22T14:02:00Z"},
		"a text of some length": {queue.TextFormat{Kind: queue.FormatText, MinLength: &two, MaxLength: &four},
			[]string{"äöü"}, []string{"a", "abcde"}, "text from 2 to 4 characters"},
	} {
		q := queue.Question{ID: "q", Mode: queue.ModeText, Format: &c.format}
		for _, text := range c.good {
			require.Empty(t, q.Check(queue.Reply{Question: "q", Text: text}), "%s: %s", name, text)
		}
		for _, text := range c.bad {
			require.NotEmpty(t, q.Check(queue.Reply{Question: "q", Text: text}), "%s: %s", name, text)
		}
		require.Equal(t, c.asWanted, c.format.Want())
	}
}

func TestAnOptionBesideAFormatNeedsNoText(t *testing.T) {
	t.Parallel()
	q := queue.Question{ID: "q", Mode: queue.ModeHybrid, Max: 1, Options: []queue.Option{{ID: "none", Label: "None"}},
		Format: &queue.TextFormat{Kind: queue.FormatInteger}}
	require.Empty(t, q.Check(queue.Reply{Question: "q", Selected: []string{"none"}}))
	require.NotEmpty(t, q.Check(queue.Reply{Question: "q", Text: "some"}))
}

func TestAFormatThatNobodyKnowsIsRefused(t *testing.T) {
	t.Parallel()
	a := ask(func(_ *queue.Ask, q *queue.Question) { q.Format = &queue.TextFormat{Kind: "colour"} })
	var paths []string
	for _, p := range a.Check() {
		paths = append(paths, p.Path)
	}
	require.Contains(t, paths, "questions[0].format.kind")
}
