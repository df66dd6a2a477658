package plain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAnAgentThatNeedsThePersonIsToldOnceAndListed(t *testing.T) {
	b := newBench(t, nil)
	b.news()
	needs := queue.Presence{Instance: "n", Role: queue.RoleNotice, Origin: &queue.Origin{Client: "claude-code", Cwd: "/src/shop"},
		Notice: &queue.Notice{Says: "Claude needs your\x1b[31m permission", At: b.at}}
	who := []queue.Presence{{Instance: "bridge"}, {Instance: "me"}, needs}
	b.desk.Take(queue.Changes{Presence: true}, who)
	require.Contains(t, b.news(), "shop · claude needs you in its own pane since "+b.at.Local().Format("15:04")+": Claude needs your")
	b.desk.Take(queue.Changes{Presence: true}, who)
	require.NotContains(t, b.news(), "needs you", "it was told")
	out := b.types("list")
	require.Contains(t, out, "Nothing is waiting.")
	require.Contains(t, out, "needs you in its own pane")
	require.NotContains(t, out, "\x1b")
	b.desk.Take(queue.Changes{Presence: true}, who[:2])
	require.NotContains(t, b.types("list"), "needs you")
}
