package desk_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// answeredByAna settles a session in the store as another person, even if this desk cannot write.
func (b *bench) answeredByAna(id string) {
	b.t.Helper()
	err := b.rig.Disk.Err
	b.rig.Disk.Err = nil
	_, failed := b.q.Do(b.t.Context(), id, queue.Command{By: queue.ByHuman, Person: "ana", Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
	require.NoError(b.t, failed)
	b.rig.Disk.Err = err
	b.calm()
}

func TestThatAnAnswerDidNotCountIsKeptAsTheLastEvent(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	b.rig.Disk.Err = errors.New("the server is away")
	require.NoError(t, one.Send())
	b.calm()
	_, late := one.TooLate(b.stored(s.ID))
	require.False(t, late, "it is on its way")

	b.answeredByAna(s.ID)
	b.rig.Disk.Err = nil
	b.pass(desk.RetryIn)
	sent, late := one.TooLate(one.Session())
	require.True(t, late)
	assert.Equal(t, []string{"pg"}, sent.(queue.Settle).Answer.Replies[0].Selected)
	b.pass(time.Hour)
	assert.Empty(t, one.Up(), "the question itself has left")
	require.NotNil(t, b.Last().Lost)
	assert.True(t, b.Last().TooLate)
}

func TestAnAnswerThatTheClockOvertookIsSaidToBeTooLate(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.ask("Which database?", 60)
	b.pass(time.Second)
	b.rig.Disk.Err = errors.New("the server is away")
	require.NoError(t, one.Send())
	b.calm()
	b.pass(2 * time.Minute)
	b.pass(desk.RetryIn)
	b.rig.Disk.Err = nil
	b.pass(desk.RetryIn)
	require.Equal(t, s.ID, one.Up())
	_, late := one.TooLate(one.Session().At(b.rig.Clock.T))
	require.True(t, late)
	assert.True(t, b.Last().TooLate)
}

func TestWhatWasTakenBackWasNeverSent(t *testing.T) {
	b := newBench(t, func(o *desk.Options) { o.Settings.(*roomtest.Settings).S.UndoSeconds = 20 })
	one := view(b)
	s := b.ask("Which database?", 300)
	b.pass(time.Second)
	require.NoError(t, one.Send())
	require.True(t, one.TakeBack())
	b.answeredByAna(s.ID)
	_, late := one.TooLate(b.stored(s.ID))
	assert.False(t, late)
	assert.False(t, b.Last().TooLate)
}
