package empty

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestTheLastAnswerHasItsDayWhereThatIsNotToday(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	s := queue.Session{Origin: queue.Origin{Client: "claude-code", Cwd: "/src/shop"},
		Outcome: &queue.Outcome{Status: queue.StatusCancelled, By: queue.ByHuman, At: at}}
	assert.Contains(t, lastAnswer(s, at.Add(time.Hour)), "14:02  ")
	assert.Contains(t, lastAnswer(s, at.Add(time.Hour)), " → shop · claude")
	assert.Contains(t, lastAnswer(s, at.Add(48*time.Hour)), "Fri 20 Nov 14:02  ")
}
