package desk_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// confirmed shows a question that requires a confirmation, and confirms it.
func (b *bench) confirmed(view *desk.View) queue.Session {
	b.t.Helper()
	s, err := b.q.Create(b.t.Context(), queue.Session{Origin: queue.Origin{Client: "claude-code", Instance: "bridge"},
		Ask: queue.Ask{Kind: queue.KindChoice, Title: "Drop it?", Prompt: "p", TimeoutSeconds: 300, Confirm: true,
			OnTimeout: queue.OnTimeoutNone, Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1,
				Options: []queue.Option{{ID: "drop", Label: "Drop it"}, {ID: "keep", Label: "Keep it"}}}}}})
	require.NoError(b.t, err)
	b.calm()
	view.Show(s.ID)
	require.Equal(b.t, form.StepConfirm, view.Form().Enter())
	require.True(b.t, view.Form().Confirm().OK())
	return s
}

func TestAConfirmationThatWasRefusedForGoodIsWantedAgain(t *testing.T) {
	b := newBench(t, nil)
	one, other := view(b), view(b)
	s := b.confirmed(one)
	b.confirmed(other)
	b.rig.Disk.Err = &queue.Invalid{Problems: []queue.Problem{{Path: "replies[0]", Wrong: "is wrong", Want: "another"}}}
	require.NoError(t, one.Send())
	b.calm()
	require.Equal(t, 1, happened[desk.NotStored](b))
	assert.True(t, one.Form().Confirming(), "it stays on view")
	assert.False(t, one.Form().Settle().Confirmed)
	assert.Equal(t, form.StepNothing, one.Form().Enter(), "Enter alone never confirms")
	assert.True(t, other.Form().Settle().Confirmed, "what was not sent is not touched")

	b.rig.Disk.Err = nil
	require.True(t, one.Form().Confirm().OK())
	require.NoError(t, one.Send())
	b.calm()
	assert.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
}

func TestAConfirmationThatIsSentAgainByItselfStays(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	s := b.confirmed(one)
	b.rig.Disk.Err = errors.New("no space left on device")
	require.NoError(t, one.Send())
	b.calm()
	assert.True(t, one.Form().Settle().Confirmed)
	b.rig.Disk.Err = nil
	b.pass(desk.RetryIn + time.Second)
	assert.Equal(t, queue.StatusSelected, b.stored(s.ID).Status())
}

func TestALostRaceTakesThePraiseOfAnEarlierAnswerAway(t *testing.T) {
	b := newBench(t, nil)
	one := view(b)
	b.confirmed(one)
	require.NoError(t, one.Send())
	b.calm()
	require.NotEmpty(t, b.Last().ID)
	s := b.confirmed(one)
	_, err := b.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceCLI,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"keep"}}}},
			Confirmed: true}})
	require.NoError(t, err)
	require.NoError(t, one.Send(), "the desk has not heard of it yet")
	b.calm()
	require.Empty(t, b.Last().ID)
	require.True(t, b.Last().TooLate, "what was sent in vain is said instead")
	require.Equal(t, s.ID, b.Last().Lost.ID)
}

// The store is slower than the person: the digit 2 for the next question is typed while the last one is still on view.
func TestAChoiceMadeWhileTheLastAnswerIsBeingStoredIsNotForgotten(t *testing.T) {
	y := newTypist(t, 1, nil)
	y.asks(single)
	y.asks(single)
	first := y.view.Up()
	y.press("2", time.Second)

	enter := desk.Press{Key: "enter", Effect: desk.Sending}
	y.rig.Clock.Pass(600 * time.Millisecond)
	require.NoError(t, y.view.Guard.Refuses(enter, y.rig.Clock.T))
	y.view.Take(enter, y.rig.Clock.T, func() { require.NoError(t, y.view.Send()) })
	y.rig.Clock.Pass(600 * time.Millisecond)
	two := desk.Press{Key: "2", Effect: desk.Marking}
	require.NoError(t, y.view.Guard.Refuses(two, y.rig.Clock.T))
	y.view.Take(two, y.rig.Clock.T, func() { y.view.Form().Here().Digit(2) })
	require.Equal(t, first, y.view.Up(), "the answer is not stored yet")

	y.rig.Clock.Pass(10 * time.Millisecond)
	y.settle()
	require.NotEqual(t, first, y.view.Up())
	y.rig.Clock.Pass(600 * time.Millisecond)
	assert.ErrorIs(t, y.view.Guard.Refuses(enter, y.rig.Clock.T), desk.ErrNotTaken)
	assert.Equal(t, desk.Says{NotTaken: "2", Before: true}, y.view.Guard.Says(y.rig.Clock.T))
}

func TestAChoiceThatWasNotConfirmedIsNotForgotten(t *testing.T) {
	y := newTypist(t, 1, nil)
	y.asks(single)
	y.asks(single)
	first := y.view.Up()
	y.press("2", time.Second)

	enter := desk.Press{Key: "enter", Effect: desk.Sending}
	y.rig.Clock.Pass(600 * time.Millisecond)
	require.NoError(t, y.view.Guard.Refuses(enter, y.rig.Clock.T))
	y.view.Take(enter, y.rig.Clock.T, func() {}) // the frontend shows the confirmation
	y.ends()
	require.NotEqual(t, first, y.view.Up())
	y.rig.Clock.Pass(600 * time.Millisecond)
	assert.ErrorIs(t, y.view.Guard.Refuses(enter, y.rig.Clock.T), desk.ErrNotTaken, "it was to confirm the other question")
	assert.Equal(t, desk.Says{NotTaken: "2", Before: true}, y.view.Guard.Says(y.rig.Clock.T))
}
