package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestACommandSaysWhereASessionStands(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local)
	ask := queue.Ask{Title: "Which?", Questions: []queue.Question{{ID: "db", Mode: queue.ModeSingle,
		Options: []queue.Option{{ID: "pg", Label: "PostgreSQL"}}}}}
	ended := func(o queue.Outcome) queue.Session {
		o.At = now.Add(-24 * time.Hour)
		return queue.Session{Ask: ask, Outcome: &o}
	}
	pg := queue.Answer{Replies: []queue.Reply{{Question: "db", Selected: []string{"pg"}}}}
	for want, s := range map[string]queue.Session{
		"waiting, 4:12 left, until 14:04:12":         {Ask: ask, Deadline: now.Add(252 * time.Second)},
		"with the team, the clock is stopped":        {Ask: ask, Widen: &queue.Widened{State: queue.WidenBlocked}},
		"parked with the team, the clock is stopped": {Ask: ask, Widen: &queue.Widened{State: queue.WidenParked}},
		"answered: PostgreSQL (by a person, on the command line, 2026-11-19 14:00:00)": ended(queue.Outcome{
			Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceCLI, Answer: pg}),
		"cancelled: not now (by a person, 2026-11-19 14:00:00)": ended(queue.Outcome{
			Status: queue.StatusCancelled, By: queue.ByHuman, Reason: "not now"}),
	} {
		require.Equal(t, want, Stands(s, now))
	}
}

func TestEveryStandingThatHurriesNobodyHasWordsForCommandsAndLines(t *testing.T) {
	until := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	for s := queue.StandingLater; s <= queue.StandingGone; s++ {
		w := queue.Waiting{Standing: s, Session: &queue.Session{LaterUntil: &until}}
		assert.NotEmpty(t, Idle(w, FaceCommand), s)
		assert.NotEmpty(t, Idle(w, FaceLines), s)
		long, short := Standing(w, "")
		assert.NotEmpty(t, long+short, s)
	}
	assert.Empty(t, Idle(queue.Waiting{}, FaceCommand), "it hurries")
}
