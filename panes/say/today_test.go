package say

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestTodaysAnswersAreSaidInFewerWordsWhereRoomIsShort(t *testing.T) {
	assert.Equal(t, []string{"3 answered, median 0:11", "3, median 0:11"}, AnsweredToday(3, 11*time.Second))
	assert.Equal(t, []string{"nothing answered yet"}, AnsweredToday(0, 0))
}

func TestTodayNamesNoMedianOfOneAnswer(t *testing.T) {
	assert.Equal(t, []string{"1 answered"}, AnsweredToday(1, 11*time.Second))
	assert.Equal(t, "2 answered, median 0:11", AnsweredToday(2, 11*time.Second)[0])
}

func TestWhatWasMissedIsCountedByHowItEnded(t *testing.T) {
	ended := func(by string) queue.Session { return queue.Session{Outcome: &queue.Outcome{By: by}} }
	assert.Equal(t, "! 1 timed out while you were away", MissedOf([]queue.Session{ended(queue.ByClock)}))
	assert.Equal(t, "! 1 timed out, 2 withdrawn while away",
		MissedOf([]queue.Session{ended(queue.ByCaller), ended(queue.ByClock), ended(queue.ByCaller)}))
}
