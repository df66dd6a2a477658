package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWhatWaitsIsCountedWithWhatWaitsForNobody(t *testing.T) {
	assert.Equal(t, "nothing is waiting", Waiting(0, 0, "", 0))
	assert.Equal(t, "nothing else is waiting", Waiting(0, 0, "a", 0), "an ended question is on view")
	assert.Equal(t, "1 waiting", Waiting(1, 0, "a", 0))
	assert.Equal(t, "1 waiting (agent gone)", Waiting(1, 1, "a", 0))
	assert.Equal(t, "3 waiting", Waiting(3, 0, "", 0))
	assert.Equal(t, "3 waiting (1 gone)", Waiting(3, 1, "", 0))
}

func TestQuittingSaysWhatStays(t *testing.T) {
	assert.Equal(t, "1 question stays in the queue", Stay(1, 0))
	assert.Equal(t, "4 questions stay in the queue", Stay(4, 0))
	assert.Equal(t, "1 question stays in the queue, 2 left to their agents", Stay(1, 2))
	assert.Equal(t, "1 request is left to its agent", Stay(0, 1))
	assert.Equal(t, "3 requests are left to their agents", Stay(0, 3))
}

func TestAStepThatLeadsNowhereSaysWhy(t *testing.T) {
	assert.Equal(t, "nothing else is waiting", NoStep(1, ""))
	assert.Equal(t, "nothing else is waiting", NoStep(0, ""))
	assert.Equal(t, "nothing matches /zebra", NoStep(0, "zebra"))
	assert.Equal(t, "no other question matches /which", NoStep(1, "which"))
}

func TestEveryStandingThatHurriesNobodyHasWordsForCommandsAndLines(t *testing.T) {
	until := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	for s := queue.StandingLater; s <= queue.StandingGone; s++ {
		w := queue.Waiting{Standing: s, Session: &queue.Session{LaterUntil: &until}}
		assert.NotEmpty(t, Idle(w, OnCommand), s)
		assert.NotEmpty(t, Idle(w, InLines), s)
		long, short := Standing(w, "")
		assert.NotEmpty(t, long+short, s)
	}
	assert.Empty(t, Idle(queue.Waiting{}, OnCommand), "it hurries")
}

func TestTheTrailSaysUntilWhenAQuestionWasSetAside(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{Deadline: now.Add(5 * time.Minute)}
	s, _, err := queue.Transition(s, queue.Command{ID: "later", By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Later{}}, now)
	require.NoError(t, err)
	label, words := Trail{Session: s}.Event(s.Events[0])
	require.Equal(t, "Set aside", label)
	require.Equal(t, " by you, in the dashboard: until 14:12:00; time limit: 10:00 more, now ends at 14:17:00", words)
	require.Equal(t, ": 1:00 more, now ends at 2026-11-21 00:01:00", movedWords("+60s to "+
		time.Date(2026, 11, 21, 0, 1, 0, 0, time.Local).UTC().Format(time.RFC3339), now))
	require.Equal(t, "later 14:12", Idle(queue.Waiting{Session: &s, Standing: queue.StandingLater}, OnCommand))
}
