package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAQuestionOfOneCallEndsWithItsCaller(t *testing.T) {
	b := newBench(t, 80, 24)
	origin := shop()
	origin.Dialect, origin.Instance = queue.DialectBound, "bridge"
	s := b.ask(database(), origin)
	other := shop()
	other.Instance = "bridge"
	stays := b.ask(small("Another dialect stays", 300), other)

	b.arrived(batch{changes: queue.Changes{Presence: true}, present: []queue.Presence{{Instance: "me", Role: queue.RoleDashboard}}})
	b.settle()
	got, err := b.o.Queue.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.NotNil(t, got.Outcome)
	assert.Equal(t, queue.ByCaller, got.Outcome.By)
	got, err = b.o.Queue.Store.Get(t.Context(), stays.ID)
	require.NoError(t, err)
	assert.Nil(t, got.Outcome)
}
