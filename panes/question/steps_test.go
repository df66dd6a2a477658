package question

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestAFormTakesOneAnswerAfterTheOtherAndIsReviewedBeforeItIsSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	require.Equal(t, "Next: Hashing", b.footer())
	b.press("enter", "j", "enter")
	require.Equal(t, "Next: review", b.footer())
	b.press("enter")
	require.Equal(t, "⏎ Send 3 answers", b.footer())
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending(), "the review had just appeared")
	b.calm()
	b.press("2", "G")
	require.Equal(t, "Type your answer", b.footer())
	b.press("enter")
	b.write("yescrypt")
	b.press("enter", "enter")
	b.calm()
	b.press("enter")
	got := b.stored(s.ID)
	require.Equal(t, queue.StatusSelected, got.Status())
	require.Equal(t, []string{"redis"}, got.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, "yescrypt", got.Outcome.Answer.Replies[1].Text)
	require.Empty(t, got.Outcome.Answer.Replies[1].Selected)
	require.Equal(t, []string{"ten"}, got.Outcome.Answer.Replies[2].Selected)
}

func TestTheReviewDoesNotSendWhileAQuestionIsOpen(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	b.press("right", "right", "right")
	require.Equal(t, "Next: Sessions · 3 not answered yet", b.footer())
	b.calm()
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending())
	require.Equal(t, "Next: Hashing", b.footer())
}

func TestTheReviewAnswersWhatIsRecommendedAndForgetsAllAfterAsking(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	b.press("right", "right", "right")
	b.calm()
	b.press("R")
	f := b.View().Form()
	taken, of := f.Progress()
	require.Equal(t, 2, taken, "of %d: one question recommends nothing", of)
	b.calm()
	b.press("0")
	require.Contains(t, b.Offered.In(" "), "⏎ Reset all answers and notes")
	b.press("0", "esc")
	taken, _ = f.Progress()
	require.Equal(t, 2, taken, "the key alone does nothing, however often")
	b.calm()
	b.press("0")
	b.calm()
	b.press("enter")
	taken, _ = f.Progress()
	require.Zero(t, taken)
	require.True(t, b.stored(s.ID).Pending())
}

func TestOnlyOneLateYConfirms(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(dropTable(), infra())
	b.calm()
	require.Contains(t, b.footer(), "⏎ Pick yes, drop, then confirm")
	b.press("enter", "y")
	b.calm()
	require.True(t, b.stored(s.ID).Pending(), "the confirmation had just appeared")
	b.Said = ""
	require.Contains(t, b.footer(), "Press y to confirm “yes, drop”")
	b.press("enter")
	b.calm()
	require.True(t, b.stored(s.ID).Pending(), "Enter confirms nothing")
	b.press("n")
	require.False(t, b.View().Form().Confirming())
	b.calm()
	b.press("enter")
	b.pass(time.Second)
	b.press("y")
	require.Equal(t, []string{"yes, drop"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestEscLeavesTheConfirmationAndYAfterStrayKeysIsIgnored(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(dropTable(), infra())
	b.calm()
	b.press("enter")
	b.pass(time.Second)
	b.press("l", "y")
	require.True(t, b.stored(s.ID).Pending())
	require.Equal(t, desk.ErrStray.Error(), b.footer())
	b.press("esc")
	require.False(t, b.View().Form().Confirming())
}

func TestAConfirmationThatRunsOutIsOver(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(dropTable(), infra())
	b.calm()
	b.press("enter")
	b.pass(time.Minute)
	b.View().Pressed(b.Clock.T)
	b.Desk.Tick()
	b.Calm()
	require.Equal(t, queue.StatusTimeout, b.stored(s.ID).Status())
	require.Contains(t, b.picture(), "! Timed out: no answer")
}

func TestAQuestionOfAFormIsCalledByItsFirstLineAndTheReviewUsesTheWidth(t *testing.T) {
	b := newBench(t, 80, 24)
	a := authRework()
	for i := range a.Questions {
		a.Questions[i].Header = ""
	}
	a.Questions[0].Text = "Sessions in the new store?\n\nWe have two stores already."
	b.ask(a, web())
	b.calm()
	require.Contains(t, b.picture(), "▸ Sessions in the new st… ")
	for range 3 {
		b.press("1", "enter")
		b.calm()
	}
	require.Contains(t, b.picture(), "Sessions in the new store?  ")
	require.Contains(t, b.picture(), "Which password hash for new accounts?  ")
}

func TestAQuestionsOwnContextEndsWhereThatOfAllBegins(t *testing.T) {
	b := newBench(t, 80, 24)
	a := authRework()
	a.Questions[0].Text = "Where do sessions live?\n\nIts own context."
	b.ask(a, web())
	all, own, found := strings.Cut(b.picture(), "Where do sessions live?")
	require.True(t, found)
	require.Contains(t, all, "Old hashes are upgraded")
	require.Contains(t, own, "Its own context.")
	b = newBench(t, 60, 24)
	a.Prompt = strings.Repeat(a.Prompt+"\n\n", 9)
	b.ask(a, web())
	own, all, found = strings.Cut(b.picture(), "Its own context.")
	require.True(t, found, "where it scrolls the question comes first")
	require.Contains(t, own, "Where do sessions live?")
	lines := strings.Split(all, "\n")
	require.Contains(t, lines[2], "---")
	require.Contains(t, lines[4], "Old hashes are upgraded")
	a = authRework()
	a.Prompt = a.Title
	b = newBench(t, 80, 24)
	b.ask(a, web())
	require.Equal(t, 1, strings.Count(b.picture(), a.Title+"\n")+strings.Count(b.picture(), a.Title+" "),
		"a title is not said again as if it were the context")
}
