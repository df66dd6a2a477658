package list_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

func TestTheListHasTwoRowsAQuestionAndWhatWasMissedBelowThem(t *testing.T) {
	b := newBench(t, 40, 32)
	b.list.SetWide(true)
	five(b)
	require.Equal(t, 10, b.list.ListRows(28))
	b.Pass(42 * time.Second)
	b.press("j")
	require.Equal(t, 8+1+2, b.list.ListRows(28))
	require.Contains(t, b.picture(), "\n\n  ! 1 timed out unanswered\n  14:03  Deploy 2.4.1 to prod")
}

func TestTheListHasOneRowAQuestionWhereTwoRowsEachWouldNotFit(t *testing.T) {
	b := newBench(t, 40, 9+2)
	b.list.SetWide(true)
	five(b)
	require.Equal(t, 5, b.list.ListRows(9))
	require.Contains(t, b.picture(), "▸ ? 4:00  Which database?          shop\n  ? 9:12  Which endpoints get a r… shop", b.picture())
	for _, w := range b.Desk.Waiting() {
		require.True(t, b.list.Shows(w.ID, 5, true), w.Ask.Title)
	}
	require.Equal(t, 4, b.list.ListRows(4), "the rest is counted")
}

func TestWhatIsOverOnScreenIsNotListedAsMissed(t *testing.T) {
	b := newBench(t, 40, 32)
	b.list.SetWide(true)
	b.Ask(ask("Deploy?", 42), infra())
	require.Equal(t, "Deploy?", b.up())
	b.Pass(42 * time.Second)
	require.Equal(t, "Deploy?", b.up(), "nothing else is pending")
	require.Len(t, b.View().Missed(), 1)
	require.NotContains(t, b.picture(), "timed out")
}

func TestAStripOfOneRowShowsTheSoonestOtherQuestionNotTheOneOnScreen(t *testing.T) {
	b := newBench(t, 40, 3)
	b.focused = false
	b.Ask(ask("Run the destroy of module.staging on the production account 4411?", 1740), infra())
	b.Ask(ask("Deploy 2.4.1?", 48), shop())
	require.Equal(t, "  ? 0:48  Deploy 2.4.1?            shop\n", b.picture())
}

func TestTheStripKeepsTheSoonestWhileALaterQuestionIsRead(t *testing.T) {
	b := newBench(t, 50, 8)
	for i := range 9 {
		b.Ask(ask(fmt.Sprintf("Question %d?", i), 600+60*i), shop())
	}
	b.View().ShowAt(7)
	b.Ask(ask("Deploy 2.4.1?", 30), infra())
	b.focused = false
	require.Contains(t, b.picture(), "0:30  Deploy 2.4.1?")
	require.Contains(t, b.picture(), "▸ ? 17m   Question 7?", "the question on screen has its row:\n"+b.picture())
	require.Contains(t, b.picture(), "▲ 5 more")
}

func TestTheRoomSaysWhatHasARow(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	soonest := b.Desk.Waiting()[0].ID
	b.press("G")
	require.True(t, b.list.Shows(soonest, 4, false))
	require.True(t, b.list.Shows(soonest, 8, true))
	require.False(t, b.list.Shows(soonest, 0, false))
	require.False(t, b.list.Shows(soonest, 1, false), "the row is the cursor's while the queue has the focus")
	b.focused = false
	require.True(t, b.list.Shows(soonest, 1, false))
	b.press("/")
	b.write("token")
	require.False(t, b.list.Shows(soonest, 4, false), "narrowed away")
}

func TestARowThatHurriesNobodySaysWhyAndGivesUpItsNameFirst(t *testing.T) {
	for w, want := range map[int]string{30: "gone", 40: "gone", 50: "gone", 80: "web · gemini · gone"} {
		b := newBench(t, w, 6)
		b.Ask(ask("Which database?", 300), shop())
		b.askGone(ask("Name the design-token package", 3000), web())
		require.True(t, strings.HasSuffix(b.rowWith("50m"), " "+want), b.picture())
	}
	b := newBench(t, 40, 6)
	b.Ask(ask("Which database?", 300), shop())
	b.askGone(ask("Short?", 3000), web())
	require.True(t, strings.HasSuffix(b.rowWith("Short?"), " web · gone"), "where the title leaves room: %s", b.picture())
}

func TestASubagentIsNamedRatherThanItsDirectory(t *testing.T) {
	b := newBench(t, 40, 12)
	b.list.SetWide(true)
	of := shop()
	of.Subagent = "general-purpose"
	b.Ask(ask("Which database?", 300), of)
	require.NotEmpty(t, b.rowWith("claude › general-p"), b.picture())
	b = newBench(t, 60, 12)
	b.list.SetWide(true)
	b.Ask(ask("Which database?", 300), of)
	require.NotEmpty(t, b.rowWith("shop · claude › general-purpose"), b.picture())
}

func TestAFormOfSeveralQuestionsSaysHowFarItIs(t *testing.T) {
	b := newBench(t, 80, 6)
	a := ask("Ship it?", 300)
	second := a.Questions[0]
	second.ID = "q2"
	a.Questions = append(a.Questions, second)
	b.Ask(a, shop())
	require.NotContains(t, b.picture(), "answered")
	require.Equal(t, form.StepTake, b.View().Form().Enter())
	require.NotEmpty(t, b.rowWith("Ship it? · 1 of 2 answered ✎"), b.picture())
}

func TestMotionsShowTheQuestionsAndTheGuardWaitsForEach(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	require.Equal(t, "Which database?", b.up())
	for key, want := range map[string]string{"g": "Deploy 2.4.1 to production?", "G": "Which auth provider?"} {
		b.Pass(time.Second)
		require.NoError(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Sending}, b.Clock.T))
		b.press(key)
		require.Equal(t, want, b.up())
		require.Error(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Sending}, b.Clock.T), "it has just come on screen")
	}
	b.press("g", "j")
	require.Equal(t, "Which database?", b.up())
	b.press("k")
	require.Equal(t, "Deploy 2.4.1 to production?", b.up())
	b.Pass(time.Second)
	b.press("k")
	require.NoError(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Sending}, b.Clock.T), "nothing has come on screen")
}

func TestEnterOpensWhatThePersonPickedAndEscGoesBack(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	b.press("j")
	require.Equal(t, "Open Which endpoints get a rate limit?", b.EnterLine(b.list))
	b.press("enter")
	require.Equal(t, 1, b.left)
	require.NoError(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Marking}, b.Clock.T), "the person picked it")
	require.ErrorIs(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Sending}, b.Clock.T), desk.ErrEarly)
	b.Pass(desk.Settle)
	require.NoError(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Sending}, b.Clock.T))
	b.press("esc")
	require.Equal(t, 2, b.left)
}

func TestADigitGoesToAQuestionOfTheQueueAndEnterOpensIt(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	b.press("3")
	require.Equal(t, "Which endpoints get a rate limit?", b.up())
	require.Zero(t, b.left, "the queue keeps the focus")
	require.NoError(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Marking}, b.Clock.T), "the person brought it up")
	require.ErrorIs(t, b.View().Guard.Refuses(desk.Press{Effect: desk.Sending}, b.Clock.T), desk.ErrEarly)
	b.press("6")
	require.Equal(t, "the queue has no question 6", b.Said)
	require.Equal(t, "Which endpoints get a rate limit?", b.up())
	b.press("enter")
	require.Equal(t, 1, b.left)
}

func TestKeysOfTheQuestionHoldInTheQueueToo(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	b.press("+", "-", "pgdn", "pgup")
	require.Equal(t, []action.Name{action.More, action.Less, action.PageDown, action.PageUp}, b.did)
	b.press("x")
	require.Equal(t, action.Cancel, b.did[len(b.did)-1])
	b.question = panes.Table{{Name: action.Cancel, Needs: action.Unless(func() string { return "this question is closed" }),
		Do: action.Just(func() { t.Error("it was cancelled all the same") })}}
	b.press("x")
	require.Equal(t, "this question is closed", b.Said)
}

func TestTheFooterOffersWhatThereIs(t *testing.T) {
	b := newBench(t, 120, 40)
	b.question = panes.Table{{Name: action.Cancel},
		{Name: action.PageDown, Now: action.Says("on", "")}}
	b.Ask(ask("Which database?", 300), shop())
	require.Equal(t, []string{"PgDn on", "x cancel", "? keys"}, b.hints())
	five(b)
	require.Equal(t, []string{"/ filter", "PgDn on", "x cancel", "J/K next", "Tab next area", "? keys"}, b.hints())
	b.list.SetWide(true)
	require.Equal(t, []string{"/ filter", "PgDn on", "x cancel", "J/K next", "Tab next area", "h history", "s settings",
		"? keys"}, b.hints())
}

func TestGoneQuestionsAreCountedInTheRule(t *testing.T) {
	b := newBench(t, 80, 12)
	b.Ask(ask("Which database?", 300), shop())
	b.askGone(ask("Rename?", 3000), web())
	require.Equal(t, "2 waiting (1 gone)", b.list.Name(40))
}

func TestAnApprovalIsListedByItsToolAndCommand(t *testing.T) {
	b := newBench(t, 60, 4)
	a := ask("Allow Bash: git push --force", 200)
	a.Kind, a.Approval = queue.KindApproval, &queue.Approval{Tool: "Bash",
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "git push --force\nls"}}}
	b.Ask(a, infra())
	require.NotEmpty(t, b.rowWith("Bash: git push --force"), b.picture())
	require.Empty(t, b.rowWith("ls"), "only the first line")
}
