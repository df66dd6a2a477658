package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// askNative puts one of the agent's own prompts into the queue.
func (b *bench) askNative(a queue.Ask, source string) queue.Session {
	o := infra()
	o.Source = source
	return b.ask(a, o)
}

// byWatcher ends a question as the watcher of its agent does.
func (b *bench) byWatcher(s queue.Session, by string, do queue.Action) {
	_, err := b.o.Queue.Do(b.t.Context(), s.ID, queue.Command{By: by, Surface: queue.SurfaceClient, Do: do})
	require.NoError(b.t, err)
	b.settle()
}

func TestWhatIsAnsweredAtTheAgentSaysWhereAndIsNotMissed(t *testing.T) {
	for w, rule := range map[int]string{40: " answered 14:02 ", 80: " answered in codex 14:02 "} {
		b := newBench(t, w, 24)
		s := b.askNative(roomtest.ApproveDiff(), "codex:1")
		b.clock.Pass(time.Second)
		b.press("y")
		b.byWatcher(s, queue.ByCaller, queue.Elsewhere{Where: "in codex"})
		require.Empty(t, b.view.Missed())
		require.Contains(t, lines(b.picture())[0], rule)
		require.Contains(t, b.picture(), "Answered in codex")
		require.Equal(t, ink.Bold, b.styles("Answered in codex")[0], "it is no trouble")
		require.NotContains(t, b.picture(), "●", "nothing was chosen here")
	}
}

func TestTheLastEventSaysWhatWasAnsweredAtItsAgentAndByRule(t *testing.T) {
	b := newBench(t, 120, 40)
	s := b.askNative(roomtest.ApproveDiff(), "codex:1")
	b.ask(small("Deploy?", 900), shop())
	b.clock.Pass(time.Second)
	b.press("J")
	b.byWatcher(s, queue.ByCaller, queue.Elsewhere{Where: "in codex"})
	require.NotEmpty(t, b.rowWith("answered in codex: Edit: migrations/0042_ttl.sql"), b.picture())
	require.NotContains(t, b.picture(), "! answered in codex")

	b.clock.Pass(time.Second)
	s = b.askNative(roomtest.ApproveDiff(), "codex:2")
	b.byWatcher(s, queue.ByRule, queue.Settle{Rule: "r1", Answer: queue.Answer{Replies: []queue.Reply{
		{Question: "approval", Selected: []string{"once"}}}}})
	require.NotEmpty(t, b.rowWith("✓ by rule: Edit: migrations/0042_ttl.sql"), b.picture())
	require.Equal(t, ink.Good, b.styles("✓ by rule")[0])
	require.Empty(t, b.view.Missed())
	require.Empty(t, b.desk.Today().Recent(), "the person answered neither")
}

func TestHistoryHasWhatIsAskedForAndHowItEnded(t *testing.T) {
	b := newBench(t, 120, 40)
	s := b.askNative(roomtest.ApproveDiff(), "codex:1")
	b.byWatcher(s, queue.ByRule, queue.Settle{Rule: "r1", Answer: queue.Answer{Replies: []queue.Reply{
		{Question: "approval", Selected: []string{"once"}}}}})
	b.clock.Pass(time.Second)
	s = b.askNative(roomtest.ApproveCommand(), "codex:2")
	b.byWatcher(s, queue.ByCaller, queue.Elsewhere{Where: "in codex"})
	b.press("h")
	b.settle()
	text := b.picture()
	require.NotEmpty(t, b.rowWith("by rule", "Edit: migrations", "Allow once"), text)
	require.NotEmpty(t, b.rowWith("elsewhere", "Bash: rm", "answered in codex"), text)
	require.Contains(t, text, "docker push")
	b.press("enter")
	require.Contains(t, b.picture(), "! may be destructive")
	require.Less(t, strings.Index(b.picture(), "docker push"), strings.Index(b.picture(), "The old build is in the way"))
	b.press("esc", "j")
	b.settle()
	require.Contains(t, b.picture(), "by rule r1")
}
