package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionThatEndsWhileItIsReadGivesWayAndIsTheLastEvent(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 60), infra())
	b.ask(database(), shop())
	b.clock.Pass(30 * time.Second) // reading: no key
	b.settleElsewhere(s, queue.SurfaceCLI, "lite")
	require.Equal(t, "Which database?", b.title())
	require.Contains(t, b.rowWith("1 waiting"), "Deploy?")
	b.settleElsewhere(b.view.Session(), queue.SurfaceCLI, "lite")
	require.Contains(t, b.picture(), "answered 14:02", "nothing else is pending")
	require.NotContains(t, b.rowWith("nothing is waiting"), "Which database?", "once is enough")
	b.clock.Pass(11 * time.Second)
	b.tick()
	require.Empty(t, b.shown())
}

func TestAClosedQuestionWithWordsLeavesARow(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(small("Deploy?", 60), infra())
	b.ask(database(), shop())
	b.calm()
	b.press("a")
	b.calm()
	b.write("not before Friday")
	b.press("enter")
	b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	require.Equal(t, "Which database?", b.title())
	require.Contains(t, b.picture(), "(closed in the browser 14:02 · your words are in h)")
	b.press("h")
	require.Contains(t, b.picture(), "Deploy?")
	b.press("esc")
	require.NotContains(t, b.picture(), "your words are in h")
}

// end lets the clock run out on what waits, and the question that is over give way.
func (b *bench) end(after time.Duration) {
	b.clock.Pass(after)
	b.tick()
	b.settle()
}

func TestWhatEndedSinceTheLastKeyIsListed(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Short fuse?", 15), web())
	b.end(17 * time.Second)
	require.Contains(t, b.picture(), "! Timed out: no answer")
	b.end(11 * time.Second)
	pic := b.picture()
	require.Contains(t, pic, "nothing is waiting")
	require.Contains(t, pic, "! 1 timed out unanswered")
	require.Contains(t, pic, "14:02  Short fuse?")
}

func TestWhatWasAnsweredAtItsAgentSaysSoAndWasNotMissed(t *testing.T) {
	b := newBench(t, 80, 24)
	o := web()
	o.Source = "claude:1/2"
	s := b.ask(small("Deploy?", 60), o)
	_, err := b.o.Queue.Do(b.t.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient,
		Do: queue.Elsewhere{Where: "in claude"}})
	require.NoError(t, err)
	b.settle()
	require.Contains(t, b.picture(), "Answered in claude")
	require.Contains(t, b.picture(), "answered in claude 14:02")
	b.end(30 * time.Second)
	require.Contains(t, b.picture(), "nothing is waiting")
	require.NotContains(t, b.picture(), "unanswered")
	require.Empty(t, b.view.Missed())
}

func TestWhatWasSeenOverOnScreenIsNotListed(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Short fuse?", 15), web())
	b.end(17 * time.Second)
	b.clock.Pass(time.Second)
	b.press("esc")
	require.Contains(t, b.picture(), "nothing is waiting")
	require.NotContains(t, b.picture(), "unanswered")
}

func TestAKeyThatCameAsItEndedHasNotSeenIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Short fuse?", 15), web())
	b.end(15 * time.Second)
	b.press("j")
	require.Len(t, b.view.Missed(), 1)
	b.clock.Pass(time.Second)
	b.press("j")
	require.Empty(t, b.view.Missed())
}

func TestWhatEndedBehindAPageIsListed(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Short fuse?", 15), web())
	b.press("s")
	b.end(17 * time.Second)
	b.clock.Pass(time.Second)
	b.press("j")
	require.Len(t, b.view.Missed(), 1)
}
