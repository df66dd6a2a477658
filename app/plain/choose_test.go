package plain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// several returns a form of three questions, the second of which has no recommendation.
func several(second string) queue.Ask {
	a := database()
	a.Questions = []queue.Question{question("q1", queue.ModeSingle), question("q2", second),
		question("q3", queue.ModeMulti)}
	return a
}

func TestLinesAnswerAllOpenQuestionsAsRecommended(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(several(queue.ModeSingle))
	b.types("2", "")
	said := b.types("all-recommended")
	require.Contains(t, said, "Review; all questions are answered:\n  1: q1: SQLite\n  2: q2: PostgreSQL\n  3: q3: PostgreSQL\n")
	require.True(t, b.get(s.ID).Pending())
	b.types("")
	require.False(t, b.get(s.ID).Pending())
}

func TestLinesSayHowManyHaveNoRecommendation(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(several(queue.ModeText))
	require.Contains(t, b.types("all-recommended"), "1 question without a recommendation.\n")
	require.True(t, b.get(s.ID).Pending())
	require.NotContains(t, b.types(""), "Sent")
}

func TestLinesStartOverAfterAsking(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(several(queue.ModeSingle))
	require.Contains(t, b.types("start-over"), "Nothing is answered yet.\n")
	b.types("", "2", "", "a because")
	require.Contains(t, b.types("start-over"), "Clear all answers and notes? Enter does, anything else keeps them.\n")
	b.types("help")
	require.Equal(t, "because", b.view.Form().CommentText(), "anything else keeps them")
	b.types("start-over")
	b.wait(desk.Settle)
	t.Log(b.types(""))
	require.Empty(t, b.view.Form().CommentText())
	require.Empty(t, b.view.Form().Question(0).Selected())
	require.True(t, b.get(s.ID).Pending())
}

func TestLinesFindOptionsWithoutLeavingOthersOut(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.news()
	require.Equal(t, "1 of 3 options:\n  2: SQLite\n     | One file\n", b.types("find one file"))
	require.Contains(t, b.types("3"), "Send DynamoDB", "all of them can be chosen")
	require.Contains(t, b.types("/ nothing"), "0 of 3 options:\n")
	b.types("cancel", "no")
	b.elsewhere(b.view.Up(), "lite")
	b.ask(one(queue.ModeText, nil))
	require.Contains(t, b.types("find x"), "There are no options to find.\n")
}

func TestACancelThatWasTakenBackLeavesNoReason(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.types("x not now", "no")
	require.Empty(t, b.view.Form().ReasonText())
	require.Contains(t, b.types("2"), "Send SQLite")
}
