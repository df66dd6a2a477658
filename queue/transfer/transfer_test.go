package transfer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/transfer"
)

// errPower is the error of a store that stops working in the middle.
var errPower = errors.New("the power went")

// failing is a store that stops working at its nth write, before or after the write is done.
type failing struct {
	queue.Store
	left int
	late bool
}

func (f *failing) write(do func() error) error {
	f.left--
	switch {
	case f.left < -1, f.left == -1 && !f.late:
		return errPower
	case f.left == -1:
		_ = do()
		return errPower
	}
	return do()
}

func (f *failing) Create(ctx context.Context, s queue.Session) (made queue.Session, err error) {
	err = f.write(func() error { made, err = f.Store.Create(ctx, s); return err })
	return made, err
}

func (f *failing) Put(ctx context.Context, s queue.Session) (put queue.Session, err error) {
	err = f.write(func() error { put, err = f.Store.Put(ctx, s); return err })
	return put, err
}

func (f *failing) Archive(ctx context.Context, s queue.Session) error {
	return f.write(func() error { return f.Store.Archive(ctx, s) })
}

func (f *failing) SaveDraft(ctx context.Context, d queue.Draft) error {
	return f.write(func() error { return f.Store.SaveDraft(ctx, d) })
}

func (f *failing) DropDraft(ctx context.Context, id, instance string) error {
	return f.write(func() error { return f.Store.DropDraft(ctx, id, instance) })
}

// old returns a queue with all kinds of sessions, and their ids by kind.
func old(t *testing.T, store queue.Store) (*queue.Queue, map[string]string) {
	t.Helper()
	q, ids := queue.New(store), map[string]string{}
	for i := range 3 {
		s := storetest.Create(t, store)
		storetest.Finish(t, store, s, time.Duration(i)*time.Minute)
		ids[fmt.Sprint("done", i)] = s.ID
	}
	for i := range 3 {
		ids[fmt.Sprint("waits", i)] = storetest.Create(t, store).ID
	}
	answered := storetest.Create(t, store)
	_, err := q.Do(t.Context(), answered.ID, queue.Command{By: queue.ByHuman,
		Do: queue.Settle{Answer: storetest.Answer("a")}})
	require.NoError(t, err)
	ids["answered"] = answered.ID
	return q, ids
}

// requireMoved checks that the new queue has each session once and unchanged.
func requireMoved(t *testing.T, to queue.Store, ids map[string]string) {
	t.Helper()
	live, broken, err := to.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, broken)
	states := map[string]string{}
	for _, s := range live {
		require.Empty(t, states[s.ID], "twice")
		states[s.ID] = s.Status()
		require.False(t, s.Final)
	}
	page, _, err := to.History(t.Context(), "", 100)
	require.NoError(t, err)
	for _, s := range page {
		require.Empty(t, states[s.ID], "twice")
		states[s.ID] = "archived"
	}
	for name, id := range ids {
		want := map[byte]string{'d': "archived", 'w': queue.StatusPending, 'a': queue.StatusSelected}[name[0]]
		require.Equal(t, want, states[id], name)
	}
	require.Len(t, states, len(ids))
}

func TestAQueueIsMovedWhole(t *testing.T) {
	t.Parallel()
	from, err := spool.Open(t.TempDir() + "/queue")
	require.NoError(t, err)
	to := storetest.NewMemory()
	q, ids := old(t, from)
	require.NoError(t, from.SaveDraft(t.Context(), queue.Draft{Session: ids["waits0"], Instance: "me", Reason: "typed"}))
	report, err := transfer.Run(t.Context(), transfer.Options{From: q, To: to, Name: "nats://here"})
	require.NoError(t, err)
	require.Equal(t, transfer.Report{Waiting: 3, Answered: 1, History: 3, Verified: true}, report)
	requireMoved(t, to, ids)
	drafts, err := to.Drafts(t.Context(), ids["waits0"])
	require.NoError(t, err)
	require.Equal(t, "typed", drafts[0].Reason)

	_, err = q.Do(t.Context(), ids["waits0"], queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
	require.ErrorIs(t, err, queue.ErrFinal, "it can be answered here no more")
	stays, err := from.Get(t.Context(), ids["waits0"])
	require.NoError(t, err)
	require.Equal(t, "cancelled: moved to nats://here", stays.Summary())

	_, err = transfer.Run(t.Context(), transfer.Options{From: q, To: to, Name: "nats://here"})
	require.NoError(t, err, "a second time changes nothing")
	requireMoved(t, to, ids)
}

// requireOneWhole checks that after a stopped move the queue that the report names is complete.
func requireOneWhole(t *testing.T, r transfer.Report, from, to queue.Store, ids map[string]string) {
	t.Helper()
	whole := from
	if r.Verified {
		whole = to
	}
	live, _, err := whole.Live(t.Context())
	require.NoError(t, err)
	require.NoError(t, queue.New(whole).Sweep(t.Context(), live), "what has ended goes into the history")
	requireMoved(t, whole, ids)
}

func TestAMoveThatStopsAnywhereLeavesOneQueueWholeAndIsRunAgain(t *testing.T) {
	t.Parallel()
	for way := range 4 {
		side, late := way%2, way/2 == 1
		for stop := 0; ; stop++ {
			from, to := storetest.NewMemory(), storetest.NewMemory()
			_, ids := old(t, from)
			first, second := &failing{from, 1 << 20, late}, &failing{to, 1 << 20, late}
			[]*failing{first, second}[side].left = stop
			r, err := transfer.Run(t.Context(), transfer.Options{From: queue.New(first), To: second, Name: "there"})
			requireOneWhole(t, r, from, to, ids)
			_, again := transfer.Run(t.Context(), transfer.Options{From: queue.New(from), To: to, Name: "there"})
			require.NoError(t, again, "side %d, stopped at write %d, late %v", side, stop, late)
			requireMoved(t, to, ids)
			if err == nil {
				require.Greater(t, stop, 5, "it never stopped")
				break
			}
			require.ErrorIs(t, err, errPower)
		}
	}
}

func TestWhatHappensAtTheOldQueueAfterAStoppedMoveIsMovedByTheNext(t *testing.T) {
	t.Parallel()
	for stop := range 9 {
		from, to := memory("from"), memory("to")
		j := depart(t, from)
		r, err := move(t.Context(), from, place{&failing{to.Store, stop, false}, "to"})
		if err == nil {
			require.Equal(t, 5, stop, "four questions and a draft")
			break
		}
		require.False(t, r.Verified)
		j.answerThere(t, from)
		require.Equal(t, transfer.Report{Waiting: 1, Answered: 2, History: 1, Verified: true}, mustMove(t, from, to))
		requireOpen(t, from, map[string]string{})
		j.requireBack(t, to)
	}
}

func TestWhatIsAnsweredDuringTheMoveIsNotLost(t *testing.T) {
	t.Parallel()
	from, to := storetest.NewMemory(), storetest.NewMemory()
	q := queue.New(from)
	var ids []string
	for range 200 {
		ids = append(ids, storetest.Create(t, from).ID)
	}
	answered := map[string]bool{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, id := range ids {
			_, err := q.Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: storetest.Answer("a")}})
			answered[id] = err == nil
		}
	})
	_, err := transfer.Run(t.Context(), transfer.Options{From: q, To: to, Name: "there"})
	wg.Wait()
	if err != nil {
		require.ErrorIs(t, err, transfer.ErrUsed)
		_, err = transfer.Run(t.Context(), transfer.Options{From: q, To: to, Name: "there"})
		require.NoError(t, err)
	}
	for _, id := range ids {
		s, err := to.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, answered[id], s.Outcome != nil, "who was told that it is stored was told the truth")
	}
}

// meddled is a store that somebody uses when it is read for the nth time.
type meddled struct {
	queue.Store
	left int
	do   func()
}

func (m *meddled) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	if m.left--; m.left == 0 {
		m.do()
	}
	return m.Store.Live(ctx)
}

func TestAQueueThatIsUsedWhileItIsMovedIsNotCalledMoved(t *testing.T) {
	t.Parallel()
	for reading := 2; reading <= 3; reading++ { // to verify it, and in the end
		from, to := memory("from"), memory("to")
		old(t, from.Store)
		used := &meddled{Store: from.Store, left: reading, do: func() { storetest.Create(t, from.Store) }}
		r, err := move(t.Context(), place{used, "from"}, to)
		require.ErrorIs(t, err, transfer.ErrUsed)
		require.Equal(t, reading == 3, r.Verified)
		require.Equal(t, 4, mustMove(t, from, to).Waiting)
	}
}

// forgetful is a store that stores something else than it acknowledges.
type forgetful struct{ queue.Store }

func (f forgetful) Create(ctx context.Context, s queue.Session) (queue.Session, error) {
	s.Ask.Prompt += "!"
	return f.Store.Create(ctx, s)
}

func TestACopyThatDiffersIsNoticedBeforeTheOldQueueIsClosed(t *testing.T) {
	t.Parallel()
	from, to := storetest.NewMemory(), storetest.NewMemory()
	q, ids := old(t, from)
	r, err := transfer.Run(t.Context(), transfer.Options{From: q, To: forgetful{to}, Name: "there"})
	require.ErrorContains(t, err, "its copy at the other place differs")
	require.False(t, r.Verified)
	requireOneWhole(t, r, from, to, ids)
}

func TestAnotherSessionOfTheSameIDIsNeverOverwritten(t *testing.T) {
	t.Parallel()
	from, to := storetest.NewMemory(), storetest.NewMemory()
	s := storetest.Create(t, from)
	other := s
	other.AskedAt = s.AskedAt.Add(-time.Hour)
	_, err := to.Create(t.Context(), other)
	require.NoError(t, err)
	_, err = transfer.Run(t.Context(), transfer.Options{From: queue.New(from), To: to, Name: "there"})
	require.ErrorIs(t, err, transfer.ErrOther)
	kept, err := to.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, other.AskedAt, kept.AskedAt)
}

func TestWhatCannotBeReadOrIsNewerStaysAndIsCounted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/queue"
	from, err := spool.Open(dir)
	require.NoError(t, err)
	to := storetest.NewMemory()
	storetest.Create(t, from)
	broken, newer := storetest.Create(t, from), storetest.Create(t, from)
	write := func(id, text string) {
		names, err := filepath.Glob(filepath.Join(dir, "live", id, "*.json"))
		require.NoError(t, err)
		require.Len(t, names, 1)
		require.NoError(t, os.Remove(names[0]))
		require.NoError(t, os.WriteFile(names[0], []byte(text), 0o600))
	}
	write(broken.ID, "{")
	newer.Schema = queue.Schema + 1
	raw, err := json.Marshal(newer)
	require.NoError(t, err)
	write(newer.ID, string(raw))
	r, err := transfer.Run(t.Context(), transfer.Options{From: queue.New(from), To: to, Name: "there"})
	require.NoError(t, err)
	require.Equal(t, transfer.Report{Waiting: 1, Newer: 1, Broken: 1, Verified: true}, r)
	live, _, err := from.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
	require.False(t, live[0].Final, "it was not touched")
}
