package queue_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// ask returns a valid ask, which change may alter.
func ask(change func(a *queue.Ask, q *queue.Question)) queue.Ask {
	a := storetest.Ask()
	if change != nil {
		change(&a, &a.Questions[0])
	}
	return a
}

func TestAnAskIsRefusedWithThePathOfEachProblem(t *testing.T) {
	t.Parallel()
	type change = func(a *queue.Ask, q *queue.Question)
	for name, c := range map[string]struct {
		change change
		paths  []string
	}{
		"valid":           {nil, nil},
		"no kind":         {func(a *queue.Ask, _ *queue.Question) { a.Kind = "" }, []string{"kind"}},
		"no title":        {func(a *queue.Ask, _ *queue.Question) { a.Title = " \u200b" }, []string{"title"}},
		"title at limit":  {func(a *queue.Ask, _ *queue.Question) { a.Title = strings.Repeat("é", queue.MaxTitle) }, nil},
		"long title":      {func(a *queue.Ask, _ *queue.Question) { a.Title = strings.Repeat("é", queue.MaxTitle+1) }, []string{"title"}},
		"no prompt":       {func(a *queue.Ask, q *queue.Question) { a.Prompt, q.Text = "", "\u200b" }, []string{"prompt"}},
		"questions speak": {func(a *queue.Ask, q *queue.Question) { a.Prompt, q.Text = "", "Which?" }, nil},
		"prompt at limit": {func(a *queue.Ask, _ *queue.Question) { a.Prompt = strings.Repeat("p", queue.MaxPromptBytes) }, nil},
		"long prompt":     {func(a *queue.Ask, _ *queue.Question) { a.Prompt = strings.Repeat("p", queue.MaxPromptBytes+1) }, []string{"prompt"}},
		"broken UTF-8":    {func(a *queue.Ask, _ *queue.Question) { a.Prompt = "a\xff" }, []string{"prompt"}},
		"no time":         {func(a *queue.Ask, _ *queue.Question) { a.TimeoutSeconds = 0 }, []string{"timeout_seconds"}},
		"a day":           {func(a *queue.Ask, _ *queue.Question) { a.TimeoutSeconds = 86400 }, nil},
		"more than a day": {func(a *queue.Ask, _ *queue.Question) { a.TimeoutSeconds = 86401 }, []string{"timeout_seconds"}},
		"on timeout":      {func(a *queue.Ask, _ *queue.Question) { a.OnTimeout = "guess" }, []string{"on_timeout"}},
		"nothing asked":   {func(a *queue.Ask, _ *queue.Question) { a.Questions = nil }, []string{"questions"}},
		"question twice":  {func(a *queue.Ask, q *queue.Question) { a.Questions = append(a.Questions, *q) }, []string{"questions[1].id"}},
		"unknown mode":    {func(_ *queue.Ask, q *queue.Question) { q.Mode = "maybe" }, []string{"questions[0].mode"}},
		"no options":      {func(_ *queue.Ask, q *queue.Question) { q.Options, q.Defaults = nil, nil }, []string{"questions[0].options"}},
		"option twice":    {func(_ *queue.Ask, q *queue.Question) { q.Options[2].ID = "a" }, []string{"questions[0].options[2].id"}},
		"no option id":    {func(_ *queue.Ask, q *queue.Question) { q.Options[2].ID = "" }, []string{"questions[0].options[2].id"}},
		"no label":        {func(_ *queue.Ask, q *queue.Question) { q.Options[0].Label = "" }, []string{"questions[0].options[0].label"}},
		"unknown default": {func(_ *queue.Ask, q *queue.Question) { q.Defaults = []string{"x"} }, []string{"questions[0].defaults[0]"}},
		"default twice": {func(_ *queue.Ask, q *queue.Question) {
			q.Mode, q.Max, q.Defaults = queue.ModeMulti, 3, []string{"a", "a"}
		}, []string{"questions[0].defaults[1]"}},
		"many defaults":    {func(_ *queue.Ask, q *queue.Question) { q.Defaults = []string{"a", "b"} }, []string{"questions[0].defaults"}},
		"single of two":    {func(_ *queue.Ask, q *queue.Question) { q.Max = 2 }, []string{"questions[0].min"}},
		"min above max":    {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.Max = queue.ModeMulti, 3, 2 }, []string{"questions[0].min"}},
		"max above all":    {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Max = queue.ModeMulti, 4 }, []string{"questions[0].max"}},
		"negative min":     {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min = queue.ModeMulti, -1 }, []string{"questions[0].min"}},
		"max of none":      {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.Max = queue.ModeHybrid, 0, 0 }, []string{"questions[0].max", "questions[0].defaults"}},
		"min of none":      {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.Max = queue.ModeMulti, 0, 3 }, nil},
		"text and options": {func(_ *queue.Ask, q *queue.Question) { q.Mode = queue.ModeText }, []string{"questions[0].options", "questions[0].defaults"}},
		"placeholder":      {func(_ *queue.Ask, q *queue.Question) { q.Placeholder = "type" }, []string{"questions[0].placeholder"}},
		"submit at once":   {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Max, q.SingleSubmit = queue.ModeMulti, 3, true }, []string{"questions[0].single_submit"}},
		"radio at once":    {func(_ *queue.Ask, q *queue.Question) { q.Mode, q.Min, q.SingleSubmit = queue.ModeHybrid, 0, true }, nil},
		"all at once":      {func(a *queue.Ask, q *queue.Question) { a.Title, q.Mode, a.OnTimeout = "", "", "" }, []string{"title", "on_timeout", "questions[0].mode"}},
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			for _, p := range ask(c.change).Check() {
				paths = append(paths, p.Path)
				require.NotEmpty(t, p.Wrong)
				require.NotEmpty(t, p.Want)
			}
			if name == "max of none" { // the other problems do not matter here
				require.Contains(t, paths, c.paths[0])
				return
			}
			require.Equal(t, c.paths, paths)
		})
	}
}

func TestAnAskTooLargeInAllIsRefused(t *testing.T) {
	t.Parallel()
	a := ask(func(_ *queue.Ask, q *queue.Question) {
		for len(q.Options) < 40 {
			q.Options = append(q.Options, queue.Option{ID: queue.NewID(), Label: "x", Description: strings.Repeat("d", queue.MaxNote)})
		}
	})
	require.Len(t, a.Check(), 1)
	require.Contains(t, a.Check()[0].Wrong, "the whole ask")
}

func TestBoundsFollowTheMode(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string][2]int{
		queue.ModeSingle: {1, 1}, queue.ModeMulti: {1, 4}, queue.ModeHybrid: {0, 4}, queue.ModeText: {0, 0},
	} {
		least, most := queue.Bounds(mode, 4)
		require.Equal(t, want, [2]int{least, most}, mode)
	}
}

func TestAProblemShowsHostileValuesSafely(t *testing.T) {
	t.Parallel()
	a := ask(func(_ *queue.Ask, q *queue.Question) {
		q.Defaults = []string{"\x1b[2J\u202e" + strings.Repeat("x", 500)}
	})
	text := a.Check()[0].String()
	require.NotContains(t, text, "\x1b")
	require.NotContains(t, text, "\u202e")
	require.Less(t, len(text), 300)
}

func TestIDsAreEasyToReadAndSafeAsNames(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		id := queue.NewID()
		require.True(t, queue.ValidID(id), id)
		require.NotContains(t, id, "l")
		seen[id] = true
	}
	require.Len(t, seen, 1000)
	for _, bad := range []string{"", "k7f3m2q", "k7f3m2qxx", "K7F3M2QX", "k7f3m2q/", "../..../", "k7f3m2qi", "k7f3m2q\n"} {
		require.False(t, queue.ValidID(bad), bad)
	}
}

func TestAnyTextOfAnAskMayHoldHiddenCharacters(t *testing.T) {
	t.Parallel()
	require.False(t, ask(nil).Odd())
	for name, change := range map[string]func(a *queue.Ask, q *queue.Question){
		"title":           func(a *queue.Ask, _ *queue.Question) { a.Title += "\u202e" },
		"prompt":          func(a *queue.Ask, _ *queue.Question) { a.Prompt += "\u200b" },
		"confirm message": func(a *queue.Ask, _ *queue.Question) { a.ConfirmMessage = "\u200b" },
		"comment":         func(a *queue.Ask, _ *queue.Question) { a.Comment = "\u200b" },
		"header":          func(_ *queue.Ask, q *queue.Question) { q.Header = "\u200b" },
		"question":        func(_ *queue.Ask, q *queue.Question) { q.Text = "\u200b" },
		"placeholder":     func(_ *queue.Ask, q *queue.Question) { q.Placeholder = "\u200b" },
		"label":           func(_ *queue.Ask, q *queue.Question) { q.Options[0].Label += "\u200b" },
		"description":     func(_ *queue.Ask, q *queue.Question) { q.Options[0].Description = "\u200b" },
		"note":            func(_ *queue.Ask, q *queue.Question) { q.Options[0].Note = "\u200b" },
		"id":              func(_ *queue.Ask, q *queue.Question) { q.Options[0].ID += "\u200b" },
	} {
		require.True(t, ask(change).Odd(), name)
	}
}
