package plain

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestLinesSayThatAQuestionIsNoLongerInTheQueue(t *testing.T) {
	b := newBench(t, nil)
	s := b.ask(database())
	b.news()
	b.store.Store.(*storetest.Memory).Lose(s.ID)
	b.settle()
	require.Equal(t, "Closed: \"Which database?\" is no longer in the queue.\nNothing is waiting.\n", b.news())
	require.NotContains(t, b.types("1", ""), "Sent:")
}

func TestLinesSayAnAnswerIsSentOnlyOnceTheDiskConfirmedIt(t *testing.T) {
	b := newBench(t, nil)
	b.ask(database())
	b.news()
	b.wait(time.Second) // the guard
	b.store.Doubt = errors.New("input/output error")
	said := b.types("1", "")
	require.Contains(t, said, "! not saved, trying again: not confirmed by the disk")
	require.NotContains(t, said, "Sent:")
	b.wait(desk.RetryIn)
	require.NotContains(t, b.news(), "Sent:")
	b.store.Doubt = nil
	b.wait(desk.RetryIn)
	require.Contains(t, b.news(), "Sent: PostgreSQL")
}
