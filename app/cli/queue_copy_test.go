package cli

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/transfer"
)

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
		require.EqualError(t, unused(t.Context(), queue.New(store)), words)
	}
}

func TestWhatStaysBehindIsCountedInWords(t *testing.T) {
	t.Parallel()
	told := func(n int) string {
		var out bytes.Buffer
		require.NoError(t, printCopied(&shell{out: &out}, transfer.Report{Newer: n, Broken: n}, "a", "b"))
		return out.String()
	}
	require.Contains(t, told(1), "1 session stays: a newer choicetui wrote it\n1 session could not be read and stays\n")
	require.Contains(t, told(2), "2 sessions stay: a newer choicetui wrote them\n2 sessions could not be read and stay\n")
}
