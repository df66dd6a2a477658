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

func TestACancelThatWasOpenedForOwnWordsSaysSo(t *testing.T) {
	f := pointing(one(queue.ModeSingle, nil))
	f.BeginInstead()
	require.True(t, f.Instead())
	f.Type("neither of them")
	require.Equal(t, StepCancel, f.Enter())
	require.Equal(t, "neither of them", f.Cancel().Reason)
}
