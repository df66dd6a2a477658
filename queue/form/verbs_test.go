package form

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestMoreDetailEndsTheQuestionWithItsCode(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	_, why := f.Begin(FieldDetail)
	require.True(t, why.OK())
	require.Equal(t, StepCancel, f.Plan(Facts{}).Step)
	f.Type("what it costs")
	require.Equal(t, queue.Cancel{Reason: "what it costs", Code: queue.ReasonMoreDetail}, f.Cancel())
	f.EndTyping()
	f.Begin(FieldReason)
	require.Equal(t, queue.Cancel{Reason: "what it costs"}, f.Cancel(), "a cancel is none")

	approval := one(queue.ModeSingle, nil)
	approval.Ask.Kind = queue.KindApproval
	_, why = pointing(approval).Begin(FieldDetail)
	require.Equal(t, NotForApprovals, why.Reason)
}

func TestACancelThatWasOpenedForOwnWordsTakesEnterTwice(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.BeginInstead()
	f.Type("neither")
	require.Equal(t, StepArm, f.Enter())
	f.Type("neither of them")
	require.Equal(t, StepArm, f.Enter(), "what was typed since was not seen by it")
	require.Equal(t, StepCancel, f.Enter())
	require.Equal(t, "neither of them", f.Cancel().Reason)
}
