package roomtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
)

// SettledSpool returns a queue on disk with n archived sessions, a minute apart. The word needle is in every 25,000th,
// for tests of the search.
func SettledSpool(b *testing.B, n int) *queue.Queue {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "queue")
	for _, sub := range []string{"live", "drafts", "done", "present", "tmp"} {
		require.NoError(b, os.MkdirAll(filepath.Join(dir, sub), 0o700))
	}
	for i := range n {
		s := settledAgo(time.Duration(n-i)*time.Minute, fmt.Sprintf("Question %d?", i))
		if i%25_000 == 0 {
			s.Ask.Prompt += " A needle."
		}
		raw, err := json.Marshal(s)
		require.NoError(b, err)
		month := filepath.Join(dir, "done", s.Outcome.At.Format("2006-01"))
		require.NoError(b, os.MkdirAll(month, 0o700))
		name := fmt.Sprintf("%013d-%s.json", s.Outcome.At.UnixMilli(), s.ID)
		require.NoError(b, os.WriteFile(filepath.Join(month, name), raw, 0o600))
	}
	time.Sleep(4 * time.Second) // so that no directory was changed a moment ago
	store, err := spool.Open(dir)
	require.NoError(b, err)
	q := queue.New(store)
	q.Now = func() time.Time { return Noon }
	return q
}

// settledAgo returns a session that was answered and collected the given time ago.
func settledAgo(ago time.Duration, title string) queue.Session {
	at := Noon.Add(-ago)
	return queue.Session{Schema: queue.Schema, ID: queue.NewID(), Revision: 3, AskedAt: at.Add(-time.Minute),
		Deadline: at.Add(time.Hour), Final: true,
		Origin: Shop(),
		Ask: queue.Ask{Kind: queue.KindChoice, Title: title,
			Prompt: "The order service needs transactions across carts and payments. The choice decides the " +
				"migration path; two ways are open, so I ask.",
			Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
				Options: []queue.Option{
					{ID: "pg", Label: "PostgreSQL", Description: "Transactions, JSONB, the team knows it",
						Recommended: true},
					{ID: "lite", Label: "SQLite", Description: "One file, no server, no replicas"},
				}}}, TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone},
		Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman,
			Surface: queue.SurfaceDashboard, At: at,
			Answer: Chose("pg")},
		Events: []queue.Event{{ID: "1", Kind: queue.EventAsked, At: at.Add(-time.Minute)},
			{ID: "2", Kind: queue.EventSettled, By: queue.ByHuman, At: at},
			{ID: "3", Kind: queue.EventCollected, At: at}}}
}
