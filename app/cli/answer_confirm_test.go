package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWhoWantsAConfirmationIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, "choicetui wants an explicit confirmation, as it may destroy something",
		whoConfirms(queue.Ask{Kind: queue.KindApproval, Approval: &queue.Approval{Marks: []string{queue.MarkDestroys}}}))
	require.Equal(t, "the agent wants an explicit confirmation of \"Drop it?\"",
		whoConfirms(queue.Ask{ConfirmMessage: "Drop it?"}))
}
