package ink_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/rules"
)

func TestTheOfferOfARuleNeverCutsWhatItCovers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	const command = "/bin/bash -lc 'touch made-by-codex'"
	offer := func(text string, w int) string {
		r := rules.Rule{Client: "codex", Tool: "command", Kind: queue.PartCommand, Text: text, Dir: "/home/ana/src/shop",
			Thread: "t", Until: now.Add(24 * time.Hour)}
		return ink.Fit(say.Offered(&action.Offer{Action: action.Rule, Rule: &r}, 0, "/home/ana", now, say.Speech{Enter: "⏎"}), w, ink.Unicode)
	}
	require.Contains(t, offer(command, 80), command)
	require.Contains(t, offer(command+" && touch another-file-whose-name-is-long-enough", 80), "the whole command above")
	for w := 40; w < 130; w++ {
		line := offer(command, w)
		require.LessOrEqual(t, ink.Width(line), w)
		require.NotContains(t, line, "…", "at %d cells", w)
		require.Regexp(t, "touch made-by-codex'|the (whole )?command above|allow it ", line, "at %d cells", w)
	}
}

func TestOnlyAnEnterThatSendsIsDrawnAsAButton(t *testing.T) {
	t.Parallel()
	line := func(l say.Line) ink.Line { return ink.EnterLine(l, 40, ink.Unicode) }
	next := say.Words("Next: Checks")
	require.Equal(t, ink.Plain, line(next)[0].Style)
	next.Leads = true
	require.Equal(t, ink.Bold, line(next)[0].Style)
	sends := say.Words("⏎ Send PostgreSQL")
	sends.Sends = true
	require.Equal(t, ink.Button, line(sends)[0].Style)
}

func TestAPathIsBrokenOnlyIfItIsLongerThanALine(t *testing.T) {
	require.Equal(t, []string{"it is in", "~/src/shop/api."}, ink.Wrap("it is in ~/src/shop/api.", 16))
	require.Equal(t, []string{"it is in ~/src/", "shop/choicetui."}, ink.Wrap("it is in ~/src/shop/choicetui.", 16))
}
