package form

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAButtonThatStaysInSightSendsWhatIsBeingTyped(t *testing.T) {
	f := pointing(one(queue.ModeText, nil))
	_, why := f.Begin(FieldText)
	require.True(t, why.OK())
	f.Type("words")
	require.Equal(t, StepEnd, f.Plan(Facts{}).Step)
	require.Equal(t, StepSend, f.PlanTyped(Facts{}).Step)
	require.Equal(t, FieldText, f.Typing(), "asking changes nothing")
	f.Type("")
	require.Equal(t, StepType, f.PlanTyped(Facts{}).Step)
	_, why = f.Begin(FieldReason)
	require.True(t, why.OK())
	require.Equal(t, StepCancel, f.PlanTyped(Facts{}).Step, "a reason is its own end")
}
