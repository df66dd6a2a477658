package history

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestTheTextSaysWhatTheTeamSaidAndWhy(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	s := queue.Session{ID: "k7f3m2qx", AskedAt: at, Ask: queue.Ask{Kind: queue.KindChoice, Title: "Store",
		Prompt:    "[WIDEN-HINT] ask them\nWe need one.",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Options: []queue.Option{{ID: "a", Label: "A"}}}}},
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at.Add(time.Minute),
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"a"}}}},
			Team: &queue.Resolution{Rationale: "one file is enough",
				Summary: queue.Summary{Text: "They want\u202e the other.", Source: queue.SourceOwner}}},
		Events: []queue.Event{{Kind: queue.EventAsked, At: at}, {Kind: queue.EventSettled, By: queue.ByHuman, At: at.Add(time.Minute)}}}
	text := sessionText{Session: s, Whole: true}.plain()
	require.Contains(t, text, "Answered   14:03:00 by you, after 1:00, otherwise than the team said\n")
	require.Contains(t, text, "  the team: They want<U+202E> the other.\n  reason: one file is enough\n")
	require.Contains(t, text, "\nask them\nWe need one.\n")
	require.NotContains(t, text, "WIDEN-HINT")
}
