package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

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
