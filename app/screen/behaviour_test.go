package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func lines(s string) []string {
	var out []string
	for l := range splitLines(s) {
		out = append(out, l)
	}
	return out
}

func TestATimeoutIsStoredByWhoeverNotices(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 60), infra())
	b.clock.Pass(time.Minute)
	b.tick()
	b.settle()
	got := b.get(s.ID)
	require.Equal(t, queue.StatusTimeout, got.Status())
	require.Equal(t, queue.ByClock, got.Outcome.By)
	require.Empty(t, got.Outcome.Answer.Replies, "a timeout never invents an answer")
	require.Equal(t, s.Deadline, got.Outcome.At)
}

func (b *bench) fixed() *config.Settings { return &b.settings.S }

func TestDraftsAreSavedAndOfferedAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.write("half a thought")
	b.view.SaveDraft()
	b.settle()
	drafts, err := b.o.Queue.Store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "half a thought", drafts[0].Answer.Replies[0].Notes["pg"])

	other := b.beside("other")
	require.Equal(t, "half a thought", other.typed())
}

func TestQuittingTakesTwoPressesWhileSomethingWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	stopped := 0
	b.stop = func() { stopped++ }
	b.ask(database(), shop())
	b.press("q")
	require.Equal(t, "press q again to quit; 1 question stays in the queue", b.said())
	b.press("j", "q")
	require.Zero(t, stopped, "another key in between starts over")
	b.press("esc", "esc")
	require.Zero(t, stopped, "Esc never quits")
	b.press("q")
	b.press("n")
	b.press("esc", "q")
	require.Zero(t, stopped)
	b.press("q")
	require.Equal(t, 1, stopped)
}

func TestTheSecondPressQuitsAtAnyRhythm(t *testing.T) {
	for _, gap := range []time.Duration{0, 50 * time.Millisecond, 300 * time.Millisecond, time.Second, time.Minute} {
		for name, ask := range map[string]func(b *bench){
			"a question":       func(b *bench) { b.ask(database(), shop()) },
			"the queue":        func(b *bench) { b.ask(database(), shop()); b.ask(small("Deploy?", 900), infra()); b.press("tab") },
			"the empty screen": func(*bench) {},
		} {
			b := newBench(t, 80, 24)
			stopped := 0
			b.stop = func() { stopped++ }
			ask(b)
			b.press("q")
			require.Zero(t, stopped, name)
			said := b.said()
			require.Contains(t, said, "press q again to quit", name)
			require.Contains(t, b.picture(), "─ "+said, "in one row")
			b.clock.Pass(gap)
			b.press("q")
			require.Equal(t, 1, stopped, "%s, %v", name, gap)
		}
	}
}

func TestWhatTheSecondPressDoesFitsARow(t *testing.T) {
	for _, words := range []string{say.AgainQuits("q", 100, 0, say.OnScreen),
		say.AgainQuits("q", 0, 0, say.OnScreen) + "; the demo saves nothing",
		say.AgainLoses("q", say.OnScreen), say.AgainLeaves("q", say.OnScreen), say.AgainQuits("q", 0, 0, say.OnScreen)} {
		require.LessOrEqual(t, ink.Width(words), 80-8, words)
	}
}

func TestNothingIsDrawnByTheClockWhileNothingWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	require.True(t, b.nextTick().IsZero())
	b.ask(small("Later", 7200), infra())
	b.clock.Pass(time.Second) // 2h has just become 1h
	b.picture()
	require.Greater(t, b.nextTick().Sub(b.clock.Now()), 30*time.Second)
}

func TestNobodyAnswersWhatCannotBeSeen(t *testing.T) {
	b := newBench(t, 29, 9)
	s := b.ask(database(), shop())
	b.picture()
	b.calm()
	b.press("enter", "x", "enter")
	require.True(t, b.get(s.ID).Pending())
}
