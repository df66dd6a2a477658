package plain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionOfOneCallEndsWithItsCaller(t *testing.T) {
	b := newBench(t, nil)
	create := func(dialect, title string) queue.Session {
		a := database()
		a.Title = title
		s, err := b.o.Queue.Create(t.Context(), queue.Session{Ask: a, Claim: &queue.Claim{Instance: "bridge", Conn: "1"},
			Origin: queue.Origin{Client: "bar", Dialect: dialect, Instance: "bridge"}})
		require.NoError(t, err)
		b.settle()
		return s
	}
	bound := create(queue.DialectBound, "Drop it?")
	stays := create("provide_choice", "Which one?")
	b.news()

	b.desk.Take(queue.Changes{Presence: true}, []queue.Presence{{Instance: "me", Role: queue.RoleDashboard}})
	b.settle()
	got := b.get(bound.ID)
	require.NotNil(t, got.Outcome, "nobody could collect an answer")
	require.Equal(t, queue.ByCaller, got.Outcome.By)
	require.True(t, b.get(stays.ID).Pending(), "another ask of the same kind collects it")
	over, next, _ := strings.Cut(b.news(), "\n")
	require.Equal(t, `Closed: "Drop it?" was withdrawn by the agent: its agent disconnected.`, over)
	require.Contains(t, next, "bar disconnected; if it asks again within 10 minutes, it gets this answer.", "the other one, now on view")
}
