package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// plan asks about a text of so many short lines.
func plan(lines int) queue.Ask {
	a := marked()
	var text strings.Builder
	for n := range lines {
		fmt.Fprintf(&text, "%d. step of the plan\n", n+1)
	}
	a.Prompt = text.String()
	return a
}

func TestOnlyTheTextIsOnScreenAtFullHeight(t *testing.T) {
	for _, at := range []struct{ w, h, before, lines int }{{80, 24, 10, 19}, {120, 40, 26, 35}, {60, 20, 8, 15}, {40, 12, 2, 7}} {
		b := newBench(t, at.w, at.h)
		b.ask(plan(40), shop())
		b.pass(time.Second)
		require.Equal(t, at.before, strings.Count(b.picture(), "step of the plan"), b.picture())
		b.press("z")
		picture := b.picture()
		require.Equal(t, at.lines, strings.Count(picture, "step of the plan"), picture)
		require.NotContains(t, picture, "○")
		require.Contains(t, picture, "⏎ Send Apply now")
		require.Contains(t, picture, "z back")
		b.press("z")
		require.Contains(t, b.picture(), "● Apply now")
	}
}

func TestTheQueueBelowIsCoveredWhileOnlyTheTextIsOnScreen(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(plan(40), shop())
	for i := range 4 {
		b.ask(small(fmt.Sprintf("Question %d?", i), 600), infra())
	}
	b.calm()
	require.NotZero(t, b.arrange().fit.QueueStrip)
	b.press("z")
	got := b.arrange().fit
	require.Equal(t, []int{0, 20, 0}, []int{got.QueueStrip, got.H, got.Free})
	require.True(t, b.room.OnlyText())
}

func TestArrowsScrollWhileOnlyTheTextIsOnScreen(t *testing.T) {
	for name, ask := range map[string]queue.Ask{"question": plan(40), "approval": roomtest.ApproveDiff()} {
		b := newBench(t, 60, 16)
		b.ask(ask, shop())
		b.calm()
		b.press("z")
		first, row := b.picture(), b.room.display().q().Cursor()
		marks := fmt.Sprint(b.room.display().q().Selected())
		b.press("down", "down")
		require.Equal(t, strings.Split(first, "\n")[3], strings.Split(b.picture(), "\n")[1], name)
		b.press("up", "up")
		require.Equal(t, strings.Split(first, "\n")[1:12], strings.Split(b.picture(), "\n")[1:12], name)
		b.press("G")
		require.Contains(t, b.picture(), "lines above")
		require.Contains(t, b.footer(), "unread", "the end was read, but not what is above it")
		b.press("g")
		require.Equal(t, strings.Split(first, "\n")[1:12], strings.Split(b.picture(), "\n")[1:12], name)
		require.Equal(t, row, b.room.display().q().Cursor(), name)
		require.Equal(t, marks, fmt.Sprint(b.room.display().q().Selected()), name)
	}
}

func TestAKeyThatMarksBringsTheOptionsBackAndMarksNothing(t *testing.T) {
	atOnce := roomtest.One(queue.ModeSingle, func(q *queue.Question) { q.SingleSubmit = true })
	for name, at := range map[string]struct {
		ask  queue.Ask
		keys []string
	}{
		"single":         {plan(40), []string{"1", "2", "3"}},
		"sends at once":  {atOnce, []string{"1", "2"}},
		"several":        {endpoints(), []string{"1", "2", "space", "r"}},
		"form":           {authRework(), []string{"2"}},
		"approval":       {roomtest.ApproveDiff(), []string{"1", "2", "y", "n"}},
		"approval, bare": {roomtest.ApproveCommand(), []string{"y", "n"}},
	} {
		for _, key := range at.keys {
			b := newBench(t, 80, 24)
			s := b.ask(at.ask, shop())
			b.calm()
			marks := fmt.Sprint(b.room.display().form.Answer())
			b.press("z")
			b.picture()
			b.press(key)
			require.Equal(t, "the options were not visible; press it again", b.Said, "%s %s", name, key)
			require.False(t, b.room.OnlyText(), "%s %s", name, key)
			require.Equal(t, marks, fmt.Sprint(b.room.display().form.Answer()), "%s %s", name, key)
			require.Equal(t, form.FieldNone, b.room.display().form.Typing(), "%s %s", name, key)
			require.True(t, b.stored(s.ID).Pending(), "%s %s", name, key)
		}
	}
}

func TestAFieldAmongTheOptionsBringsThemBack(t *testing.T) {
	for _, key := range []string{"n", "a", "t"} {
		b := newBench(t, 80, 24)
		b.ask(endpoints(), shop())
		b.calm()
		b.press("z", key)
		b.write("why")
		require.Contains(t, b.picture(), "why", key)
		require.Contains(t, b.picture(), "▸", key)
	}
	for _, key := range []string{"x", "m"} {
		b := newBench(t, 80, 24)
		b.ask(plan(40), shop())
		b.calm()
		b.press("z", key)
		require.True(t, b.room.OnlyText(), "its line needs no options")
		b.press("esc")
		require.True(t, b.room.OnlyText(), "Esc leaves the line first")
		b.press("esc")
		require.False(t, b.room.OnlyText())
	}
}

func TestEnterSendsWhatTheButtonSaysWhileOnlyTheTextIsOnScreen(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(plan(40), shop())
	b.calm()
	b.press("2", "z")
	require.Contains(t, b.footer(), "⏎ Send Tonight")
	b.calm()
	b.press("enter")
	require.Equal(t, []string{"later"}, b.stored(s.ID).Outcome.Answer.Replies[0].Selected)
}

func TestTheNextQuestionOfAFormIsShownWithItsOptions(t *testing.T) {
	for _, key := range []string{"right", "enter"} {
		b := newBench(t, 80, 24)
		b.ask(authRework(), web())
		b.calm()
		b.press("z")
		require.True(t, b.room.OnlyText())
		b.calm()
		b.press(key)
		require.Equal(t, 1, b.room.display().form.At())
		require.False(t, b.room.OnlyText(), key)
	}
}

func TestAllDescriptionsAreReadBelowTheTextOfASmallPane(t *testing.T) {
	b := newBench(t, 40, 12)
	a := marked()
	a.Questions[0].Options[0].Description = strings.Repeat("and so on ", 20) + "to the end"
	b.ask(a, shop())
	b.pass(time.Second)
	require.NotContains(t, b.picture(), "Same, at 03:00", "it is folded")
	require.True(t, b.room.display().cut)
	b.press("z")
	seen := ""
	for range 20 {
		seen += b.picture()
		b.press("pgdn")
	}
	for _, words := range []string{" 1 Apply now ★", "to the end", " 2 Tonight\n   Same, at 03:00\n", " 3 Do not apply"} {
		require.Contains(t, seen, words)
	}
	require.Equal(t, "⏎ Send Apply now", b.footer(), "nothing is left to read")
	b.press("z")
	require.Equal(t, "⏎ Send Apply now", b.footer())
}

func TestAnOptionWhoseMiddleWasSkippedIsNotRead(t *testing.T) {
	b := newBench(t, 40, 12)
	a := database()
	a.Questions[0].Options[0].Description = strings.Repeat("and so on ", 60)
	b.ask(a, shop())
	b.picture()
	b.press("z", "G")
	require.True(t, strings.HasSuffix(b.footer(), " · more"), "z shows no more of it: %s", b.footer())
	b.press("g")
	for range 20 {
		b.picture()
		b.press("down", "down", "down")
	}
	require.Equal(t, "⏎ Send PostgreSQL", b.footer())
}

func TestWhatIsSpecialAboutAQuestionIsReadWithItsText(t *testing.T) {
	b := newBench(t, 80, 24)
	a := plan(40)
	a.Prompt += "\u202e"
	b.ask(a, shop())
	b.calm()
	b.press("z")
	require.Contains(t, b.picture(), say.HiddenCharacters)
}

func TestAQuestionThatIsOnlyATitleIsReadByIt(t *testing.T) {
	b := newBench(t, 80, 24)
	a := marked()
	a.Prompt = "# " + a.Title
	b.ask(a, shop())
	b.calm()
	b.press("z")
	require.Contains(t, b.picture(), "Apply these limits?\n\n 1 Apply now")
}

func TestTheTextOfAClosedQuestionIsReadToo(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(plan(40), shop())
	b.calm()
	b.press("n")
	b.write("slowly")
	b.press("enter")
	b.SettleElsewhere(s, queue.SurfaceWeb, "later")
	b.press("z")
	require.Equal(t, action.PlaceOver, b.room.Place())
	require.True(t, b.room.OnlyText())
	require.Equal(t, "this question is closed: Esc shows how it was answered", b.footer())
	require.Contains(t, b.picture(), "\n10. step of the plan\n")
	b.press("esc")
	require.False(t, b.room.OnlyText())
	require.Equal(t, s.ID, b.View().Up())
	require.Contains(t, b.footer(), "Esc continues")
}

func TestTheTextStaysAloneWhileAReasonIsTypedOverIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(plan(40), shop())
	b.calm()
	b.press("z", "pgdn", "x")
	b.write("later")
	require.True(t, b.room.OnlyText(), b.picture())
	b.press("esc")
	require.True(t, b.room.OnlyText(), b.picture())
	scrolled := (prompt{b.room.display()}).spot().scroll
	b.press("pgup")
	require.Less(t, (prompt{b.room.display()}).spot().scroll, scrolled)
}
