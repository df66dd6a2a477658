package ink

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheLastMinuteIsBoldAndTheLastSecondsAreReversed(t *testing.T) {
	const warn = 10 * time.Second
	for left, want := range map[time.Duration]Style{61 * time.Second: Plain, time.Minute: Bold, 11 * time.Second: Bold,
		warn: Warn.Reverse(true), 0: Warn.Reverse(true)} {
		require.Equal(t, want, Time(left, warn), left)
	}
	require.Equal(t, Warn.Reverse(true), Time(80*time.Second, 90*time.Second), "where somebody wants to know earlier")
}

func TestAnAgentsNameKeepsItsColourWhateverElseItIs(t *testing.T) {
	shop := queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Agent: "a1", PID: 1}
	again := queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Agent: "a2", PID: 2, Branch: "main"}
	require.Equal(t, HueOf(shop), HueOf(again))
	require.Equal(t, HueOf(shop), HueNamed("shop · claude"))
	seen := map[Hue]bool{}
	for _, dir := range []string{"shop", "web", "infra", "docs", "api", "site", "blog", "lab"} {
		seen[HueOf(queue.Origin{Client: "codex", Cwd: "/src/" + dir})] = true
	}
	require.Len(t, seen, len(hues))
}

func TestANameHasItsColourWithinWords(t *testing.T) {
	h := HueNamed("shop · claude")
	require.Equal(t, Line{{"chat · ", Bold}, {"shop · claude", h.Of(Bold)}, {"", Bold}},
		h.Within("chat · shop · claude", "shop · claude", Bold))
	require.Equal(t, Line{{"chat closed", Plain}}, h.Within("chat closed", "shop · claude", Plain))
	require.Equal(t, Line{{"chat closed", Plain}}, h.Within("chat closed", "", Plain))
}
