package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWhatWasAnsweredAtTheAgentOrByARuleSaysSoInLinesAndCommands(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{Ask: queue.Ask{Title: "Run?", Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle,
		Options: []queue.Option{{ID: "once", Label: "Yes"}}}}}}
	s.Outcome = &queue.Outcome{Status: queue.StatusElsewhere, By: queue.ByCaller, Reason: "in codex", At: at}
	require.Equal(t, `Closed: "Run?" was answered in codex.`, ClosedLine(s))
	require.Equal(t, "was already answered in codex", AlreadyEnded(s))
	long, short := EndedAt(*s.Outcome)
	require.Equal(t, []string{"answered in codex 14:02", "answered 14:02"}, []string{long, short})

	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByRule, Rule: "r1", At: at, Answer: queue.Answer{
		Replies: []queue.Reply{{Question: "q", Selected: []string{"once"}}}}}
	require.Equal(t, Over{"Answered: ", "Yes", "by your rule"}, OverOf(s, FaceScreen))
	long, short = EndedAt(*s.Outcome)
	require.Equal(t, []string{"answered by rule 14:02", "by rule 14:02"}, []string{long, short})
}
