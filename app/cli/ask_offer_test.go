package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestAskNamesThePageWhereNoDashboardIsOpen(t *testing.T) {
	page := queue.Presence{Instance: desk.PagesInstance("p"), Role: queue.RoleDashboard}
	assert.Equal(t, "page in the browser", faceOf([]queue.Presence{page}))
	assert.Equal(t, "dashboard", faceOf([]queue.Presence{page, {Instance: "d", Role: queue.RoleDashboard}}))
}
