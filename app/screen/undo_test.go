package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func newBenchHolding(t *testing.T, w, h int) *bench {
	b := newBench(t, w, h)
	b.settings.S.UndoSeconds = 3
	b.desk.SetSettings(b.settings.S)
	return b
}

func TestTheRuleCountsDownAnAnswerThatIsHeldBackAndSaysHowToTakeItBack(t *testing.T) {
	for w, words := range map[int]string{30: "sends Pos… in %s · u back", 40: "sends PostgreSQL in %s · u back",
		80: "sends PostgreSQL in %s · u takes it back", 120: "sends PostgreSQL in %s · u takes it back"} {
		b := newBenchHolding(t, w, 24)
		s := b.ask(database(), shop())
		next := b.ask(small("Deploy?", 900), infra())
		b.calm()
		b.press("enter")
		require.Equal(t, next.ID, b.view.Up(), "the next question comes up")
		require.Contains(t, b.picture(), strings.Replace(words, "%s", "3 s", 1), "%d cells", w)
		require.NotContains(t, b.picture(), "✓")
		require.False(t, b.Screen.nextTick().After(b.clock.T.Add(time.Second)), "the clock counts it down")
		b.clock.Pass(2 * time.Second)
		require.Contains(t, b.picture(), strings.Replace(words, "%s", "1 s", 1), "%d cells", w)
		b.press("u")
		require.Equal(t, s.ID, b.view.Up())
		require.Equal(t, "taken back; nothing was sent", b.said())
		require.NotContains(t, b.picture(), "sends PostgreSQL")
		b.calm()
		b.press("enter")
		b.clock.Pass(3 * time.Second)
		b.Screen.tick()
		b.settle()
		require.False(t, b.get(s.ID).Pending())
		require.Contains(t, b.picture(), "✓")
	}
}

func TestAHeldAnswerIsTakenBackFromTheQueueToo(t *testing.T) {
	b := newBenchHolding(t, 80, 24)
	s := b.ask(database(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.press("enter", "tab", "u")
	require.Equal(t, s.ID, b.view.Up())
	b.clock.Pass(time.Minute)
	b.Screen.tick()
	b.settle()
	require.True(t, b.get(s.ID).Pending())
}

func TestTheQueueSaysUntilWhenAQuestionIsSetAside(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.ask(small("Deploy?", 900), infra())
	b.calm()
	b.press("L")
	b.calm()
	b.press("enter")
	until, aside := b.get(s.ID).AsideUntil(b.clock.T)
	require.True(t, aside)
	require.Contains(t, b.picture(), "later "+until.Local().Format("15:04"))
	require.True(t, strings.Contains(lines(b.picture())[1], "Deploy?"), "the next question comes up")
	b.press("h", "esc")
	require.Equal(t, queue.StandingLater, b.desk.Waiting()[1].Standing)
	b.press("J")
	b.calm()
	require.Contains(t, b.picture(), "L bring it back")
	b.press("L")
	_, aside = b.get(s.ID).AsideUntil(b.clock.T)
	require.False(t, aside)
	require.Contains(t, b.picture(), "the question is back")
	require.Equal(t, s.ID, b.view.Up())
}

func TestTheKeyThatPutAQuestionOffBringsItBackFromTheCalmScreen(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("L")
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "later, back at ")
	b.press("L")
	_, aside := b.get(s.ID).AsideUntil(b.clock.T)
	require.False(t, aside)
	require.Contains(t, b.picture(), "PostgreSQL")
}
