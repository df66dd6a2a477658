package say_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

func TestWhoElseAnswersIsNamedInFullAndInShort(t *testing.T) {
	long, short := say.Answering([]string{"ana@laptop"})
	require.Equal(t, []string{"ana@laptop is answering", "ana answers"}, []string{long, short})
	long, short = say.Answering([]string{"ana@laptop", "bob\x1b[31m", "cem", "dora"})
	require.NotContains(t, long+short, "\x1b")
	require.Contains(t, long, "ana@laptop")
	require.Contains(t, long, "2 others")
}

func TestWhereSeveralShareTheQueueItSaysWhoAnswered(t *testing.T) {
	o := queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Surface: queue.SurfaceDashboard, Person: "bob@desk"}
	require.Equal(t, "by bob@desk, in the dashboard", say.Settler(o))
	s := queue.Session{Ask: queue.Ask{Title: "Which database?"}, Outcome: &o}
	require.Equal(t, "answered by bob@desk: Which database?", say.LastEvent(&desk.Last{Lost: &s}).Lost)
	require.Equal(t, "by bob@desk", say.OverOf(s, say.OnScreen).How)
}

func TestANameThatBeginsASentenceStaysSpeltAsItIs(t *testing.T) {
	require.Equal(t, "ana is answering.", say.AnsweringNow([]string{"ana"}))
	require.Empty(t, say.AnsweringNow(nil))
}

func TestWhatCameTooLateIsSaidWithWhatItWas(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Title: "Which?", Questions: []queue.Question{{ID: "q1",
		Options: []queue.Option{{ID: "pg", Label: "Postgres"}}}}}}
	answer := queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"pg"}}}}}
	assert.Equal(t, "You had sent “Postgres”. It came too late and does not count.", say.TooLate(s, answer))
	assert.Equal(t, "You had cancelled it. That came too late and does not count.", say.TooLate(s, queue.Cancel{}))
	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, Person: "ana"}
	assert.Equal(t, say.Last{Lost: "too late, answered by ana: Which?", Warns: true}, say.LastEvent(&desk.Last{Lost: &s, TooLate: true}))
}
