package cli

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/transfer"
)

func TestCheckUnused_SaysWhatRuns(t *testing.T) {
	t.Parallel()
	for words, roles := range map[string][]string{
		"1 dashboard, 1 web page": {queue.RolePortal, queue.RoleDashboard},
		"2 forms of choicetui attach, 1 command on another host": {queue.RoleAttach, queue.RoleVisitor,
			queue.RoleAttach},
		"3 agent connections": {queue.RoleBridge, queue.RoleTaker, queue.RoleBridge, queue.RoleListener},
		"":                    {queue.RoleNotice, queue.RoleServer},
	} {
		store := storetest.NewMemory()
		for i, role := range roles {
			_, err := store.Announce(t.Context(), queue.Presence{Instance: strconv.Itoa(i), Role: role})
			require.NoError(t, err)
		}
		err := checkUnused(t.Context(), queue.New(store), "/q")
		if words == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, `the queue at "/q" is in use: `+words)
		}
	}
}

func TestPrintCopied_SaysWhatIsOpenAndWhatIsMissing(t *testing.T) {
	t.Parallel()
	told := func(r transfer.Report) string {
		var out page
		printCopied(&out, r, "a", "b")
		return out.String()
	}
	require.Contains(t, told(transfer.Report{Newer: 1, Broken: 2}),
		"not copied, written by a newer choicetui: 1 session\nnot copied, cannot be read: 2 sessions\n")
	require.Contains(t, told(transfer.Report{Waiting: 2, Messages: 1, Untold: 1}), "open at both places now, so act at "+
		"the new one only: 2 pending questions, 1 undelivered message, 1 result for the team\n")
	require.NotContains(t, told(transfer.Report{Answered: 1, History: 1}), "open at both")
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
