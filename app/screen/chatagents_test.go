package screen

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/queue"
)

// deadAndAlive returns a dashboard where shop · claude runs and infra · codex, whose question was the last one, is
// gone.
func deadAndAlive(t *testing.T, w, h int) (*bench, *panesFake) {
	b, ways := chatBench(t, w, h)
	o := infra()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.announce()
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.leaves(ways, "codex-mcp-client")
	return b, ways
}

// leaves lets an agent and its bridge go: only the one called bridge stays.
func (b *bench) leaves(ways *panesFake, client string) {
	ways.at[client] = desk.Reached{Err: errors.New("it does not run any more")}
	b.present = map[string]string{"bridge": queue.RoleBridge}
	b.announce()
	b.settle()
}

func TestTellingAnAgentThatIsGoneSendsNothingToAnother(t *testing.T) {
	b, ways := deadAndAlive(t, 120, 40)
	before := len(b.archive())
	b.press("h")
	require.Contains(t, b.picture(), "i tell infra · codex")
	b.press("i")
	b.calm()
	b.press("enter")
	require.Empty(t, ways.pasted)
	require.Len(t, b.archive(), before)
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.Contains(t, b.picture(), "› > “Which database?” → PostgreSQL")
	require.Equal(t, "not sent: infra · codex is gone. The text stays.", b.said())
	b.write("x")
	require.Equal(t, "⏎ not sent: infra · codex is gone. The text stays.", b.foot(),
		"one truth, before Enter and after it")

	b.press("tab")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ─")
	b.press("enter")
	require.Equal(t, []string{"claude-code: > “Which database?” → PostgreSQL\nx"}, ways.pasted,
		"the person took it there")
}

func TestWithEverybodyGoneTheRuleStillKnowsWhomItMeans(t *testing.T) {
	b, ways := deadAndAlive(t, 80, 24)
	ways.at["claude-code"] = desk.Reached{Err: errors.New("it does not run any more")}
	b.desk.Take(queue.Changes{Presence: true}, nil)
	b.settle()
	require.NotContains(t, b.picture(), "no agent known yet")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	b.press("i")
	require.Contains(t, b.foot(), "infra · codex is gone")
	b.press("esc")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
}

func TestATextThatIsKeptIsSeenOnTheClosedComposer(t *testing.T) {
	b, _ := chatBench(t, 50, 20)
	b.press("i")
	b.write("please fix the README, it still says SQLite everywhere")
	b.press("esc")
	require.Equal(t, "› please fix the README, it still… ✎ shop · claude", b.foot())
	b.ask(database(), infra())
	b.calm()
	b.press("enter")
	b.calm()
	b.clock.pass(saidFor)
	require.Contains(t, b.picture(), "─ chat · to infra · codex")
	require.Contains(t, b.foot(), "… ✎ shop · claude", "it waits for its agent, whoever asked since")
	b.press("i")
	require.Empty(t, b.typedLine(), "it does not stand in for the one whose question was last on screen")
	require.Contains(t, b.picture(), " ✎ 1 kept ─", "and it is said so")
	b.write("for codex")
	b.press("esc")
	require.Contains(t, b.foot(), "for codex ✎ infra · codex +1")
}

func TestAQuoteThatWasNotTouchedLeavesWithTheComposer(t *testing.T) {
	b, _ := chatBench(t, 80, 24)
	b.press("h", "i")
	require.Contains(t, b.typedLine(), "> “Which database?”")
	b.press("esc", "esc")
	require.Equal(t, "›", b.foot(), "it was no text of the person")
	b.press("i")
	require.Empty(t, b.typedLine())
	b.write("mine")
	b.press("esc", "h", "i")
	require.Equal(t, "mine\n> “Which database?” → PostgreSQL\n", b.typedLine())
	b.press("esc", "esc", "i")
	require.Equal(t, "mine", b.typedLine(), "what was there before stays")
	b.press("esc", "h", "i")
	b.write("so")
	b.press("esc", "esc", "i")
	require.Equal(t, "mine\n> “Which database?” → PostgreSQL\nso", b.typedLine(), "touched, it is kept")
}

func TestTabIsOfferedInAnEmptyComposerWhoseAgentIsGone(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	o := infra()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.announce()
	b.ask(database(), o)
	b.calm()
	b.press("enter")
	b.calm()
	b.press("i")
	b.leaves(ways, "codex-mcp-client")
	require.Contains(t, b.picture(), "─ chat · to infra · codex, gone ─")
	require.Contains(t, b.picture(), "Tab next agent")
	require.Contains(t, b.picture(), "1 of 2 agents")
	b.press("tab")
	require.Contains(t, b.foot(), "type a line to shop · claude")
}
