package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestWhoWantsAConfirmationIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, "choicetui wants an explicit confirmation, as it may destroy something",
		whoConfirms(queue.Ask{Kind: queue.KindApproval, Approval: &queue.Approval{Marks: []string{queue.MarkDestroys}}}))
	require.Equal(t, "the agent wants an explicit confirmation of \"Drop it?\"",
		whoConfirms(queue.Ask{ConfirmMessage: "Drop it?"}))
}

func TestAskNamesThePageWhereNoDashboardIsOpen(t *testing.T) {
	page := queue.Presence{Instance: desk.PagesInstance("p"), Role: queue.RoleDashboard}
	assert.Equal(t, "page in the browser", faceOf([]queue.Presence{page}))
	assert.Equal(t, "dashboard", faceOf([]queue.Presence{page, {Instance: "d", Role: queue.RoleDashboard}}))
}
