package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestShowPutsTheContextOfAQuestionBelowIt(t *testing.T) {
	for _, gap := range []string{"\n", "\n\n"} {
		s := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Title: "Passwords", Questions: []queue.Question{
			{ID: "hash", Mode: queue.ModeText, Text: "Which hash?" + gap + "passwords only"}}}}
		var out bytes.Buffer
		var p page
		describeSession(&p, s, time.Now())
		require.NoError(t, p.send(&out))
		require.Contains(t, out.String(), "hash  Which hash?  (text)\n| passwords only\n")
	}
}

func TestShowPutsAHintAboveThePromptWithoutItsMark(t *testing.T) {
	s := queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Title: "Store", Prompt: "We need one.\n[WIDEN-HINT] ask\x1b them\nWhich?",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeText}}}}
	var out bytes.Buffer
	var p page
	describeSession(&p, s, time.Now())
	require.NoError(t, p.send(&out))
	require.Contains(t, out.String(), "\n\n| ask<U+001B> them\n| We need one.\n| Which?\n")
}

// deferred returns a question that the person put off after they asked their team.
func deferred() queue.Session {
	return queue.Session{ID: "k7f3m2qx", Ask: queue.Ask{Kind: queue.KindChoice, Title: "Store"},
		Outcome: &queue.Outcome{Status: queue.StatusDeferred, By: queue.ByHuman, Reason: "the audit comes first"}}
}

func TestADeferredQuestionHasTheExitCodeOfACancelledOne(t *testing.T) {
	var out bytes.Buffer
	sh := &shell{out: &out, err: &out, now: time.Now}
	var f *failure
	require.ErrorAs(t, (&askRun{sh: sh}).printOutcome(deferred()), &f)
	require.Equal(t, exitCancelled, f.code)
	require.Equal(t, "put off: the audit comes first", f.say)
	require.Empty(t, out.String(), "what the model would read is empty")
	require.ErrorAs(t, (&attachRun{sh: sh}).printOutcome(deferred()), &f)
	require.Equal(t, exitCancelled, f.code)
	require.Equal(t, "put off: the audit comes first\n", out.String())
}

func TestWhyAConfirmationIsNeededIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, ", because it may be destructive",
		whyConfirm(queue.Ask{Kind: queue.KindApproval, Approval: &queue.Approval{Marks: []string{queue.MarkDestroys}}}))
	require.Equal(t, "; the agent's warning: \"Drop it?\"",
		whyConfirm(queue.Ask{ConfirmMessage: "Drop it?"}))
}

func TestAskNamesThePageWhereNoDashboardIsOpen(t *testing.T) {
	page := queue.Presence{Instance: desk.PagesInstance("p"), Role: queue.RoleDashboard}
	assert.Equal(t, "page in the browser", frontendOf([]queue.Presence{page}))
	assert.Equal(t, "dashboard", frontendOf([]queue.Presence{page, {Instance: "d", Role: queue.RoleDashboard}}))
}

func TestACommandSaysWhereASessionStands(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local)
	ask := queue.Ask{Title: "Which?", Questions: []queue.Question{{ID: "db", Mode: queue.ModeSingle,
		Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}}}}}
	ended := func(o queue.Outcome) queue.Session {
		o.At = now.Add(-24 * time.Hour)
		return queue.Session{Ask: ask, Outcome: &o}
	}
	pg := queue.Answer{Replies: []queue.Reply{{Question: "db", Selected: []string{"pg"}}}}
	later := now.Add(12 * time.Minute)
	for want, s := range map[string]queue.Session{
		"waiting, 4:12 left, until 14:04:12": {Ask: ask, Deadline: now.Add(252 * time.Second)},
		"with the team · clock paused":       {Ask: ask, Widen: &queue.Widened{State: queue.WidenBlocked}},
		"answered: PostgreSQL (by a person, on the command line, 2026-11-19 14:00:00)": ended(queue.Outcome{
			Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceCLI, Answer: pg}),
		"cancelled: not now (by a person, 2026-11-19 14:00:00)": ended(queue.Outcome{
			Status: queue.StatusCancelled, By: queue.ByHuman, Reason: "not now"}),
		"answered: PostgreSQL (by a rule, 2026-11-19 14:00:00)": ended(queue.Outcome{
			Status: queue.StatusSelected, By: queue.ByRule, Rule: "r1", Answer: pg}),
		"waiting, 4:12 left, until 14:04:12, later 14:12": {Ask: ask, Deadline: now.Add(252 * time.Second),
			LaterUntil: &later},
	} {
		require.Equal(t, want, stateOf(s, now))
	}
}
