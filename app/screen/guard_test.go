package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

func TestKeysAreIgnoredJustAfterAQuestionAppeared(t *testing.T) {
	b := newBench(t, 80, 24)
	first := b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.press("enter")
	require.True(t, b.get(first.ID).Pending())
	require.Equal(t, "ignored ⏎: this had just appeared, press again", b.said())
	b.calm()
	b.press("enter", "enter") // the person's own Enter brings the second one up
	require.False(t, b.get(first.ID).Pending())
	require.True(t, b.get(second.ID).Pending())
	require.Equal(t, second.ID, b.shown())
	b.press("x")
	require.Equal(t, form.FieldNone, b.form().Typing(), "cancel is guarded too")
	b.calm()
	b.press("enter")
	require.False(t, b.get(second.ID).Pending())
}

func TestWhatThePersonPickedNeedsNoWait(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.press("J", "enter")
	require.False(t, b.get(second.ID).Pending())
}

func TestOpeningFromTheQueueNeverSubmits(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.calm()
	b.press("tab", "j")
	require.Equal(t, second.ID, b.shown())
	require.Equal(t, "⏎ open Deploy?", b.foot())
	b.press("enter")
	require.True(t, b.get(second.ID).Pending())
	b.press("enter")
	require.False(t, b.get(second.ID).Pending())
}

func TestEnterAfterStrayKeysIsTakenForTypingElsewhere(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("l", "enter")
	require.True(t, b.get(s.ID).Pending())
	require.Equal(t, "ignored ⏎: that looked like typing for another pane", b.said())
	b.calm()
	b.press("enter")
	require.False(t, b.get(s.ID).Pending())
}

func TestKeysOfTheTableNeverCountAsStray(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("esc", "space", "k", "k", "enter") // Esc at the top, space in single, motions at an end
	require.False(t, b.get(s.ID).Pending())
}

func TestPasteOutsideATextFieldDoesNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.Paste("x\ny\n")
	b.settle()
	require.Equal(t, "paste goes into text: press t, n or a first", b.said())
	require.True(t, b.get(s.ID).Pending())
	b.press("n")
	b.Paste("a\r\nb\rc\x1b[31m")
	require.Equal(t, "a\nb\nc[31m", b.room().Field().Text())
}

func TestAQuitThatAnotherKeyOvertakesCountsAsTyping(t *testing.T) {
	for name, ask := range map[string]queue.Ask{"single": database(), "hybrid": endpoints()} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			s := b.ask(ask, shop())
			b.calm()
			for _, key := range []string{"q", "space", "q", "enter"} {
				b.press(key)
				b.clock.pass(150 * time.Millisecond)
			}
			require.True(t, b.get(s.ID).Pending())
			require.Equal(t, "ignored ⏎: that looked like typing for another pane", b.said())
		})
	}
}
