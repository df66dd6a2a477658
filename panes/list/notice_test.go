package list_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// needs has an agent need the person in its own pane, until the function is called.
func (b *bench) needs(o queue.Origin, says string) (continues func()) {
	notice := queue.Presence{Instance: "n-" + o.Agent, Role: queue.RoleNotice, Origin: &o,
		Notice: &queue.Notice{Says: says, At: b.Clock.T}}
	b.Runs(b.Desk, notice)
	b.Calm()
	return func() {
		b.Ends(b.Desk, notice.Instance)
		b.Calm()
	}
}

func TestAgentsThatNeedThePersonAreListedBelowTheQuestions(t *testing.T) {
	b := newBench(t, 40, 20)
	b.list.SetWide(true)
	five(b)
	continues := b.needs(web(), "Claude needs your permission")
	require.Contains(t, b.picture(), "\n\n  needs you in its own pane\n  ◌ 14:03  Claude needs your")
	require.Equal(t, "5 waiting", b.list.Name(40), "nothing more waits")
	require.Equal(t, 2*5+3, b.list.ListRows(18))
	continues()
	require.NotContains(t, b.picture(), "needs you")
}

func TestAgentsThatNeedThePersonTakeNoRowOfAQuestion(t *testing.T) {
	b := newBench(t, 40, 5+2+2)
	b.list.SetWide(true)
	five(b)
	before := b.picture()
	b.needs(web(), "Claude needs your permission")
	require.Contains(t, before, "Which auth")
	for _, title := range []string{"Which data", "Deploy", "Which endp", "Name", "Which auth"} {
		require.Contains(t, b.picture(), title)
	}
	require.NotContains(t, b.picture(), "needs you", "there is no row left")
}

func TestTheCursorGoesFromTheLastQuestionToWhoNeedsThePerson(t *testing.T) {
	b := newBench(t, 40, 24)
	b.list.SetWide(true)
	five(b)
	b.needs(web(), "Claude needs your permission")
	b.needs(infra(), "Confirm Shell Command: make all")
	b.press("G")
	last := b.up()
	b.press("j")
	require.Equal(t, last, b.up(), "the question stays on screen")
	require.Contains(t, b.rowWith("Confirm"), "▸", "the agent's name comes before the other's")
	require.Equal(t, "⏎ go to its pane", b.EnterLine(b.list))
	b.press("p")
	require.Equal(t, []queue.Origin{infra()}, b.went)
	b.press("j", "enter")
	require.Equal(t, []queue.Origin{infra(), web()}, b.went)
	b.press("x")
	require.NotContains(t, b.picture(), "Claude needs", "it is put away")
	require.Contains(t, b.picture(), "Confirm Shell")
	require.Empty(t, b.did, "the question is not cancelled")
	b.press("G", "j", "k", "k")
	require.NotEqual(t, last, b.up(), "back among the questions")
	require.Zero(t, b.left)
	b.press("x")
	require.Equal(t, []action.Name{action.Cancel}, b.did)
}

func TestAStripShowsWhoNeedsThePersonInItsLastRows(t *testing.T) {
	b := newBench(t, 80, 2+2)
	b.Ask(ask("Which database?", 300), shop())
	b.needs(web(), "Claude needs your permission")
	b.list.SetStrip(1)
	require.Contains(t, b.picture(), "14:02  needs you in its own pane: Claude needs your permission")
	require.Equal(t, "⏎ go to its pane", b.EnterLine(b.list), "no question has a row, so the cursor is on it")
	b.focused = false
	require.NotContains(t, b.EnterLine(b.list), "pane")
}
