package list_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue/desk/action"
)

func TestWhileTheQueueIsNarrowedItsMatchesAreOnScreen(t *testing.T) {
	b := newBench(t, 40, 8)
	five(b)
	from := b.up()
	b.press("/")
	require.Equal(t, action.PlaceFind, b.list.Place())
	b.write("auth p")
	require.Equal(t, "⏎ done · 1 of 5 match", b.EnterLine(b.list))
	require.Equal(t, "Which auth provider?", b.up(), "the first match comes on screen")
	require.Contains(t, b.picture(), "▸ ? 2h    Which auth")
	require.NotContains(t, b.picture(), "14m  Name")
	require.Equal(t, []string{"Esc show all again"}, b.hints())
	b.press("esc")
	require.Equal(t, from, b.up(), "Esc shows all again, and what was on screen")
	require.Equal(t, action.PlaceQueue, b.list.Place())
	require.Contains(t, b.picture(), "▸ ? 4:00  Which data")
}

func TestWhatMatchesStaysOnScreenWhileTheQueueIsNarrowed(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	b.press("j")
	from := b.up()
	b.press("/")
	b.write("rate lim")
	require.Equal(t, from, b.up())
	b.press("enter", "enter")
	require.Equal(t, from, b.up())
	require.Equal(t, 1, b.left)
	require.Equal(t, "rate lim", b.View().Find(), "the queue stays narrowed")
}

func TestANarrowedQueueSaysSoInItsRule(t *testing.T) {
	b := newBench(t, 40, 12)
	five(b)
	b.press("/")
	b.write("which")
	b.press("enter")
	require.Equal(t, "/which · 3 of 5 waiting", b.list.Name(40))
	require.Equal(t, "/which 3 of 5", b.list.Found(26)[1])
	require.Equal(t, "/which 3 of 5", b.list.Found(0)[1], "eight cells of it stay")
}

func TestNothingThatMatchesIsSaidAndLeavesNoDeadKeys(t *testing.T) {
	for _, wide := range []bool{false, true} {
		b := newBench(t, 40, 12)
		b.list.SetWide(wide)
		five(b)
		from := b.up()
		b.press("/")
		b.write("zebra")
		require.Contains(t, b.picture(), "  nothing matches /zebra")
		require.Equal(t, "nothing matches · ⏎ shows all again", b.EnterLine(b.list))
		require.Equal(t, from, b.up())
		b.press("enter")
		require.Equal(t, "5 waiting", b.list.Name(40))
		b.press("j")
		require.NotEqual(t, from, b.up())
	}
}

func TestWhenTheLastMatchEndsTheWholeQueueIsBack(t *testing.T) {
	b := newBench(t, 60, 12)
	five(b)
	b.press("/")
	b.write("deploy")
	b.press("enter")
	require.Equal(t, "Deploy 2.4.1 to production?", b.up())
	b.Pass(42 * time.Second)
	require.Equal(t, "Which database?", b.up(), "a closed question gives way")
	require.Equal(t, "4 waiting", b.list.Name(40))
}

func TestAnAnswerToTheLastMatchEndsTheNarrowing(t *testing.T) {
	b := newBench(t, 60, 12)
	five(b)
	b.press("/")
	b.write("deploy")
	b.press("enter")
	b.View().Form().Enter()
	require.NoError(t, b.View().Send())
	b.Calm()
	b.Desk.Refresh()
	require.Equal(t, "Which database?", b.up())
	require.Empty(t, b.View().Find())
	require.Equal(t, "4 waiting", b.list.Name(40))
}

func TestTheNarrowedQueueGoesOnAfterAnAnswer(t *testing.T) {
	b := newBench(t, 80, 24)
	five(b)
	b.press("/")
	b.write("which")
	b.press("enter")
	b.View().Form().Enter()
	require.NoError(t, b.View().Send())
	b.Calm()
	require.Equal(t, "Which endpoints get a rate limit?", b.up(), "not the deployment, which does not match")
	require.Equal(t, "which", b.View().Find())
}

func TestTheLineThatNarrowsEndsWithTheQueue(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Ask(ask("Which database?", 300), shop())
	b.press("/")
	b.write("which")
	b.View().Form().Enter()
	require.NoError(t, b.View().Send())
	b.Calm()
	require.Empty(t, b.View().Up())
	require.False(t, b.list.Typing())
	require.Empty(t, b.View().Find())
}

func TestPastedTextNarrowsAsOneLine(t *testing.T) {
	b := newBench(t, 80, 24)
	five(b)
	paste := func(text string) { panes.Paste(b.list, text) }
	paste("auth")
	require.Empty(t, b.View().Find(), "no line is open")
	b.press("/")
	paste("auth\tpro")
	require.NotContains(t, b.list.Field().Text(), "\t")
	require.Equal(t, b.list.Field().Text(), b.View().Find())
}
