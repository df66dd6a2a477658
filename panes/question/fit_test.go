package question

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// many asks for two or three of n options without descriptions, below a prompt of so many lines.
func many(n, lines int) queue.Ask {
	a := endpoints()
	a.Prompt = strings.TrimSpace(strings.Repeat("One more line of it.  \n", lines))
	q := &a.Questions[0]
	q.Mode, q.Options, q.Defaults = queue.ModeMulti, nil, nil
	for i := range n {
		q.Options = append(q.Options, queue.Option{ID: fmt.Sprint(i), Label: fmt.Sprintf("option %d", i)})
	}
	return a
}

func TestHowManyToMarkAndBlankLinesComeBackWhereFoldingLeavesRows(t *testing.T) {
	b := newBench(t, 80, 30)
	b.ask(endpoints(), shop())
	picture := b.picture()
	require.NotContains(t, picture, "Cheap, but called", "the descriptions are folded")
	require.Contains(t, picture, "Which endpoints get a rate limit?\n\nTraffic", picture)
	require.Contains(t, picture, "first?\n\nMark 2 or 3 of 12. 1 marked.\n\n", picture)

	b = newBench(t, 80, 24)
	b.ask(endpoints(), shop())
	picture = b.picture()
	require.Contains(t, picture, "first?\nMark 2 or 3 of 12. 1 marked.\n", "it comes back first:\n%s", picture)
}

func TestBlankLinesGiveWayBeforeTheLineThatSaysHowManyToMark(t *testing.T) {
	b := newBench(t, 60, 20)
	b.ask(many(12, 1), shop())
	require.Contains(t, b.picture(), "limit?\nOne more line of it.\nMark 2 or 3 of 12. 0 marked.\n\n▸1", b.picture())
}

func TestALargerPaneDoesNotLoseTheLineThatSaysHowManyToMark(t *testing.T) {
	a := many(12, 1)
	for i := range a.Questions[0].Options {
		a.Questions[0].Options[i].Description = "does something or other"
	}
	b := newBench(t, 80, 24)
	b.ask(a, shop())
	require.Contains(t, b.picture(), "\nMark 2 or 3 of 12. 0 marked.\n", "the descriptions are folded")
	for h := 25; h < 40; h++ {
		b.size(80, h)
		require.Contains(t, b.picture(), "Mark 2 or 3 of 12. 0 marked.\n", "%d rows", h)
	}
	b.size(80, 30)
	title := "Which endpoints get a rate limit?"
	beside := title + strings.Repeat(" ", 79-len(title)-len("Mark 2 or 3 of 12. 0 marked.")) + "Mark 2 or 3"
	require.Contains(t, b.picture(), beside, "the descriptions have taken its row")

	a.Title = strings.Repeat("Which of all these endpoints? ", 5)
	b = newBench(t, 80, 31)
	b.ask(a, shop())
	require.NotContains(t, b.picture(), "Mark 2 or 3", "it covers nothing of a long title")
}

func TestAnArrivalTakesNoRowsThatHaveComeBack(t *testing.T) {
	b := newBench(t, 80, 27)
	b.ask(endpoints(), shop())
	before := strings.Split(b.picture(), "\n")[:20]
	for i := range 5 {
		b.ask(small(fmt.Sprintf("Question %d?", i), 900), infra())
	}
	require.Equal(t, before, strings.Split(b.picture(), "\n")[:20])
}

func TestWhereOptionsScrollAnywayThePromptKeepsAThird(t *testing.T) {
	b := newBench(t, 80, 30)
	b.ask(many(60, 3), shop())
	require.Equal(t, 3, strings.Count(b.picture(), "One more line of it."), b.picture())

	b = newBench(t, 80, 30)
	b.ask(many(60, 40), shop())
	b.picture()
	require.Equal(t, b.room.area.H/3, b.room.display().page.prompt.at.H)

	require.Contains(t, b.picture(), "\n\nMark 2 or 3 of 60. 0 marked.\n\n", "the options have plenty of rows")

	for _, size := range [][2]int{{30, 10}, {34, 12}, {40, 12}, {50, 20}} {
		b = newBench(t, size[0], size[1])
		a := many(60, 40)
		a.Questions[0].Options[0].Description = strings.Repeat("and so on ", 20)
		b.ask(a, shop())
		picture := b.picture()
		for i := range leastOptions {
			require.Contains(t, picture, fmt.Sprintf("option %d", i), picture)
		}
	}
}

func TestASmallPaneCountsTheDescriptionsItHides(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(database(), shop())
	picture := b.picture()
	require.Contains(t, picture, "\n ▼ 3 descriptions (z)\n")
	require.NotContains(t, picture, "Transactions, JSONB")
	require.Contains(t, b.footer(), "unread", "the button tells of what was not read")
	b.calm()
	b.press("n")
	b.write("stays in sight")
	require.Contains(t, b.picture(), "✎ stays in sight")
	b.press("enter", "z")
	require.NotContains(t, b.picture(), "descriptions (z)", "the text alone shows them")
	roomy := newBench(t, 80, 24)
	roomy.ask(database(), shop())
	require.Contains(t, roomy.picture(), "Transactions, JSONB")
	require.NotContains(t, roomy.picture(), "descriptions (z)")
}
