package screen

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// askAlike has an agent ask for commands by the same tool in the same directory, at once.
func (b *bench) askAlike(commands ...string) (list []queue.Session) {
	b.t.Helper()
	defer b.lay()
	for _, command := range commands {
		a := roomtest.ApproveTest()
		a.Approval.Parts[0].Text = command
		list = append(list, b.askNative(a, "claude:t1/"+command))
		b.clock.Pass(time.Millisecond)
	}
	b.clock.Pass(time.Second)
	return list
}

// keep marks the approval on view with a key and moves to the next approval of its round.
func (b *bench) keep(key string) {
	b.press(key)
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	b.lay() // what was never drawn was not shown in full
}

func (b *bench) took(s queue.Session) string {
	o := b.get(s.ID).Outcome
	if o == nil || len(o.Answer.Replies) == 0 {
		return ""
	}
	return o.Answer.Replies[0].Selected[0]
}

func TestSeveralAlikeAreLookedThroughOneByOneAndSentTogether(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "go test ./...", "make lint", "ls -la")
	require.Contains(t, b.picture(), "* look through 4 similar")
	b.press("*")
	require.Contains(t, b.picture(), "1 of 4 similar")
	require.Contains(t, b.footer(), "Choose an option")
	for i, key := range []string{"y", "y", "n", "y"} {
		require.Equal(t, list[i].ID, b.shown())
		require.Contains(t, b.picture(), fmt.Sprintf("%d of 4 similar", i+1))
		b.keep(key)
		require.True(t, b.get(list[i].ID).Pending(), "nothing is sent before the last")
	}
	require.Equal(t, action.PlaceRound, b.room().Place())
	require.Contains(t, b.footer(), "⏎ Send 3 allowed, 1 refused")
	b.press("enter")
	require.Equal(t, []string{"once", "once", "refuse", "once"}, []string{b.took(list[0]), b.took(list[1]),
		b.took(list[2]), b.took(list[3])})
	for _, s := range list {
		s = b.get(s.ID)
		require.Len(t, s.Events, 2, "one entry in the trail each, behind that it was asked")
		require.Equal(t, queue.ByHuman, s.Outcome.By)
		require.Equal(t, queue.SurfaceDashboard, s.Outcome.Surface)
	}
	require.Equal(t, action.PlaceEmpty, b.room().Place())
}

func TestEnterInARoundSendsNothingBeforeItStoodAWhile(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.press("*")
	b.press("y")
	b.clock.Pass(desk.Pause - enterAfter - time.Millisecond)
	b.press("enter")
	require.Equal(t, list[0].ID, b.shown())
	require.Equal(t, "Not yet: press Enter again", b.footer())
	b.clock.Pass(time.Second)
	b.press("enter")
	b.lay()
	require.Equal(t, list[1].ID, b.shown())
	b.press("y")
	require.Empty(t, b.form().Here().Selected(), "deaf just after the next one came up")
	b.clock.Pass(time.Second)
	b.press("y")
	b.clock.Pass(time.Second)
	b.press("enter", "enter")
	require.Equal(t, action.PlaceRound, b.room().Place())
	require.True(t, b.get(list[0].ID).Pending(), "deaf just after the list came up")
}

func TestWhatWasNotMarkedOrNotShownInFullIsLeftOut(t *testing.T) {
	b := newBench(t, 80, 24)
	list := b.askAlike("npm test", "ls")
	a := roomtest.ApproveDiff()
	a.Approval.Tool = "Bash"
	long := b.askNative(a, "claude:t1/long")
	b.clock.Pass(time.Second)
	b.press("*")
	b.keep("y")
	b.press("J")
	require.Equal(t, long.ID, b.shown(), "J goes on without a mark")
	b.clock.Pass(time.Second)
	b.press("y")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.Equal(t, long.ID, b.shown())
	require.Contains(t, b.footer(), "lines unread")
	b.press("J")
	b.clock.Pass(time.Second)
	require.Contains(t, b.footer(), "⏎ Send 1 allowed · 2 left out")
	b.press("enter")
	require.Equal(t, "once", b.took(list[0]))
	require.True(t, b.get(list[1].ID).Pending())
	require.True(t, b.get(long.ID).Pending())
}

func TestAMarkThatChangedSinceItCountedIsNotSent(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.press("*")
	b.keep("y")
	b.press("K")
	require.Equal(t, list[0].ID, b.shown())
	b.clock.Pass(time.Second)
	b.press("n")
	b.press("esc")
	b.clock.Pass(time.Second)
	b.view.Show(list[1].ID) // not by a key of the round
	b.keep("y")
	require.Equal(t, list[0].ID, b.shown(), "it is asked for once more")
	b.press("J", "J")
	b.clock.Pass(time.Second)
	require.Contains(t, b.footer(), "⏎ Send 1 allowed, 1 refused", "J takes it as it is marked now")
}

func TestMarkedOnesAreNoneOfARound(t *testing.T) {
	b := newBench(t, 120, 40)
	marked := roomtest.ApproveCommand()
	b.askNative(marked, "claude:t1/marked")
	b.clock.Pass(time.Second)
	b.press("*")
	require.Contains(t, b.said(), "a request with a warning is decided on its own")
	list := b.askAlike("npm test", "ls")
	require.True(t, b.view.Step(1))
	b.clock.Pass(time.Second)
	b.press("*")
	require.Contains(t, b.picture(), "1 of 2 similar · 1 with a warning is left out")
	b.keep("y")
	b.keep("y")
	require.Contains(t, b.picture(), "1 more has a warning. It is not in this batch; answer it separately.")
	b.press("enter")
	require.Equal(t, "once", b.took(list[1]))
	require.Len(t, b.desk.Waiting(), 1)
}

func TestWhatComesDuringARoundIsNoneOfItAndWhatEndsIsToldAndLeftOut(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls", "make")
	b.press("*")
	b.keep("y")
	late := b.askAlike("late")[0]
	b.keep("y")
	b.byWatcher(list[0], queue.ByCaller, queue.Elsewhere{Where: "in codex"})
	b.keep("y")
	require.Equal(t, action.PlaceRound, b.room().Place())
	require.Contains(t, b.footer(), "⏎ Send 2 allowed · 1 left out")
	require.NotEmpty(t, b.rowWith("ended meanwhile, left out"), b.picture())
	require.Contains(t, b.picture(), "1 more has arrived, and is not included.")
	b.press("enter")
	require.True(t, b.get(late.ID).Pending())
	require.Equal(t, late.ID, b.shown())
	require.Equal(t, "once", b.took(list[1]))
}

func TestEscLeavesARoundWithItsMarksAndSendsNothing(t *testing.T) {
	for name, leave := range map[string]func(b *bench){
		"on an approval": func(b *bench) { b.press("esc") },
		"at the end": func(b *bench) {
			b.keep("y")
			require.Equal(b.t, action.PlaceRound, b.room().Place())
			b.press("esc")
		},
	} {
		b := newBench(t, 120, 40)
		list := b.askAlike("npm test", "ls")
		b.press("*")
		b.keep("y")
		leave(b)
		require.Equal(t, action.PlaceApproval, b.room().Place(), name)
		require.False(t, b.view.Round.On(), name)
		require.NotContains(t, b.picture(), "of 2 similar", name)
		for _, s := range list {
			require.True(t, b.get(s.ID).Pending(), name)
		}
		require.Equal(t, []string{"once"}, b.view.FormOf(list[0].ID).Here().Selected(), name)
	}
}

func TestFromTheEndOfARoundADigitGoesBackToOne(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.press("*")
	b.keep("y")
	b.keep("y")
	b.press("1")
	require.Equal(t, list[0].ID, b.shown())
	b.clock.Pass(time.Second)
	b.press("3")
	b.press("2")
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	require.Contains(t, b.footer(), "⏎ Send 1 allowed, 1 refused")
}

func TestARefusalInARoundKeepsItsWords(t *testing.T) {
	b := newBench(t, 120, 40)
	list := b.askAlike("npm test", "ls")
	b.press("*")
	b.press("n")
	b.clock.Pass(time.Second)
	b.write("use make")
	b.clock.Pass(time.Second)
	b.press("enter")
	b.clock.Pass(time.Second)
	b.lay()
	require.Equal(t, list[1].ID, b.shown())
	require.True(t, b.get(list[0].ID).Pending())
	b.keep("y")
	require.Contains(t, b.footer(), "⏎ Send 1 allowed, 1 refused")
	b.press("enter")
	require.Equal(t, "use make", b.get(list[0].ID).Outcome.Answer.Replies[0].Notes["refuse"])
}

func TestNoRuleIsMadeInARound(t *testing.T) {
	p := &pocket{}
	b := newBenchWith(t, 120, 40, func(o *Options) { o.Rules = p })
	list := b.askAlike("npm test", "ls")
	b.press("*")
	b.press("M")
	require.Contains(t, b.said(), "a rule is made from a single request; leave the similar ones first")
	b.clock.Pass(time.Second)
	b.press("enter")
	require.True(t, b.get(list[0].ID).Pending())
	require.Empty(t, p.list)
}

func TestWithoutAnotherAlikeNoRoundBegins(t *testing.T) {
	b := newBench(t, 120, 40)
	b.askAlike("npm test")
	b.press("*")
	require.Contains(t, b.said(), "this agent has no similar request")
	require.NotContains(t, b.picture(), "of 1 similar")
}

func TestWhatIsTakenInRowsIsNotLookedThroughWithOthers(t *testing.T) {
	b := newBench(t, 120, 40)
	for i := range 2 {
		a := roomtest.ApproveTest()
		q := &a.Questions[0]
		q.Mode, q.Min, q.Max = queue.ModeMulti, 0, len(q.Options)
		b.askNative(a, fmt.Sprint("codex:t1/", i))
	}
	b.clock.Pass(time.Second)
	require.Zero(t, b.view.Round.Alike())
	b.press("*")
	require.NotContains(t, b.said(), "warning")
	require.False(t, b.view.Round.On())
}

func TestScreensOfARound(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
		b := newBench(t, size[0], size[1])
		b.askAlike("npm test -- --coverage --reporters=default", "go test ./...", "make lint", "ls -la")
		b.askNative(roomtest.ApproveCommand(), "claude:t1/marked")
		b.clock.Pass(time.Second)
		b.press("*")
		b.press("y")
		b.golden(fmt.Sprintf("round-%dx%d", size[0], size[1]))
		b.clock.Pass(time.Second)
		b.press("enter")
		b.clock.Pass(time.Second)
		b.lay()
		b.keep("n")
		b.keep("y")
		b.press("J")
		b.golden(fmt.Sprintf("round-review-%dx%d", size[0], size[1]))
	}
}
