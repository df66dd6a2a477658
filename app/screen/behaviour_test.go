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

func TestEnterSendsTheOptionUnderTheDot(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("j", "enter")
	got := b.get(s.ID)
	require.Equal(t, queue.StatusSelected, got.Status())
	require.Equal(t, []string{"lite"}, got.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SurfaceDashboard, got.Outcome.Surface)
	require.Nil(t, b.form(), "nothing else is waiting")
	require.Contains(t, b.picture(), "✓ SQLite → shop · claude: sent")
}

func TestSingleSubmitAnswersWithADigitOrSpace(t *testing.T) {
	for _, key := range []string{"2", "space"} {
		b := newBench(t, 80, 24)
		s := b.ask(one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }), shop())
		b.press(key)
		require.True(t, b.get(s.ID).Pending(), "it had just appeared")
		b.calm()
		b.press(key)
		require.Equal(t, queue.StatusSelected, b.get(s.ID).Status(), key)
	}
}

func TestAnArrivalMovesNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("j")
	before := b.picture()
	for i := range 12 {
		b.ask(small("More", 30+i), infra())
	}
	after := b.picture()
	require.Equal(t, s.ID, b.shown())
	require.Equal(t, lines(before)[1:12], lines(after)[1:12], "the form keeps its rows")
	require.Contains(t, after, "⏎ send SQLite")
	require.Contains(t, after, "13 waiting")
}

func lines(s string) []string {
	var out []string
	for l := range splitLines(s) {
		out = append(out, l)
	}
	return out
}

func TestAnAnswerElsewhereLeavesTheTextAndSendsNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.write("if it is cheap")
	b.settleElsewhere(s, queue.SurfaceCLI, "lite")
	require.Contains(t, b.picture(), "\nAnswered: SQLite · on the command line")
	b.press("enter", "enter")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, "if it is cheap", b.typed())
	b.press("y")
	require.Contains(t, b.said(), "copied: if it is cheap")
	b.press("esc")
	require.Nil(t, b.form())
}

func TestATimeoutIsStoredByWhoeverNotices(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 60), infra())
	b.clock.pass(time.Minute)
	b.tick()
	b.settle()
	got := b.get(s.ID)
	require.Equal(t, queue.StatusTimeout, got.Status())
	require.Equal(t, queue.ByClock, got.Outcome.By)
	require.Empty(t, got.Outcome.Answer.Replies, "a timeout never invents an answer")
	require.Equal(t, s.Deadline, got.Outcome.At)
}

func (b *bench) fixed() *config.Settings { return &b.settings.s }

func TestDraftsAreSavedAndOfferedAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.write("half a thought")
	b.seat.SaveDraft()
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
	require.Equal(t, "q again quits; 1 question stays in the queue", b.said())
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
			require.Contains(t, said, "q again quits", name)
			require.Contains(t, b.picture(), "─ "+said, "in one row")
			b.clock.pass(gap)
			b.press("q")
			require.Equal(t, 1, stopped, "%s, %v", name, gap)
		}
	}
}

func TestWhatTheSecondPressDoesFitsARow(t *testing.T) {
	for _, words := range []string{say.AgainQuits("q", 100, say.FaceScreen), say.AgainQuitsDemo("q"),
		say.AgainLoses("q", say.FaceScreen), say.AgainLeaves("q", say.FaceScreen), say.AgainQuitsAlone("q")} {
		require.LessOrEqual(t, ink.Width(words), 80-8, words)
	}
}

func TestACallerThatIsGoneIsSaid(t *testing.T) {
	b := newBench(t, 120, 40)
	o := shop()
	o.Instance = "dead"
	s, err := b.o.Queue.Create(t.Context(), queue.Session{Ask: database(), Origin: o})
	require.NoError(t, err)
	b.settle()
	pic := b.picture()
	require.Contains(t, pic, "claude disconnected; if it asks again within 10 min it gets this answer")
	require.Contains(t, pic, "shop · claude · gone")
	b.ask(small("Deploy?", 3000), infra())
	require.NotEqual(t, s.ID, b.desk.Waiting()[0].ID, "what hurries nobody is below")
}

func TestNothingIsDrawnByTheClockWhileNothingWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	require.True(t, b.nextTick().IsZero())
	b.ask(small("Later", 7200), infra())
	b.clock.pass(time.Second) // 2h has just become 1h
	b.picture()
	require.Greater(t, b.nextTick().Sub(b.clock.now()), 30*time.Second)
}

func TestNobodyAnswersWhatCannotBeSeen(t *testing.T) {
	b := newBench(t, 29, 9)
	s := b.ask(database(), shop())
	b.picture()
	b.calm()
	b.press("enter", "x", "enter")
	require.True(t, b.get(s.ID).Pending())
}
