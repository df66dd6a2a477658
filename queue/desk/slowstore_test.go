package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk"
)

// The store takes longer than the person: the 2 of the next question is typed while the last one is still on view.
func TestAChoiceMadeWhileTheLastAnswerIsBeingStoredIsNotForgotten(t *testing.T) {
	y := newTypist(t, 1, nil)
	y.asks(single)
	y.asks(single)
	first := y.seat.Up()
	y.press("2", time.Second)

	enter := desk.Press{Key: "enter", Effect: desk.Sending}
	y.at = y.at.Add(600 * time.Millisecond)
	require.NoError(t, y.seat.Guard.Refuses(enter, y.at))
	y.seat.Take(enter, y.at, func() { require.NoError(t, y.seat.Send()) })
	y.at = y.at.Add(600 * time.Millisecond)
	two := desk.Press{Key: "2", Effect: desk.Marking}
	require.NoError(t, y.seat.Guard.Refuses(two, y.at))
	y.seat.Take(two, y.at, func() { y.seat.Form().Here().Digit(2) })
	require.Equal(t, first, y.seat.Up(), "the answer is not stored yet")

	y.at = y.at.Add(10 * time.Millisecond)
	y.settle()
	require.NotEqual(t, first, y.seat.Up())
	y.at = y.at.Add(600 * time.Millisecond)
	assert.ErrorIs(t, y.seat.Guard.Refuses(enter, y.at), desk.ErrNotTaken)
	assert.Equal(t, desk.Says{NotTaken: "2", Before: true}, y.seat.Guard.Says(y.at))
}
