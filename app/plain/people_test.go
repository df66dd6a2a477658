package plain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestLinesSayForWhomAQuestionIsAndWhoAnswersItByTheirNames(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Queue.Person = "ben" })
	a := database()
	a.Audience = []string{"ben"}
	s := b.ask(a)
	require.Contains(t, b.news(), "\nFor ben.\n")
	require.NoError(t, b.store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "anas-1", Person: "ana", At: b.at}))
	b.settle()
	require.Contains(t, b.news(), "ana is answering.\n")

	alone := newBench(t, nil)
	alone.ask(a)
	require.NotContains(t, alone.news(), "For ben", "one person has the queue: all is theirs")
}
