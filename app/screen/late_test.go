package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestALetterThatWaitsNeverActsOnAnotherQuestion(t *testing.T) {
	b := newBench(t, 80, 24)
	first := b.ask(database(), shop())
	second := b.ask(small("Deploy?", 900), infra())
	b.calm()
	require.Equal(t, first.ID, b.shown())
	b.Key(event("+"))
	b.Key(event("J"))
	require.Equal(t, second.ID, b.shown())
	b.clock.Pass(desk.Pause)
	b.tick()
	b.settle()
	require.Equal(t, first.Deadline, b.get(first.ID).Deadline)
	require.Equal(t, second.Deadline, b.get(second.ID).Deadline)

	b.press("K")
	b.Key(event("+"))
	b.view.Show(second.ID) // it gave way by itself
	b.clock.Pass(desk.Pause)
	b.tick()
	b.settle()
	require.Equal(t, second.Deadline, b.get(second.ID).Deadline)
}

func TestAPasteTakesAwayALetterThatWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.Key(event("+"))
	b.Paste("ls -la\n")
	b.clock.Pass(desk.Pause)
	b.tick()
	b.settle()
	require.Equal(t, s.Deadline, b.get(s.ID).Deadline)
}

func TestWhatWasOfferedForAQuestionGoesWithIt(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("j", "V")
	require.Contains(t, b.footer(), "⏎ Hide")
	b.settleElsewhere(s, queue.SurfaceWeb, "pg")
	b.clock.Pass(time.Minute)
	b.tick()
	b.settle()
	require.Empty(t, b.shown())
	require.NotContains(t, b.footer(), "⏎ Hide")
}
