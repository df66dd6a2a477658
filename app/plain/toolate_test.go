package plain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestLinesSayThatWhatWasSentCameTooLate(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	b.wait(time.Second) // the guard
	b.types("1")
	_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Person: "ana", Surface: queue.SurfaceDashboard,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"lite"}}}}}})
	require.NoError(t, err)
	said := b.types("") // before the desk has heard of it
	require.Contains(t, said, "was answered by ana: SQLite.")
	require.Contains(t, said, "! You had sent “PostgreSQL”. It came too late and does not count.")
	require.NotContains(t, said, "Sent:")
}
