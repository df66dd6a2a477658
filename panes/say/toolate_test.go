package say_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestWhatCameTooLateIsSaidWithWhatItWas(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "Which?", Questions: []queue.Question{{ID: "q1",
		Options: []queue.Option{{ID: "pg", Label: "Postgres"}}}}}}
	answer := queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"pg"}}}}}
	assert.Equal(t, "You had sent “Postgres”. It came too late and does not count.", say.TooLate(s, answer))
	assert.Equal(t, "You had cancelled it. That came too late and does not count.", say.TooLate(s, queue.Cancel{}))
	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Person: "ana"}
	assert.Equal(t, say.Last{Lost: "too late, answered by ana: Which?", Warns: true}, say.LastEvent(&desk.Last{Lost: &s, TooLate: true}))
}
