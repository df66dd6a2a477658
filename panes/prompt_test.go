package panes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func longForm(t testing.TB) *Form {
	var p strings.Builder
	for p.Len() < queue.MaxPromptBytes-200 {
		p.WriteString("## Step\n\nThe **order** service needs `transactions` across [carts](https://x.io/carts).\n\n- one\n- two\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\n\n")
	}
	f := NewForm(queue.Session{ID: "s", Ask: queue.Ask{Kind: queue.KindChoice, Title: "T", Prompt: p.String(),
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
			{ID: "a", Label: strings.Repeat("label ", 60) + "end", Description: strings.Repeat("Runs `make deploy` and **more** ", 20)}, {ID: "b", Label: "b"}}}},
		TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone}}, nil, nil)
	require.Empty(t, f.Session.Ask.Check())
	return f
}

func TestPromptIsLaidOutOncePerWidth(t *testing.T) {
	f := longForm(t)
	first := f.prompt(80)
	require.Same(t, &first[0], &f.prompt(80)[0])
	require.NotSame(t, &first[0], &f.prompt(60)[0])
	n := len(f.laidOut)
	for range 2000 {
		f.description(strings.Repeat("x", n), 40)
		n++
	}
	assert.LessOrEqual(t, len(f.laidOut), mostLaid)
}

func TestHeadOfATextIsWrappedAsAllOfIt(t *testing.T) {
	for _, s := range []string{"", "a", "one two three\n\nfour", strings.Repeat("word ", 500), strings.Repeat("日本", 400), strings.Repeat("x\n", 50)} {
		all := ink.Wrap(s, 9)
		assert.Equal(t, all[:min(len(all), 5)], wrapHead(s, 9, 5))
	}
}

func TestFullHeightShowsAllOfTitleAndOption(t *testing.T) {
	f := longForm(t)
	f.Session.Ask.Title = "A title that is longer than one row of forty cells is"
	before, _, _ := f.sheet(40)
	assert.Equal(t, f.prompt(40), before, "only the prompt, before")
	f.FullHeight()
	lines, from, to := f.sheet(40)
	assert.Contains(t, joined(lines[:from]), "A title that is longer than one row of\nforty cells is")
	assert.Equal(t, f.prompt(40), lines[from:to])
	assert.Contains(t, joined(lines[to:]), "option: label")
	assert.Contains(t, joined(lines[to:]), "end\nRuns `make deploy` and more")
}

func TestFoldedDescriptionSaysThatThereIsMore(t *testing.T) {
	f := longForm(t)
	lines := f.detail(0, 60)
	require.Len(t, lines, mostDetail)
	f.Session.Ask.Questions[0].Options[0].Label = "a"
	last := f.detail(0, 60)[mostDetail-1].styled
	assert.True(t, strings.HasSuffix(last.String(), "…"))
	assert.LessOrEqual(t, last.Width(), 60)
	assert.Equal(t, ink.Bold, styleOf(t, []ink.Line{last}, "make"))
}

func BenchmarkPromptOf32KiBOnACachedFrame(b *testing.B) {
	f := longForm(b)
	c, _ := board(b, 80, 24)
	fit := f.Fit(80, 20, 0)
	for b.Loop() {
		f.Draw(c, ink.Rect{X: 0, Y: 1, W: 80, H: 20}, fit, true)
		f.Fit(80, 20, 0)
		f.Unseen()
	}
}

func TestTheSignOfARowThatGoesOnIsNotCountedAsRead(t *testing.T) {
	f := longForm(t)
	f.Session.Ask.Prompt = "```\n" + strings.Repeat("word ", 60) + "\n```"
	last := func(w int) int { sums := f.inked(w); return sums[len(sums)-1] }
	assert.Equal(t, last(200), last(30))
}

func joined(lines []ink.Line) string {
	rows := make([]string, len(lines))
	for i, l := range lines {
		rows[i] = l.String()
	}
	return strings.Join(rows, "\n")
}

// styleOf is the style of the first span that holds the words.
func styleOf(t *testing.T, lines []ink.Line, words string) any {
	t.Helper()
	for _, l := range lines {
		for _, s := range l {
			if strings.Contains(s.Text, words) {
				return s.Style
			}
		}
	}
	require.Fail(t, "not there", words)
	return nil
}
