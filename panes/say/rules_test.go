package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

func TestWhatARuleAnsweredSaysSoAndWhichRule(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{ID: "k7f3m2qx", AskedAt: now, Deadline: now.Add(time.Minute),
		Origin: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Source: "claude:t/1"},
		Ask: queue.Ask{Title: "Allow Bash: npm test", Questions: []queue.Question{{ID: "q", Mode: queue.ModeSingle,
			Min: 1, Max: 1, Options: []queue.Option{{ID: "once", Label: "Allow once"}, {ID: "no", Label: "Refuse"}}}}}}
	s, changed, err := queue.Transition(s, queue.Command{ID: "1", By: queue.ByRule,
		Do: queue.Settle{Rule: "w3xk9a2p", Answer: queue.Answer{Replies: []queue.Reply{{Question: "q",
			Selected: []string{"once"}}}}}}, now)
	require.NoError(t, err)
	require.True(t, changed)
	label, words := Trail{Session: s, Frontend: frontendHistory}.Event(s.Events[0])
	require.Equal(t, "Answered by rule w3xk9a2p", label+words)
	what, how := Trail{Session: s}.Told(s.Events[0])
	require.Equal(t, "answered (by rule w3xk9a2p: Allow once)", what+" ("+how+")")
	require.Equal(t, Last{Lost: "by rule: Allow Bash: npm test", Ruled: true}, lastLost(s))
}

func TestARuleSaysWhatItAllowsToWhomWhereAndHowLong(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	r := rules.Rule{Client: "claude-code", Tool: "Bash", Text: "npm\x1b test", Dir: "/home/ana/shop", Thread: "t",
		Until: now.Add(24 * time.Hour)}
	require.Equal(t, Rule{"Bash: npm<U+001B> test", "claude, one session", "~/shop", "until 2026-11-21 14:02:00"},
		RuleOf(r, "/home/ana", now))
	require.Equal(t, "⏎ allow npm<U+001B> test in ~/shop for the rest of this claude session, at most until 14:02 tomorrow",
		longest(ruleMakes(r, "/home/ana", 0, Speech{Enter: "⏎"}, now)))
	r.Thread, r.Label = "", "a.go"
	require.Equal(t, Rule{"Bash a.go: npm<U+001B> test", "claude", "~/shop", "until 2026-11-21 14:02:00"},
		RuleOf(r, "/home/ana", now))
	require.Equal(t, "⏎ allow npm<U+001B> test in ~/shop for claude until 14:02 tomorrow",
		longest(ruleMakes(r, "/home/ana", 0, Speech{Enter: "⏎"}, now)))
}

func longest(l Line) (words string) {
	for _, p := range l.Pieces {
		words += p.Forms[0]
	}
	return words
}

func TestItIsSaidHowOftenTheSameWasAllowed(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	require.Empty(t, AllowedBefore(rules.Allowed{}, now))
	require.Equal(t, "allowed once, 14:00", AllowedBefore(rules.Allowed{Times: 1, Last: now.Add(-2 * time.Minute)}, now))
	require.Equal(t, "allowed 6 times, last 14:02", AllowedBefore(rules.Allowed{Times: 6, Last: now}, now))
	require.Equal(t, "allowed 2 times, last 2026-11-19 14:02:00",
		AllowedBefore(rules.Allowed{Times: 2, Last: now.AddDate(0, 0, -1)}, now))
}

func TestEveryReasonAgainstARuleIsASentence(t *testing.T) {
	for _, n := range noRule {
		require.Equal(t, n.words, whyNoRule(n.err))
		require.NotEqual(t, n.err.Error(), whyNoRule(n.err))
	}
}

func TestWhatARuleAnsweredNamesThePersonWhoseRuleItIs(t *testing.T) {
	s := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Title: "Allow Bash: npm test"},
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByRule, Rule: "w3xk9a2p", Person: "ana"}}
	e := queue.Event{Kind: queue.EventSettled, By: queue.ByRule, Person: "ana"}
	for _, frontend := range []Frontend{frontendHistory, OnCommand} {
		label, words := Trail{Session: s, Frontend: frontend}.Event(e)
		require.Equal(t, "Answered by rule w3xk9a2p of ana", label+words)
	}
	require.Equal(t, "by ana's rule", Settler(*s.Outcome))
	require.Equal(t, "by ana's rule", OverOf(s, OnScreen).How)
	require.Equal(t, Last{Lost: "by ana's rule: Allow Bash: npm test", Ruled: true}, lastLost(s))
	require.Equal(t, "by rule w3xk9a2p of ana", ByRuleOf(*s.Outcome))
}
