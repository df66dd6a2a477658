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

func TestTodaysAnswersAreSaidInFewerWordsWhereRoomIsShort(t *testing.T) {
	assert.Equal(t, []string{"3 answered, median time 0:11", "3 answered, median 0:11", "3, median 0:11"},
		answeredToday(3, 11*time.Second))
	assert.Equal(t, []string{"nothing answered yet"}, answeredToday(0, 0))
}

func TestTodayNamesNoMedianOfOneAnswer(t *testing.T) {
	assert.Equal(t, []string{"1 answered"}, answeredToday(1, 11*time.Second))
	assert.Equal(t, "2 answered, median time 0:11", answeredToday(2, 11*time.Second)[0])
}
