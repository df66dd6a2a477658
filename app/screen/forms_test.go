package screen

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

func TestScreenForm(t *testing.T) {
	atSizes(t, "form", func(b *bench) {
		b.ask(authRework(), web())
		b.ask(small("Deploy 2.4.1 to production?", 42), infra())
		b.calm()
		b.press("enter")
	})
}

func TestScreenReview(t *testing.T) {
	atSizes(t, "review", func(b *bench) {
		b.ask(authRework(), web())
		b.calm()
		b.press("n")
		b.write("only with TLS")
		b.press("enter", "enter", "enter", "t")
		b.write("10 % on Monday, the rest on Thursday")
		b.press("enter", "enter", "a")
		b.write("ship behind the flag")
		b.press("enter")
	})
}

func TestScreenConfirm(t *testing.T) {
	atSizes(t, "confirm", func(b *bench) {
		o := infra()
		o.Host, o.Pane = "build-3", "%3"
		b.ask(dropTable(), o)
		b.ask(database(), shop())
		b.clock.pass(29 * time.Second)
		b.press("enter")
	})
}

func TestAFormTakesOneAnswerAfterTheOtherAndIsReviewedBeforeItIsSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	require.Equal(t, "⏎ Redis, on to Hashing", b.foot())
	b.press("enter", "j", "enter")
	require.Equal(t, "⏎ 10 % on Monday, on to the review", b.foot())
	b.press("enter")
	require.Equal(t, "⏎ send 3 answers", b.foot())
	b.press("enter")
	require.True(t, b.get(s.ID).Pending(), "the review had just appeared")
	b.calm()
	b.press("2", "G")
	require.Equal(t, "⏎ type your words", b.foot())
	b.press("enter")
	b.write("yescrypt")
	b.press("enter", "enter")
	b.calm()
	b.press("enter")
	got := b.get(s.ID)
	require.Equal(t, queue.StatusSelected, got.Status())
	require.Equal(t, []string{"redis"}, got.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, "yescrypt", got.Outcome.Answer.Replies[1].Text)
	require.Empty(t, got.Outcome.Answer.Replies[1].Selected)
	require.Equal(t, []string{"ten"}, got.Outcome.Answer.Replies[2].Selected)
}

func TestRecommendedForAllLeavesTheQuestionsWithoutOneOpen(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(authRework(), web())
	b.calm()
	b.press("R")
	require.Equal(t, "1 question without a recommendation", b.said())
	require.Equal(t, "2 of 3 answered", b.progress())
}

func TestStartOverForgetsAllAnswers(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(authRework(), web())
	b.calm()
	b.press("enter", "enter", "enter")
	b.calm()
	b.press("0")
	require.Equal(t, "0 again forgets all answers and notes", b.said())
	b.press("0")
	require.Equal(t, "0 of 3 answered", b.progress())
	require.Equal(t, "⏎ Redis, on to Hashing", b.foot())
}

func TestAFormsDraftKeepsWhichQuestionsAreAnswered(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(authRework(), web())
	b.calm()
	b.press("j", "enter")
	draft := b.form().Draft()
	require.Equal(t, []string{"q1"}, draft.Answered)
	again := form.New(s, form.Options{Draft: &draft, Points: true})
	answered, of := again.Progress()
	require.Equal(t, "1 of 3 answered", fmt.Sprintf("%d of %d answered", answered, of))
	require.Equal(t, []string{"pg"}, again.Answer().Replies[0].Selected)
}

func TestChoosingIsNotConfirming(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(dropTable(), infra())
	b.calm()
	require.Contains(t, b.foot(), "⏎ yes, drop, then confirm")
	b.press("enter", "y")
	require.True(t, b.get(s.ID).Pending(), "the confirmation had just appeared")
	b.calm()
	require.Equal(t, "Not yet: y not taken, press it again", b.foot())
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())
	b.calm()
	require.Contains(t, b.foot(), "Enter not yet: y confirms “yes, drop”")
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())
	require.Contains(t, b.foot(), "Enter not yet: y confirms “yes, drop”")
	b.press("n")
	require.False(t, b.form().Confirming())
	b.calm()
	b.press("enter")
	b.calm()
	b.press("y", "enter")
	require.True(t, b.get(s.ID).Pending(), "the mark had just moved")
	b.calm()
	b.press("enter")
	require.Equal(t, []string{"yes, drop"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestEscLeavesTheConfirmationAndYAfterStrayKeysIsIgnored(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(dropTable(), infra())
	b.calm()
	b.press("enter")
	b.calm()
	b.press("l", "y")
	require.True(t, b.get(s.ID).Pending())
	require.Equal(t, "y not taken: that looked like typing for another pane", b.said())
	b.press("esc")
	require.False(t, b.form().Confirming())
}
