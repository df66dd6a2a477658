package portal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionIsAnsweredOverTheSocket(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	s := b.ask(one(queue.ModeSingle, nil))
	page := b.open("/choice/" + s.ID)
	page.shows("main", "Which database?")
	page.shows("main", "PostgreSQL")
	page.shows("foot", "Send")
	page.clicks("digit", 2)
	page.shows("foot", "send SQLite")
	page.clicks("send", 0)
	over := b.settled(s.ID)
	require.Equal(t, []string{"lite"}, over.Outcome.Answer.Replies[0].Selected)
	require.Equal(t, queue.SurfaceWeb, over.Outcome.Surface)
	page.shows("main", "Answered: SQLite")
}
