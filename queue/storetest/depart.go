package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// testBack has sessions move away and come back twice. They end here, and the history has them beside the copies that
// they left: also where the answer, by whose time a session stands in the history, is older than the departures.
func testBack(t *testing.T, store queue.Store) {
	ctx, q, claim := t.Context(), queue.New(store), queue.Claim{Instance: "i", Conn: "c"}
	do := func(id string, a queue.Action) queue.Session {
		s, err := q.Do(ctx, id, queue.Command{By: queue.ByHuman, Do: a})
		require.NoError(t, err, "%T", a)
		return s
	}
	waits, answered := Create(t, store), Create(t, store)
	do(answered.ID, queue.Settle{Answer: Answer("a")})
	reader := watch(t, store)
	reader.next()
	for _, s := range []queue.Session{waits, answered} {
		for range 2 {
			gone := do(s.ID, queue.Depart{To: "there"})
			require.NoError(t, q.Sweep(ctx, []queue.Session{gone}))
			live, _, err := store.Live(ctx)
			require.NoError(t, err)
			require.Len(t, live, 2, "a sweep leaves what is on its way")
			require.NoError(t, store.Archive(ctx, gone))
			reader.until("it went", func() bool { return reader.gone[s.ID] })
			left, err := store.Get(ctx, s.ID)
			require.NoError(t, err)
			require.Equal(t, gone, left)
			back, err := store.Create(ctx, gone.Arriving())
			require.NoError(t, err)
			reader.until("it came", func() bool { return reader.sessions[s.ID].ID != "" })
			delete(reader.gone, s.ID)
			now, err := store.Get(ctx, s.ID)
			require.NoError(t, err)
			require.Equal(t, back, now)
			require.NoError(t, store.Sync(ctx, s.ID))
		}
	}
	q.Now = func() time.Time { return waits.AskedAt } // whoever answers has a clock that is behind
	do(waits.ID, queue.Settle{Answer: Answer("c")})
	q.Now = time.Now
	for _, s := range []queue.Session{waits, answered} {
		do(s.ID, queue.Take{Claim: claim})
		ended := do(s.ID, queue.Collect{Claim: claim})
		require.NoError(t, store.Archive(ctx, ended))
		require.NoError(t, store.Archive(ctx, ended), "anyone may do it again")
		now, err := store.Get(ctx, s.ID)
		require.NoError(t, err)
		require.Equal(t, ended, now, "what it is now, not what was left when it departed")
	}
	ids := pageThrough(t, store, 2)
	require.ElementsMatch(t, []string{waits.ID, waits.ID, waits.ID, answered.ID, answered.ID, answered.ID}, ids)
	n, err := store.CountHistory(ctx)
	require.NoError(t, err)
	require.Equal(t, len(ids), n)
}
