package plain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/storetest"
)

func TestAQuestionThatTheQueueLostGoesFromTheView(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	b.store.Store.(*storetest.Memory).Lose(s.ID)
	b.settle()
	require.Equal(t, "Over: \"Which database?\" is no longer in the queue.\nNothing waits.\n", b.news())
	require.NotContains(t, b.types("1", ""), "Sent:")
}
