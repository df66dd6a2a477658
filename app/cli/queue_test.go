package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestTheStatusTellsWhatLeftAndMayNotHaveArrived(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	storetest.Create(t, q.Store)
	for range 2 {
		gone := storetest.Create(t, q.Store)
		_, err := q.Do(t.Context(), gone.ID, queue.Command{By: queue.ByHuman, Do: queue.Depart{To: "/srv/queue"}})
		require.NoError(t, err)
	}
	st := queueStatus{Place: "/here", Kind: "directory", Health: allWell}
	require.NoError(t, st.count(t.Context(), q))
	require.Equal(t, 1, *st.Waiting)
	require.Zero(t, *st.Answered)
	require.Equal(t, map[string]int{"/srv/queue": 2}, st.Leaving)
	var out bytes.Buffer
	require.NoError(t, st.print(&shell{out: &out}))
	require.Contains(t, out.String(), `leaving     2 questions left for "/srv/queue" and may not have arrived: `+
		`choicetui queue copy "/here" PLACE goes on with that`)
}
