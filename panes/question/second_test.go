package question

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestMoreDetailEndsTheQuestionWithWhatThePersonWantsToKnow(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("m")
	require.Equal(t, action.PlaceReason, b.room.Place())
	require.Contains(t, b.picture(), "m more detail · what do you want to know (optional):")
	require.Equal(t, "⏎ Ask claude for more detail", b.footer())
	require.Contains(t, b.picture(), "Esc back")
	b.press("esc")
	require.True(t, b.stored(s.ID).Pending())
	b.press("m", "down", "enter")
	got := b.stored(s.ID).Outcome
	require.Equal(t, queue.StatusCancelled, got.Status)
	require.Equal(t, queue.ReasonMoreDetail, got.ReasonCode)
	require.Equal(t, "what each option costs and risks", got.Reason)
}

func TestTheRuleOverAQuestionSaysThatMoreDetailWasAskedFor(t *testing.T) {
	for w, says := range map[int]string{30: " more detail 14:", 40: " more detail 14:", 80: " asked for more detail 14:",
		120: " asked for more detail 14:"} {
		b := newBench(t, w, 24)
		s := b.ask(database(), shop())
		_, err := b.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
			Do: queue.Cancel{Reason: "the cost", Code: queue.ReasonMoreDetail}})
		require.NoError(t, err)
		b.Calm()
		rule := strings.Split(b.picture(), "\n")[0]
		require.Contains(t, rule, says, "%d cells", w)
		require.Contains(t, rule, "shop", "%d cells", w)
	}
}

func TestMoreDetailOnAFormSaysThatItEndsAllOfIt(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(three(), shop())
	b.calm()
	b.press("1", "enter", "m")
	require.Equal(t, "⏎ Ask claude for more detail; ends all 3 questions", b.footer())
	b.press("enter")
	require.Equal(t, queue.ReasonMoreDetail, b.stored(s.ID).Outcome.ReasonCode)
}

func TestMoreDetailOnAFormOfTwoSaysThatItEndsBoth(t *testing.T) {
	b := newBench(t, 80, 24)
	a := three()
	a.Questions = a.Questions[:2]
	b.ask(a, shop())
	b.calm()
	b.press("m")
	require.Equal(t, "⏎ Ask claude for more detail; ends both questions", b.footer())
}

func TestAnApprovalKnowsNoSecondThoughts(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.Kind = queue.KindApproval
	s := b.ask(a, shop())
	b.calm()
	for _, key := range []string{"m", "L", "V"} {
		require.Nil(t, b.own.Lookup(b.room.Place(), key), "%s is no key of an approval", key)
		b.press(key)
	}
	require.True(t, b.stored(s.ID).Pending())
	several := three() // which is answered as a question is
	several.Kind = queue.KindApproval
	b = newBench(t, 80, 24)
	s = b.ask(several, shop())
	b.calm()
	b.press("m")
	require.Equal(t, "you can only allow or refuse", b.footer())
	b.press("L")
	require.Equal(t, "an approval cannot be set aside, because its agent is waiting for your decision", b.footer())
	b.press("V")
	require.Equal(t, "the options of an approval cannot be hidden", b.footer())
	require.True(t, b.stored(s.ID).Pending())
}

func TestOwnWordsWhereOnlyOptionsAreTakenCancelWithThem(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("t")
	require.Contains(t, b.picture(), "cancel and send this as the reason:")
	b.write("use DuckDB")
	require.Equal(t, "⏎ Cancel and tell claude", b.footer())
	b.press("enter")
	got := b.stored(s.ID).Outcome
	require.Equal(t, "use DuckDB", got.Reason)
	require.Empty(t, got.ReasonCode)
}

func TestLaterAsksBeforeItSetsTheQuestionAside(t *testing.T) {
	b := newBench(t, 80, 24)
	a := database()
	a.WaitsSeconds = 300
	s := b.ask(a, shop())
	b.calm()
	b.press("L")
	until := s.AskedAt.Add(4 * time.Minute).Local().Format("15:04")
	gives := s.AskedAt.Add(5 * time.Minute).Local().Format("15:04")
	require.Equal(t, "⏎ Set it aside until "+until+" · claude waits until "+gives,
		ink.Fit(b.Offered, 80, ink.Unicode))
	b.press("esc")
	require.Nil(t, b.stored(s.ID).LaterUntil)
	require.Equal(t, "⏎ Send PostgreSQL", b.footer())
	b.press("L", "enter")
	require.NotNil(t, b.stored(s.ID).LaterUntil)
	require.Contains(t, strings.Split(b.picture(), "\n")[0], "later "+until)
}

func TestHidingAsksFirstNeverMovesTheDotAndIsTakenBack(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("V")
	require.Equal(t, "⏎ Hide “PostgreSQL” in all future questions from claude · ! the agent recommends it",
		ink.Fit(b.Offered, 120, ink.Unicode))
	b.press("esc")
	require.Empty(t, b.Desk.Settings().HiddenOptions)
	b.press("V", "enter")
	require.Equal(t, []config.HiddenOption{{Client: "claude-code", ID: "pg", Label: "PostgreSQL"}},
		b.Desk.Settings().HiddenOptions)
	b.press("z", "z")
	require.Equal(t, "⏎ Send PostgreSQL", b.footer(), "Enter sends what it would have sent before")
	b.press("u")
	require.Equal(t, "shown again from now on", b.footer())
	require.Empty(t, b.Desk.Settings().HiddenOptions)
	b.press("u")
	require.Equal(t, "there is nothing to take back", b.footer())
	require.True(t, b.stored(s.ID).Pending())
}

func TestAHeldAnswerIsSentByEnterAndTakenBackByItsKey(t *testing.T) {
	b := newBench(t, 80, 24)
	b.set(func(s *config.Settings) { s.UndoSeconds = 3 })
	s := b.ask(database(), shop())
	b.calm()
	b.press("2", "enter")
	require.Equal(t, action.PlacePostponed, b.room.Place())
	require.Equal(t, "⏎ Send SQLite now · u takes it back", b.footer())
	b.press("u")
	require.Equal(t, "taken back; nothing was sent", b.footer())
	b.calm()
	b.press("1", "enter")
	b.press("enter")
	require.True(t, b.stored(s.ID).Pending(), "a second Enter at once is no second thought")
	b.calm()
	b.press("2")
	require.Equal(t, "⏎ Send PostgreSQL now · u takes it back", b.footer(), "what is on its way does not change")
	b.calm()
	b.press("enter")
	require.Equal(t, "pg", b.answered(s.ID))
}

func TestPaused_TheOnlyQuestionUntilItIsBackOrAnotherComes(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("L")
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "later, back at 14:12 · Enter brings it back now")
	require.NotContains(t, b.picture(), "PostgreSQL")
	require.Equal(t, "⏎ Bring it back now", b.footer())
	b.press("2")
	require.True(t, b.stored(s.ID).Pending())
	b.press("enter")
	require.Contains(t, b.picture(), "PostgreSQL", "Enter brought it back and sent nothing")
	require.True(t, b.stored(s.ID).Pending())

	b.calm()
	b.press("L")
	b.calm()
	b.press("enter")
	b.ask(small("Deploy?", 300), infra())
	require.Contains(t, b.picture(), "Deploy?", "a question that arrives comes up")

	b = newBench(t, 40, 12)
	b.ask(database(), shop())
	b.calm()
	b.press("L")
	b.calm()
	b.press("enter")
	b.pass(11 * time.Minute)
	b.Desk.Tick()
	b.Calm()
	require.Contains(t, b.picture(), "PostgreSQL", "its time has come")
}

func TestAConfirmationNamesItsAgentOnlyInFull(t *testing.T) {
	for client, says := range map[string]string{"claude-code": "claude says  ", queue.ClientAsk: "It says  "} {
		b := newBench(t, 80, 24)
		a, o := database(), shop()
		a.Confirm, a.ConfirmMessage, o.Client = true, "This cannot be undone.", client
		b.ask(a, o)
		b.calm()
		b.press("1", "enter")
		require.Regexp(t, says+" +This cannot be undone\\.", b.picture(), client)
	}
}
