package screen

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// deadAndAlive returns a dashboard where shop · claude runs and infra · codex, whose question was the last one, is
// gone.
func deadAndAlive(t *testing.T, w, h int) (*bench, *panesFake) {
	b, ways := chatBench(t, w, h)
	o := infra()
	o.Instance = "other"
	b.runs("other", queue.RoleBridge)
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.leaves(ways, "codex-mcp-client")
	return b, ways
}

// leaves lets an agent and its bridge go: only the one called bridge stays.
func (b *bench) leaves(ways *panesFake, client string) {
	ways.at[client] = desk.Reached{Err: errors.New("it is no longer running")}
	b.ends("other")
	b.settle()
}

func TestWithEverybodyGoneTheRuleStillKnowsWhomItMeans(t *testing.T) {
	b, ways := deadAndAlive(t, 80, 24)
	ways.at["claude-code"] = desk.Reached{Err: errors.New("it is no longer running")}
	b.desk.Take(queue.Changes{Presence: true}, nil)
	b.settle()
	require.NotContains(t, b.picture(), "no agents yet")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	b.press("i")
	require.Contains(t, b.footer(), "infra · codex is gone")
	b.press("esc")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
}

func TestTabIsOfferedInAnEmptyComposerWhoseAgentIsGone(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	o := infra()
	o.Instance = "other"
	b.runs("other", queue.RoleBridge)
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.press("i")
	b.leaves(ways, "codex-mcp-client")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.Contains(t, b.picture(), "Tab next agent")
	require.Contains(t, b.picture(), "agent 1 of 2")
	b.press("tab")
	require.Contains(t, b.footer(), "type a line to shop · claude")
}
