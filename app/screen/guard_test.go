package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

func TestACancelThatCameTooSoonIsRememberedAsAChoiceIs(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.press("x")
	require.Equal(t, form.FieldNone, b.form().Typing())
	require.Equal(t, "x was ignored, press it again", b.footer())
	b.calm()
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())
	b.calm()
	require.Equal(t, "⏎ Send PostgreSQL  x was ignored", b.footer())
	b.press("enter")
	require.False(t, b.get(s.ID).Pending())
}

func TestTypingTheNumberAndEnterAtAnyPaceNeverSendsAnotherOption(t *testing.T) {
	for pace := 55 * time.Millisecond; pace < time.Second; pace += 35 * time.Millisecond {
		b := newBench(t, 80, 24)
		s := b.ask(database(), shop())
		for range 20 {
			if b.clock.Pass(pace); b.get(s.ID).Pending() {
				b.Key(event("2"))
				b.clock.Pass(pace)
				b.Key(event("enter"))
				b.settle()
			}
		}
		require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected, pace)
	}
}

func TestAFilterThatIsLeftChangesNoChoice(t *testing.T) {
	for _, filter := range []string{"zzz", "Post"} {
		b := newBench(t, 80, 24)
		b.ask(database(), shop())
		b.calm()
		b.press("2", "/")
		marked := b.form().Here().Selected()
		b.write(filter)
		b.press("esc")
		require.Equal(t, marked, b.form().Here().Selected(), filter)
	}
}

func TestAKeyCountsFromWhenItWasRead(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	key := event("2")
	time.Sleep(50 * time.Millisecond)
	b.clock.Pass(desk.Settle + 10*time.Millisecond) // the question was not on screen for long enough when the key was read
	b.keyboard.takeKey(key)
	require.Equal(t, "2 was ignored, press it again", b.footer())
	b.keyboard.takeKey(event("2"))
	require.Equal(t, "⏎ Send SQLite", b.footer())
}

func TestAfterJAMarkIsTakenAtOnceAndEnterAMomentLater(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.press("J", "2", "enter")
	require.True(t, b.get(second.ID).Pending())
	require.Equal(t, "Not yet: press Enter again", b.footer())
	b.calm()
	require.Equal(t, "⏎ Send SQLite", b.footer())
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.get(second.ID).Outcome.Answer.Replies[0].Selected)
}

func TestOpeningFromTheQueueNeverSubmits(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.calm()
	b.press("tab", "j")
	require.Equal(t, second.ID, b.shown())
	require.Equal(t, "Open Deploy?", b.footer())
	b.press("enter", "enter")
	require.True(t, b.get(second.ID).Pending())
	b.calm()
	b.press("enter")
	require.False(t, b.get(second.ID).Pending())
}

func TestEnterAfterStrayKeysIsTakenForTypingElsewhere(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("l", "enter")
	require.True(t, b.get(s.ID).Pending())
	require.Equal(t, "⏎ was ignored (typed too fast), press it again", b.said())
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
	require.Equal(t, "pasting needs a text field: press t, n or a first", b.said())
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
				b.clock.Pass(150 * time.Millisecond)
			}
			require.True(t, b.get(s.ID).Pending())
			require.Equal(t, "⏎ was ignored (typed too fast), press it again", b.said())
		})
	}
}

func TestAKeyThatWasUsedForWhatWasSentCountsAsTaken(t *testing.T) {
	for name, c := range map[string]struct {
		ask  queue.Ask
		keys []string
	}{
		"a cancel":              {database(), []string{"x", "~wrong", "enter"}},
		"a cancel of a hybrid":  {endpoints(), []string{"x", "~wrong", "enter"}},
		"more detail":           {database(), []string{"m", "~which?", "enter"}},
		"words that cancel":     {database(), []string{"t", "~neither", "enter"}},
		"own words":             {endpoints(), []string{"2", "t", "~another", "enter", "enter"}},
		"a note":                {database(), []string{"n", "~slowly", "enter", "enter"}},
		"a refusal with words":  {roomtest.ApproveCommand(), []string{"n", "~not now", "enter"}},
		"a cancelled approval":  {roomtest.ApproveCommand(), []string{"x", "~not now", "enter"}},
		"a question set aside":  {database(), []string{"L", "enter"}},
		"what the cursor marks": {database(), []string{"j", "enter"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			s := b.ask(c.ask, shop())
			b.calm()
			for _, key := range c.keys {
				if words, text := strings.CutPrefix(key, "~"); text {
					b.write(words)
				} else {
					b.press(key)
				}
				b.calm()
				b.calm()
			}
			if name != "a question set aside" {
				require.False(t, b.get(s.ID).Pending(), b.picture())
			}
			second := b.ask(small("Deploy?", 600), infra())
			require.Equal(t, second.ID, b.shown())
			b.calm()
			require.NotContains(t, b.footer(), "was ignored")
			b.press("enter")
			require.False(t, b.get(second.ID).Pending())
		})
	}
}

func TestTheButtonNamesEnterOnceWhereAReasonIsTypedAtOnce(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}} {
		b := newBench(t, size[0], size[1])
		b.ask(database(), shop())
		b.calm()
		for _, r := range "xwrong" {
			b.Key(event(string(r)))
		}
		require.Contains(t, b.footer(), "⏎ twice: cancel and tell claude")
		b.press("enter")
		require.Contains(t, b.footer(), map[int]string{40: "Meant for claude? ⏎ Cancel with it",
			80: "Was this meant for claude? ⏎ Cancel with it"}[size[0]])
		b.press("esc", "esc")
		b.calm()
		for _, r := range "awrong" {
			b.Key(event(string(r)))
		}
		require.Equal(t, "⏎ twice: done typing", b.footer())
		b.press("enter")
		require.Contains(t, b.footer(), "Was this meant for claude? ⏎ Add it")
		b.calm()
		b.press("enter")
		require.Equal(t, "wrong", b.form().Draft().Answer.Comment)
	}
}
