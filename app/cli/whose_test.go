package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWhatWaitsIsNarrowedByAgentAndByProject(t *testing.T) {
	t.Parallel()
	shop := queue.Origin{Client: "claude-code", Cwd: "/src/Shop"}
	require.True(t, whose{}.of(shop))
	require.True(t, whose{agent: "claude"}.of(shop))
	require.True(t, whose{agent: "claude", project: "shop"}.of(shop))
	require.False(t, whose{agent: "codex", project: "shop"}.of(shop))
	require.False(t, whose{project: "claude"}.of(shop), "a project is a directory")
}
