package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

func hybrid() queue.Ask {
	a := database()
	a.Questions[0].Mode, a.Questions[0].Min = queue.ModeHybrid, 0
	return a
}

// control gives a control key while typing.
func (b *bench) control(k tcell.Key) {
	b.Key(tcell.NewEventKey(k, 0, tcell.ModNone))
	b.settle()
}

func TestUndoNeverBelongsToTheShellWhileTyping(t *testing.T) {
	b := newBench(t, 60, 20)
	b.ask(hybrid(), shop())
	b.clock.Pass(time.Second)
	for _, key := range []string{"t", "a", "n", "x", "/"} {
		b.press("up", "up", "up", key)
		require.NotNil(t, b.room().Field(), key)
		before := b.room().Field().Text()
		b.write("ab")
		require.Equal(t, before+"ab", b.room().Field().Text(), key)
		b.control(tcell.KeyCtrlZ) // without a terminal, suspending would change nothing
		require.NotNil(t, b.room().Field(), key)
		require.Equal(t, before, b.room().Field().Text(), key)
		b.press("esc")
	}
}

func TestTypedWordsOutlastAPaneTooSmallToDrawThem(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(hybrid(), shop())
	b.clock.Pass(time.Second)
	b.press("t")
	b.write("before ")
	b.screen.SetSize(20, 5)
	b.picture()
	b.write("lost")
	b.screen.SetSize(34, 12)
	b.picture()
	b.write("after")
	require.Equal(t, "before after", b.form().Draft().Answer.Replies[0].Text)
}

// asksForWords waits until a question that takes only words counts what is typed.
func (b *bench) asksForWords() queue.Session {
	s := b.ask(one(queue.ModeText, func(q *queue.Question) { q.Options = nil }), shop())
	b.calm()
	return s
}

func TestAQuestionThatTakesOnlyWordsIsTypedIntoAtOnce(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.asksForWords()
	for _, r := range "xylem" {
		b.Key(event(string(r)))
	}
	require.Equal(t, "xylem", b.typed())
	b.press("enter")
	require.True(t, b.get(s.ID).Pending(), "it may have been meant for another pane")
	b.calm()
	b.press("enter")
	b.calm()
	b.press("enter")
	b.settle()
	require.Equal(t, "xylem", b.get(s.ID).Outcome.Answer.Replies[0].Text)
}

func TestEscMakesLettersKeysOfAQuestionThatTakesOnlyWords(t *testing.T) {
	b := newBench(t, 80, 24)
	b.asksForWords()
	b.press("esc", "x")
	require.Contains(t, b.footer(), "Cancel")
	require.Empty(t, b.form().Here().Words())
}

func TestAnyCharacterBeginsAnAnswerThatIsOnlyWords(t *testing.T) {
	for _, text := range []string{"-5", "/usr/local", ".env", "#12", "~/x", "Jenkins", "Kafka", "quit"} {
		b := newBench(t, 80, 24)
		b.asksForWords()
		b.ask(database(), infra())
		for _, r := range text {
			b.clock.Pass(desk.Pause)
			b.Key(event(string(r)))
		}
		require.Equal(t, text, b.typed())
	}
}

func TestWhoStepsThroughTheQueueStepsOnFromAQuestionThatTakesOnlyWords(t *testing.T) {
	b := newBench(t, 80, 24)
	first := b.ask(database(), shop())
	b.calm()
	b.asksForWords()
	last := b.ask(small("Deploy?", 600), infra())
	b.press("J", "J")
	require.Equal(t, last.ID, b.shown())
	b.press("K", "K")
	require.Equal(t, first.ID, b.shown())
	b.press("J", "esc", "J")
	require.Equal(t, last.ID, b.shown())
}

func TestEachQuestionOfAFormThatTakesOnlyWordsIsTypedIntoAtOnce(t *testing.T) {
	b := newBench(t, 80, 24)
	a := one(queue.ModeText, func(q *queue.Question) { q.Options = nil })
	second := a.Questions[0]
	second.ID = "q2"
	a.Questions = append(a.Questions, second)
	b.ask(a, shop())
	b.calm()
	for _, text := range []string{"web", "xml"} {
		for _, r := range text {
			b.clock.Pass(desk.Pause)
			b.Key(event(string(r)))
		}
		require.Equal(t, form.FieldText, b.form().Typing(), text)
		require.Contains(t, strings.Split(b.typed(), "\n\n"), text)
		for at := b.form().At(); b.form().At() == at && !b.form().Reviewing(); {
			b.calm()
			b.press("enter")
		}
		b.calm()
	}
	require.True(t, b.form().Reviewing())
}

func TestTheFirstLetterOfAnAnswerThatIsTypedTooSoonIsNotTaken(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(one(queue.ModeText, func(q *queue.Question) { q.Options = nil }), shop())
	b.press("h")
	require.Equal(t, form.FieldNone, b.form().Typing())
	require.Contains(t, b.footer(), "h was ignored")
}
