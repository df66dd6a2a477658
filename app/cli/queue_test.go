package cli

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/transfer"
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
	require.NoError(t, st.countAll(t.Context(), q))
	require.Equal(t, 1, *st.Waiting)
	require.Zero(t, *st.Answered)
	require.Equal(t, map[string]int{"/srv/queue": 2}, st.Leaving)
	var out page
	st.print(&out)
	require.Contains(t, out.String(), `leaving     2 questions left for "/srv/queue" and may not have arrived: `+
		`choicetui queue copy "/here" PLACE continues the move`)
}

func TestWhoHasTheOldQueueOpenIsNamed(t *testing.T) {
	t.Parallel()
	for role, words := range map[string]string{
		queue.RolePortal:    "the web page of choicetui has the old queue open (2 processes in all)",
		queue.RoleAttach:    "choicetui attach has the old queue open (2 processes in all)",
		queue.RoleDashboard: "a dashboard has the old queue open (2 processes in all)",
		queue.RoleTaker:     "agents are connected to the old queue (2 processes in all)",
	} {
		store, err := spool.Open(filepath.Join(t.TempDir(), "queue"))
		require.NoError(t, err)
		for _, p := range []queue.Presence{{Instance: "a", Role: queue.RoleBridge}, {Instance: "b", Role: role}} {
			stop, err := store.Announce(t.Context(), p)
			require.NoError(t, err)
			defer stop()
		}
		require.EqualError(t, checkUnused(t.Context(), queue.New(store)), words)
	}
}

func TestWhatStaysBehindIsCountedInWords(t *testing.T) {
	t.Parallel()
	told := func(n int) string {
		var out page
		printCopied(&out, transfer.Report{Newer: n, Broken: n}, "a", "b")
		return out.String()
	}
	require.Contains(t, told(1), "1 session stays: a newer choicetui wrote it\n1 session could not be read and stays\n")
	require.Contains(t, told(2), "2 sessions stay: a newer choicetui wrote them\n2 sessions could not be read and stay\n")
}

func TestTheSchemeOfAServersAddressMayBeInCapitals(t *testing.T) {
	t.Parallel()
	for given, place := range map[string]string{
		"NATS://127.0.0.1:4222": "nats://127.0.0.1:4222", "Tls://one:1,NATS://two:2": "tls://one:1,nats://two:2",
	} {
		got, err := placeNamed(given)
		require.NoError(t, err)
		require.Equal(t, place, got)
	}
}
