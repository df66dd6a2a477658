package question

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

func TestEnterSendsTheOptionUnderTheDot(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("j", "enter")
	got := b.stored(s.ID)
	require.Equal(t, queue.StatusSelected, got.Status())
	require.Equal(t, []string{"lite"}, got.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SurfaceDashboard, got.Outcome.Surface)
	require.Nil(t, b.View().Form(), "nothing else is waiting")
	require.Equal(t, action.PlaceEmpty, b.room.Place())
}

func TestTheEnterLineNamesTheDefaultElseTheRecommendedElseTheFirst(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*queue.Question)
		want   string
	}{
		"default": {func(q *queue.Question) { q.Defaults = []string{"dynamo"} }, "DynamoDB"},
		"recommended": {func(q *queue.Question) { q.Options[0].Recommended = false; q.Options[1].Recommended = true },
			"SQLite"},
		"first": {func(q *queue.Question) { q.Options[0].Recommended = false }, "PostgreSQL"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			b.ask(one(queue.ModeSingle, c.change), shop())
			require.Contains(t, b.footer(), "⏎ Send "+c.want)
		})
	}
}

func TestMultiMarksAreTheirOwnAndBounded(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min, q.Max, q.Defaults = 2, 2, []string{"lite"} }), shop())
	b.calm()
	require.Equal(t, "Not yet: mark 2 (1 marked)", b.footer())
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending())
	b.press("1")
	require.Equal(t, "⏎ Send 2: PostgreSQL, SQLite", b.footer())
	b.press("3")
	require.Equal(t, "2 of 2 are marked; unmark one first", b.footer())
	b.press("2", "3", "enter")
	require.Equal(t, []string{"pg", "dynamo"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected,
		"in the order of the options")
}

func TestEnterSaysThatItTakesASecondOneWithNothingMarked(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min = 0 }), shop())
	b.calm()
	b.press("enter")
	require.Equal(t, "⏎ again to send with nothing marked", b.footer())
	require.True(t, b.stored(s.ID).Pending())
	b.press("enter")
	require.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
	require.Empty(t, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestHybridWithMaxOneIsARadioWhoseTextIsARow(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeHybrid, func(q *queue.Question) { q.Max = 1 }), shop())
	b.calm()
	b.press("G")
	require.Equal(t, "Type your answer", b.footer())
	b.press("enter")
	b.write("CockroachDB")
	require.Equal(t, "⏎ Send “CockroachDB”", b.footer())
	b.press("esc")
	require.Equal(t, "⏎ Send “CockroachDB”", b.footer())
	b.press("k")
	require.Equal(t, "⏎ Send DynamoDB · your text stays, unsent", b.footer())
	b.press("enter")
	r := b.stored(s.ID).Outcome.Answer.Replies[0]
	require.Equal(t, []string{"dynamo"}, r.Selected)
	require.Empty(t, r.Text)
}

func TestATextQuestionTypesNothingUntilAsked(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.Questions = []queue.Question{{ID: "q1", Mode: queue.ModeText}}
	s := b.ask(a, shop())
	b.calm()
	b.press("l")
	require.Equal(t, form.FieldNone, b.View().Form().Typing())
	b.calm()
	b.press("enter")
	b.write("two words")
	b.press("ctrl+j")
	b.write("and a line")
	b.press("enter", "enter")
	got := b.stored(s.ID)
	require.Equal(t, queue.StatusCustom, got.Status())
	require.Equal(t, "two words\nand a line", got.Outcome.Answer.Replies[0].Text)
}

func TestSingleSubmitAnswersWithADigitOrSpace(t *testing.T) {
	for _, key := range []string{"2", "space"} {
		b := newBench(t, 80, 24)
		s := b.ask(one(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true }), shop())
		b.press(key)
		require.True(t, b.stored(s.ID).Pending(), "it had just appeared")
		b.calm()
		b.press(key)
		require.Equal(t, queue.StatusSelected, b.stored(s.ID).Status(), key)
	}
}

func TestTheEnterLineNamesTheNoteAndTheCommentThatItSends(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.write("managed only")
	b.press("enter", "a")
	b.write("ship on Friday")
	b.press("esc")
	require.Equal(t, "⏎ Send PostgreSQL + “managed only” + comment", b.footer())
	b.press("enter")
	a := b.stored(s.ID).Outcome.Answer
	require.Equal(t, "managed only", a.Replies[0].Notes["pg"])
	require.Equal(t, "ship on Friday", a.Comment)
}

func TestCancelAsksForAReasonFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("x", "esc")
	require.True(t, b.stored(s.ID).Pending(), "Esc keeps the question")
	b.press("x", "down", "enter")
	got := b.stored(s.ID)
	require.Equal(t, queue.StatusCancelled, got.Status())
	require.Equal(t, say.SuggestedReasons[0], got.Outcome.Reason)
}

func TestKeysAreIgnoredJustAfterAQuestionAppeared(t *testing.T) {
	b := newBench(t, 80, 24)
	first := b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.press("enter")
	require.True(t, b.stored(first.ID).Pending())
	require.Equal(t, desk.ErrEarly.Error(), b.Said)
	b.Said = ""
	require.Equal(t, "Not yet: press Enter again", b.footer())
	b.calm()
	require.Equal(t, "⏎ Send PostgreSQL", b.footer())
	b.press("enter", "enter") // the person's own Enter brings the second one up
	require.False(t, b.stored(first.ID).Pending())
	require.True(t, b.stored(second.ID).Pending())
	require.Equal(t, second.ID, b.View().Up())
	b.calm()
	b.press("enter")
	require.False(t, b.stored(second.ID).Pending())
}

func TestAChoiceThatCameTooSoonIsRememberedAndEnterAsksForItFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.press("2")
	b.Said = ""
	require.Equal(t, []string{"pg"}, b.View().Form().Here().Selected())
	require.Equal(t, "2 was ignored, press it again", b.footer())
	b.pass(time.Minute)
	require.Equal(t, "2 was ignored, press it again", b.footer(), "time alone does not clear it")
	b.press("enter")
	b.Said = ""
	require.True(t, b.stored(s.ID).Pending())
	require.Equal(t, "2 was ignored, press it again", b.footer())
	b.calm()
	require.Equal(t, "⏎ Send PostgreSQL  2 was ignored", b.footer())
	b.press("enter")
	require.Equal(t, "pg", b.answered(s.ID))
}

func TestTheChoiceMadeAgainIsSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.press("2")
	b.calm()
	b.press("2")
	require.Equal(t, "⏎ Send SQLite", b.footer())
	b.press("enter")
	require.Equal(t, "lite", b.answered(s.ID))
}

func TestADigitWithoutAnOptionKeepsTheNextEnterFromSending(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("7")
	require.Equal(t, "there is no option 7 here", b.Said)
	b.Said = ""
	require.Equal(t, "7 was ignored (there is no option 7 here)", b.footer())
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending())
	b.press("2", "enter")
	require.Equal(t, "lite", b.answered(s.ID), "the choice that was made instead")
}

func TestWhereSeveralAreMarkedOnlyTheSameKeyMakesUpForOneThatWasNotTaken(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(one(queue.ModeMulti, nil), shop())
	b.press("2")
	b.calm()
	b.press("1")
	require.Equal(t, []string{"pg"}, b.View().Form().Here().Selected())
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending(), "2 is missing")
	b.press("2", "enter")
	require.Equal(t, []string{"pg", "lite"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestWhatThePersonBroughtUpIsMarkedAtOnceAndSentAMomentLater(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	second := b.ask(small("Deploy?", 600), infra())
	b.press("J", "2", "enter")
	require.True(t, b.stored(second.ID).Pending())
	require.Equal(t, []string{"lite"}, b.View().Form().Here().Selected())
	b.calm()
	b.press("enter")
	require.Equal(t, "lite", b.answered(second.ID))
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
	require.Equal(t, s.ID, b.View().Up())
	require.Equal(t, strings.Split(before, "\n")[1:12], strings.Split(after, "\n")[1:12], "the form keeps its rows")
	require.Contains(t, after, "⏎ Send SQLite")
}

func TestAnAnswerElsewhereLeavesTheTextAndSendsNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("n")
	b.write("if it is cheap")
	b.SettleElsewhere(s, queue.SurfaceCLI, "lite")
	require.Contains(t, b.picture(), "\nAnswered: SQLite · on the command line")
	b.press("enter", "enter")
	require.Equal(t, []string{"lite"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
	require.Equal(t, []string{"if it is cheap"}, b.View().Form().Typed())
	b.press("y")
	require.Equal(t, "if it is cheap", b.Copied)
	b.press("esc")
	require.Nil(t, b.View().Form())
}

func TestUnderAMinuteTheEnterLineSaysWhatTheClockWillDo(t *testing.T) {
	b := newBench(t, 80, 24)
	a := small("Deploy?", 50)
	b.ask(a, infra())
	require.Contains(t, b.footer(), "⏎ Send PostgreSQL · expires at 0:00")
	a = small("Deploy again?", 30)
	a.OnTimeout, a.Questions[0].Defaults = queue.OnTimeoutDefaults, []string{"lite"}
	b.ask(a, infra())
	b.press("K")
	require.Contains(t, b.footer(), "⏎ Send SQLite · at 0:00 sends SQLite")
}

func TestTypingHoldsTheClock(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 60), infra())
	b.pass(20 * time.Second)
	b.press("n")
	b.write("hm")
	require.Equal(t, b.Clock.T.Add(time.Minute), b.stored(s.ID).Deadline)
	require.Contains(t, b.picture(), "1:00 extended")
}

func TestPlusAndMinusMoveTheDeadlineNeverUnderAMinute(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 100), infra())
	b.press("+")
	require.Equal(t, 160*time.Second, b.stored(s.ID).Deadline.Sub(b.Clock.T))
	b.press("-", "-")
	require.Equal(t, time.Minute, b.stored(s.ID).Deadline.Sub(b.Clock.T))
	b.press("-")
	require.Equal(t, "- needs more than 1:00 left", b.footer())
}

func TestAHiddenOptionStaysHiddenAndAHiddenDefaultSelected(t *testing.T) {
	b := newBench(t, 80, 24)
	b.set(func(s *config.Settings) {
		s.HiddenOptions = []config.HiddenOption{{Client: "claude-code", ID: "lite", Label: "SQLite"}}
	})
	s := b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Defaults = []string{"lite"} }), shop())
	b.calm()
	require.NotContains(t, b.picture(), "2 □ SQLite")
	require.Contains(t, b.picture(), "1 marked. 1 of them hidden (v).")
	b.press("v")
	require.Contains(t, b.picture(), "2 ■ SQLite")
	b.press("enter")
	require.Equal(t, []string{"lite"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestAnAnswerThatCannotBeStoredStaysOnTheFormAndIsTriedAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Disk.Err = errors.New("no space left on device")
	s := b.ask(database(), shop())
	b.calm()
	b.press("enter")
	require.Equal(t, s.ID, b.View().Up())
	require.Equal(t, "your answer is not saved yet, trying again: the disk is full", b.footer())
	b.Disk.Err = nil
	b.Pass(desk.RetryIn)
	require.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
	require.Nil(t, b.View().Form())
}

func TestAnAnswerOnItsWayToAHostIsShownAsBeingSent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	s.Origin.Host, s.Origin.Remote = "build1", true
	s.Revision++
	b.Desk.Take(queue.Changes{Sessions: []queue.Session{s}}, nil)
	b.calm()
	require.Contains(t, b.footer(), "Send PostgreSQL")
	b.key("enter") // the worker has not run yet
	require.Equal(t, "sending to build1 …", b.footer())
}

func TestSpaceInARadioSaysWhatAnswers(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.press("space")
	require.Equal(t, "⏎ sends the option under the cursor", b.footer())
	b.ask(one(queue.ModeHybrid, nil), infra())
	b.press("J", "G", "space")
	require.Equal(t, "there is nothing to mark here; t types your words", b.footer())
}

func TestTheKeyForRecommendedChangesWhatEnterSends(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.press("G", "r")
	require.Equal(t, "⏎ Send PostgreSQL", b.footer())
	b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Options[2].Recommended = true }), infra())
	b.press("J", "2", "r")
	require.Equal(t, "⏎ Send 3: PostgreSQL, SQLite, DynamoDB", b.footer(), "what is marked by hand stays")
}

func TestThatEnterIsPressedTwiceIsSaidInASentence(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(one(queue.ModeMulti, func(q *queue.Question) { q.Min = 0 }), shop())
	b.calm()
	require.Equal(t, "⏎ twice sends with nothing marked", b.footer())
}

func TestACancelOfAnApprovalWithoutWordsSaysThatTheAgentAsksByItself(t *testing.T) {
	b := newBench(t, 80, 24)
	a := roomtest.ApproveDiff()
	for i := range a.Questions {
		a.Questions[i].Annotate = true
	}
	from := shop()
	from.Dialect = queue.DialectNative
	b.ask(a, from)
	b.calm()
	b.press("x")
	require.Equal(t, "⏎ Leave it to claude", b.footer())
	b.write("stop here")
	require.Equal(t, "⏎ Refuse and tell claude", b.footer())
}

func TestAKeyOfTheAnswerThatIsRefusedKeepsTheFormItsOwnAllTheSame(t *testing.T) {
	for _, key := range []string{"space", "9"} {
		b := newBench(t, 80, 24)
		s := b.ask(database(), shop())
		b.calm()
		b.press(key)
		require.NotEmpty(t, b.Said, key)
		b.draftElsewhere(s, "form", "lite")
		b.Calm()
		require.Equal(t, []string{"pg"}, b.View().Form().Answer().Replies[0].Selected, key)
	}
}
