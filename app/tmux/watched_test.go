package tmux

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPaneIsWatchedWhileItIsTheActiveOneOfAnAttachedClient(t *testing.T) {
	own := server(t)
	ctx := context.Background()
	agent, pane, _ := writer(t)
	set := func(args ...string) {
		_, err := run(ctx, args...)
		require.NoError(t, err)
	}
	set("select-window", "-t", pane)
	require.False(t, Watched(ctx, agent), "nobody is attached")

	set("set", "-g", "focus-events", "on")
	heard, says := attachTyping(t, "xterm-256color")
	eventually(t, "it is attached", func() bool { return strings.Contains(heard(), "[work]") })
	eventually(t, "it is before the person", func() bool { return Watched(ctx, agent) })
	set("select-window", "-t", own)
	require.False(t, Watched(ctx, agent), "another window is")
	set("select-window", "-t", pane)
	beside, err := run(ctx, "split-window", "-t", pane, "-P", "-F", "#{pane_id}", "sleep", "300")
	require.NoError(t, err)
	require.False(t, Watched(ctx, agent), "the pane beside it has the keys")
	set("kill-pane", "-t", beside)
	require.True(t, Watched(ctx, agent))

	calls := countCalls(t)
	require.True(t, Watched(ctx, agent))
	require.Equal(t, 2, calls())
	says("\x1b[O")
	eventually(t, "the person is in another program", func() bool { return !Watched(ctx, agent) })
	says("\x1b[I")
	eventually(t, "the person is back", func() bool { return Watched(ctx, agent) })
	require.False(t, Watched(ctx, Agent{PID: 1 << 22, Pane: pane}), "an agent that is gone has no pane, whatever it said")
	t.Setenv("TMUX", "")
	require.False(t, Watched(ctx, agent), "outside tmux nobody knows")
}
