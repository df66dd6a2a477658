package spool

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/storetest"
)

func TestCountHistoryCountsWhatHistoryPagesThrough(t *testing.T) {
	s := open(t)
	n, err := s.CountHistory(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	for range 3 {
		require.NoError(t, s.Archive(t.Context(), storetest.Finish(t, s, storetest.Create(t, s), time.Second)))
	}
	months, err := s.listMonths()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.path(doneDir, months[0], "notes.txt"), nil, 0o600)) // no session
	n, err = s.CountHistory(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, n)
}
