package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionThatEndedOnItsOwnIsTheLastEvent(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	first := b.ask("Which database?", 60)
	lost := b.ask("Deploy?", 90)
	b.pass(61 * time.Second)
	require.Equal(t, first.ID, b.Last().Lost.ID, "it has given way")
	b.pass(30 * time.Second)
	require.Equal(t, lost.ID, b.Last().Lost.ID)
	require.Equal(t, queue.ByClock, b.Last().Lost.Outcome.By)

	one.Leave()
	b.ask("Which cache?", 60)
	one.Cover(true)
	b.pass(61 * time.Second)
	require.Equal(t, "Which cache?", b.Last().Lost.Ask.Title, "a page stood in front of it")
}

func TestAnAnswerFromElsewhereIsTheLastEventForWhoHadTheQuestionOnView(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	first := b.ask("Which database?", 60)
	second := b.ask("Deploy?", 90)
	third := b.ask("Which cache?", 120)
	elsewhere := func(s queue.Session) {
		b.pass(time.Second)
		_, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
			Do: queue.Cancel{Reason: "no"}})
		require.NoError(t, err)
		b.calm()
	}
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, first.ID, b.Last().ID)
	one.Show(second.ID)
	elsewhere(third)
	require.Equal(t, first.ID, b.Last().ID, "it was never on view here")

	fourth := b.ask("Which queue?", 150)
	one.Show(fourth.ID)
	one.Show(second.ID)
	elsewhere(fourth)
	require.Equal(t, fourth.ID, b.Last().Lost.ID)
	elsewhere(second)
	require.Equal(t, second.ID, b.Last().Lost.ID)
	require.Empty(t, b.Last().ID, "and nothing reads as if it had been received")
}

func TestTheLastEventFollowsWhatBecomesOfAnAnswer(t *testing.T) {
	l := newLines(t)
	s := l.answer(shop())
	require.Equal(t, s.ID, l.Last().ID)
	require.False(t, l.Last().Received)
	require.False(t, l.Last().Kept)
	l.Take(queue.Changes{Presence: true}, nil)
	require.True(t, l.Last().Kept, "nobody waits for it now")
	l.run()
	require.False(t, l.Last().Kept)
	l.pass(time.Minute)
	_, err := l.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Collect{Claim: *s.Claim}})
	require.NoError(t, err)
	l.calm()
	require.True(t, l.Last().Received)
	require.Equal(t, l.rig.Clock.T, l.Last().At)
}
