package desk_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAgentsThatNeedThePersonCloseNothingAndCanBePutAway(t *testing.T) {
	t.Parallel()
	d := desk.New(usual(queue.New(storetest.NewMemory())))
	view := d.View(desk.ViewOptions{})
	asks := queue.Presence{Instance: "asks", Role: queue.RoleNotice, Origin: &queue.Origin{Client: "claude-code", PID: 7},
		Notice: &queue.Notice{Says: "Claude needs your permission", At: time.Now()}}
	idles := queue.Presence{Instance: "idles", Role: queue.RoleNotice, Origin: &queue.Origin{Client: "claude-code", PID: 8},
		Notice: &queue.Notice{Says: "Claude is waiting", Idle: true, At: time.Now()}}
	d.Take(queue.Changes{Presence: true}, []queue.Presence{idles, asks})
	require.Equal(t, []queue.Presence{asks, idles}, d.Notices())
	require.Empty(t, d.Waiting())
	require.Empty(t, view.Up())
	closing, _ := d.Closing()
	require.Zero(t, closing, "chat stays open")

	calls := d.Calls()
	require.Len(t, calls, 1, "one that is idle calls nobody")
	require.Equal(t, "Claude needs your permission", calls[0].Ask.Title)
	require.True(t, calls[0].Origin.Native(), "its prompt is on its own screen")

	d.PutAway(asks)
	require.Equal(t, []queue.Presence{idles}, d.Notices())
	require.Empty(t, d.Calls())
	again := asks
	again.Instance = "again"
	d.Take(queue.Changes{Presence: true}, []queue.Presence{idles, again})
	require.Len(t, d.Notices(), 2, "what it says next is listed")
}
