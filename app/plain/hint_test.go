package plain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAHintStandsAboveThePromptBehindTheBarOfTheAgent(t *testing.T) {
	b := newBench(t, nil)
	a := database()
	a.Prompt += "\n[WIDEN-HINT] Ask the team — press w.\n"
	s := b.ask(a)
	require.Contains(t, b.news(), "(main).\n| Ask the team — press w.\n| The order service needs transactions.\n| So I ask.\nChoose one:")
	require.Equal(t, a.Prompt, b.get(s.ID).Ask.Prompt)

	a = queue.Ask{Kind: queue.KindChoice, Title: "Two", TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone, Questions: []queue.Question{
		{ID: "a", Mode: queue.ModeText, Text: "[WIDEN-HINT] ask\nWhich name?"}, {ID: "b", Mode: queue.ModeText, Text: "And then?"}}}
	b = newBench(t, nil)
	b.ask(a)
	news := b.news()
	require.Contains(t, news, "| ask\n| Which name?\n")
	require.NotContains(t, news, "WIDEN-HINT")
}
