package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/question"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
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
	require.Nil(t, b.form(), "nothing else waits")
	require.Contains(t, b.picture(), "✓ SQLite → shop · claude: sent")
}

func TestTheDotStartsOnTheDefaultElseTheRecommendedElseTheFirst(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*queue.Question)
		want   string
	}{
		"default": {func(q *queue.Question) { q.Defaults = []string{"dynamo"} }, "DynamoDB"},
		"recommended": {func(q *queue.Question) {
			q.Options[0].Recommended, q.Options[1].Recommended = false, true
		}, "SQLite"},
		"first": {func(q *queue.Question) { q.Options[0].Recommended = false }, "PostgreSQL"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			b.ask(one(queue.ModeSingle, c.change), shop())
			require.Contains(t, b.foot(), "⏎ send "+c.want)
		})
	}
}

func TestMultiMarksAreTheirOwnAndBounded(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) {
		q.Min, q.Max, q.Defaults = 2, 2, []string{"lite"}
	}), shop())
	b.calm()
	require.Equal(t, "⏎ mark 1 more · 1 marked, 2 wanted", b.foot())
	b.press("enter")
	require.True(t, b.get(s.ID).Pending())
	b.press("1")
	require.Equal(t, "⏎ send 2: PostgreSQL, SQLite", b.foot())
	b.press("3")
	require.Equal(t, "2 of 2 marked: unmark one first", b.foot())
	b.press("2", "3", "enter")
	selected := b.get(s.ID).Outcome.Answer.Replies[0].Selected
	require.Equal(t, []string{"pg", "dynamo"}, selected, "in the order of the options")
}

func TestNothingMarkedWhereAllowedTakesEnterTwice(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min = 0 }), shop())
	b.calm()
	b.press("enter")
	require.Equal(t, "⏎ again to send nothing marked", b.foot())
	require.True(t, b.get(s.ID).Pending())
	b.press("enter")
	require.Equal(t, queue.StatusSelected, b.get(s.ID).Status())
	require.Empty(t, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestHybridWithMaxOneIsARadioWhoseTextIsARow(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }), shop())
	b.calm()
	b.press("G")
	require.Equal(t, "⏎ type your words", b.foot())
	b.press("enter")
	b.write("CockroachDB")
	b.press("enter")
	require.Equal(t, "⏎ send your words", b.foot())
	b.press("k")
	require.Equal(t, "⏎ send DynamoDB · your words stay, unsent", b.foot())
	b.press("enter")
	r := b.get(s.ID).Outcome.Answer.Replies[0]
	require.Equal(t, []string{"dynamo"}, r.Selected)
	require.Empty(t, r.Text)
}

func TestATextQuestionTypesNothingUntilAsked(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.Questions = []queue.Question{{ID: "q1", Mode: queue.ModeText}}
	s := b.ask(a, shop())
	b.calm()
	b.press("w")
	require.Equal(t, form.FieldNone, b.form().Typing())
	b.calm()
	b.press("enter")
	b.write("two words")
	b.press("ctrl+j")
	b.write("and a line")
	b.press("enter", "enter")
	got := b.get(s.ID)
	require.Equal(t, queue.StatusCustom, got.Status())
	require.Equal(t, "two words\nand a line", got.Outcome.Answer.Replies[0].Text)
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

func TestNotesAndCommentGoWithTheAnswer(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.write("managed only")
	b.press("enter", "a")
	b.write("ship on Friday")
	b.press("esc")
	require.Equal(t, "⏎ send PostgreSQL + note + comment", b.foot())
	b.press("enter")
	a := b.get(s.ID).Outcome.Answer
	require.Equal(t, "managed only", a.Replies[0].Notes["pg"])
	require.Equal(t, "ship on Friday", a.Comment)
}

func TestCancelAsksForAReasonFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("x", "esc")
	require.True(t, b.get(s.ID).Pending(), "Esc keeps the question")
	b.press("x", "down", "enter")
	got := b.get(s.ID)
	require.Equal(t, queue.StatusCancelled, got.Status())
	require.Equal(t, question.ReadyReasons[0], got.Outcome.Reason)
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
	require.Contains(t, after, "13 wait")
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
	require.Contains(t, b.picture(), "! Answered: SQLite · on the command line")
	b.press("enter", "enter")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, "if it is cheap", b.typed())
	b.press("y")
	require.Contains(t, b.foot(), "copied: if it is cheap")
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

func TestUnderAMinuteTheEnterLineSaysWhatTheClockWillDo(t *testing.T) {
	b := newBench(t, 80, 24)
	a := small("Deploy?", 50)
	b.ask(a, infra())
	require.Contains(t, b.foot(), "⏎ send PostgreSQL · at 0:00 no answer")
	a = small("Deploy again?", 30)
	a.OnTimeout, a.Questions[0].Defaults = queue.OnTimeoutDefaults, []string{"lite"}
	b.ask(a, infra())
	b.press("K")
	require.Contains(t, b.foot(), "⏎ send SQLite · at 0:00 sends SQLite")
}

func TestTypingHoldsTheClock(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 60), infra())
	b.clock.pass(20 * time.Second)
	b.press("n")
	b.write("hm")
	require.Equal(t, b.clock.now().Add(time.Minute), b.get(s.ID).Deadline)
	require.Contains(t, b.picture(), "1:00 held")
	b.fixed().HoldWhileTyping = false
	b.newSettings()
	b.clock.pass(30 * time.Second)
	b.write("m")
	require.Equal(t, 30*time.Second, b.get(s.ID).Deadline.Sub(b.clock.now()))
}

func (b *bench) fixed() *config.Settings { return &b.settings.s }

func TestPlusAndMinusMoveTheDeadlineNeverUnderAMinute(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 100), infra())
	b.press("+")
	require.Equal(t, 160*time.Second, b.get(s.ID).Deadline.Sub(b.clock.now()))
	b.press("-", "-")
	require.Equal(t, time.Minute, b.get(s.ID).Deadline.Sub(b.clock.now()))
	b.press("-")
	require.Equal(t, "- never goes under 1:00", b.foot())
}

func TestDraftsAreSavedAndOfferedAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
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
	require.Equal(t, "q again quits; 1 question stays in the queue", b.foot())
	b.press("j", "q")
	require.Zero(t, stopped, "another key in between starts over")
	b.press("esc", "esc")
	require.Zero(t, stopped, "Esc never quits")
	b.press("q", "q")
	require.Equal(t, 1, stopped)
}

func TestACallerThatIsGoneIsSaid(t *testing.T) {
	b := newBench(t, 120, 40)
	o := shop()
	o.Instance = "dead"
	s, err := b.o.Queue.Create(t.Context(), queue.Session{Ask: database(), Origin: o})
	require.NoError(t, err)
	b.settle()
	pic := b.picture()
	require.Contains(t, pic, "claude is gone; your answer is kept 24 h for the same ask")
	require.Contains(t, pic, "shop · claude · gone")
	b.ask(small("Deploy?", 3000), infra())
	require.NotEqual(t, s.ID, b.desk.Waiting()[0].ID, "what hurries nobody is below")
}

func TestAHiddenOptionStaysHiddenAndAHiddenDefaultSelected(t *testing.T) {
	b := newBench(t, 80, 24)
	b.fixed().HiddenOptions = []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	b.newSettings()
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Defaults = []string{"lite"} }), shop())
	b.calm()
	require.NotContains(t, b.picture(), "2 □ SQLite")
	require.Contains(t, b.picture(), "1 marked. 1 of them hidden (v).")
	b.press("v")
	require.Contains(t, b.picture(), "2 ■ SQLite")
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.get(s.ID).Outcome.Answer.Replies[0].Selected)
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
