package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// testBack has sessions move away and come back twice. They end here, and the history has them beside the copies that
// they left. That holds even if the answer is older than the departures: the history sorts sessions by the time of the
// answer.
func testBack(t *testing.T, store queue.Store) {
	ctx, claim := t.Context(), queue.Claim{Instance: "i", Conn: "c"}
	waits, answered := Create(t, store), Create(t, store)
	behind := waits.AskedAt // whoever answers has a clock that is behind
	command(t, store, answered.ID, behind, queue.Settle{Answer: Answer("a")})
	reader := watch(t, store)
	reader.next()
	for range 2 {
		goAndReturn(t, store, reader, waits.ID)
		goAndReturn(t, store, reader, answered.ID)
	}
	command(t, store, waits.ID, behind, queue.Settle{Answer: Answer("c")})
	for _, s := range []queue.Session{waits, answered} {
		command(t, store, s.ID, time.Now(), queue.Take{Claim: claim})
		ended := command(t, store, s.ID, time.Now(), queue.Collect{Claim: claim})
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

// goAndReturn has a session depart and come back, seen by a reader.
func goAndReturn(t *testing.T, store queue.Store, r *reader, id string) {
	t.Helper()
	ctx := t.Context()
	gone := command(t, store, id, time.Now(), queue.Depart{To: "there"})
	require.NoError(t, queue.New(store).Sweep(ctx, []queue.Session{gone}))
	live, _, err := store.Live(ctx)
	require.NoError(t, err)
	require.Len(t, live, 2, "a sweep leaves what is on its way")
	require.NoError(t, store.Archive(ctx, gone))
	r.until("it went", func() bool { return r.gone[id] })
	left, err := store.Get(ctx, id)
	require.NoError(t, err)
	require.Equal(t, gone, left)
	back, err := store.Create(ctx, queue.Arriving(gone))
	require.NoError(t, err)
	r.until("it came", func() bool { return r.sessions[id].ID != "" })
	delete(r.gone, id)
	now, err := store.Get(ctx, id)
	require.NoError(t, err)
	require.Equal(t, back, now)
	require.NoError(t, store.Sync(ctx, id))
}

func command(t *testing.T, store queue.Store, id string, at time.Time, do queue.Action) queue.Session {
	t.Helper()
	q := queue.New(store)
	q.Now = func() time.Time { return at }
	s, err := q.Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: do})
	require.NoError(t, err, "%T", do)
	return s
}
