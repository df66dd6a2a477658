package question

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

func TestOnASharedQueueItSaysForWhomTheQuestionIsAndWhoAnswersIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Queue.Person, b.Queue.Host = "ana@laptop", "laptop"
	ask := roomtest.Database()
	ask.Audience = []string{"Ana", "bob"}
	s := b.ask(ask, roomtest.Shop())
	b.calm()
	require.Contains(t, b.picture(), "For Ana, bob.")
	require.NotContains(t, b.picture(), "answering")

	theirs := queue.Draft{Session: s.ID, Instance: "bobs", Person: "bob@desk", At: b.Clock.T}
	require.NoError(t, b.Queue.Store.SaveDraft(t.Context(), theirs))
	b.Calm()
	require.Contains(t, b.picture(), "bob@desk is answering")

	q := queue.New(b.Queue.Store)
	q.Now, q.Person = b.Queue.Now, "bob@desk"
	_, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: roomtest.Chose("lite")}})
	require.NoError(t, err)
	b.Calm()
	require.Contains(t, b.picture(), "by bob@desk")
}

func TestWhereOnePersonHasTheQueueNobodyIsNamed(t *testing.T) {
	b := newBench(t, 80, 24)
	ask := roomtest.Database()
	ask.Audience = []string{"Ana"}
	b.ask(ask, roomtest.Shop())
	b.calm()
	require.NotContains(t, b.picture(), "Ana")
}
