package form

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestARadioThatStartsEmptyIsMarkedByThePersonAlone(t *testing.T) {
	t.Parallel()
	empty := func(q *queue.Question) { q.StartsEmpty = true }
	f := pointing(one(queue.ModeSingle, empty))
	q := f.Here()
	require.Empty(t, selected(f))
	require.False(t, q.Points(), "the cursor is on no row yet")
	require.Equal(t, NothingChosen, f.Plan(Facts{}).WhyNot.Reason)
	require.Equal(t, StepNothing, f.Enter())

	require.True(t, q.Move(1))
	require.Equal(t, []string{"a"}, selected(f), "the first motion comes to the first row")
	require.True(t, q.Move(1))
	require.Equal(t, []string{"b"}, selected(f))
	require.Equal(t, StepSend, f.Plan(Facts{}).Step)

	f = pointing(one(queue.ModeSingle, empty))
	_, why := f.Here().Digit(3)
	require.True(t, why.OK())
	require.Equal(t, []string{"c"}, selected(f))

	f = pointing(one(queue.ModeSingle, empty))
	f.Here().Narrow("B")
	require.Empty(t, selected(f), "what is found is not chosen yet")
	f.Here().Move(1)
	f.Here().Widen()
	require.Equal(t, []string{"b"}, selected(f))
}
