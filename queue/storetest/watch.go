package storetest

import (
	"context"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// reader collects the changes of a watcher, like a dashboard.
type reader struct {
	t        *testing.T
	w        queue.Watcher
	sessions map[string]queue.Session
	gone     map[string]bool
	drafts   map[string]queue.Draft
	presence int
	batches  int
}

// watch begins a watch whose changes the returned reader collects.
func watch(t *testing.T, store queue.Store, ids ...string) *reader {
	t.Helper()
	return read(t, store, queue.AllNews, ids...)
}

// read begins a watch and returns its reader.
func read(t *testing.T, store queue.Store, news queue.News, ids ...string) *reader {
	t.Helper()
	w, err := store.Watch(t.Context(), news, ids...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return &reader{
		t: t, w: w, sessions: map[string]queue.Session{}, gone: map[string]bool{}, drafts: map[string]queue.Draft{},
	}
}

// next collects one batch of changes.
func (r *reader) next() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	ch, err := r.w.Next(ctx)
	require.NoError(r.t, err)
	r.batches++
	for _, s := range ch.Sessions {
		require.Greater(r.t, s.Revision, r.sessions[s.ID].Revision, "revisions only grow")
		r.sessions[s.ID] = s
	}
	for _, id := range ch.Gone {
		r.gone[id] = true
		delete(r.sessions, id)
	}
	for _, d := range ch.Drafts {
		r.drafts[d.Session+d.Instance] = d
	}
	if ch.Presence {
		r.presence++
	}
}

// until collects batches until is returns true. what describes that for the message of a failed test.
func (r *reader) until(what string, is func() bool) {
	r.t.Helper()
	for start := time.Now(); !is(); r.next() {
		require.Less(r.t, time.Since(start), patience, what)
	}
}

// quiet checks that no change is reported for a while.
func (r *reader) quiet() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 100*time.Millisecond)
	defer cancel()
	ch, err := r.w.Next(ctx)
	require.ErrorIs(r.t, err, context.DeadlineExceeded, "unexpected: %+v", ch)
}

func testWatchAll(t *testing.T, store queue.Store) {
	empty := watch(t, store)
	empty.next() // the first batch comes even if it is empty
	require.Empty(t, empty.sessions)
	require.Equal(t, 1, empty.presence)

	a, b := Create(t, store), Create(t, store)
	empty.until("both arrive", func() bool { return len(empty.sessions) == 2 })
	later := watch(t, store)
	later.next()
	require.Equal(t, map[string]queue.Session{a.ID: a, b.ID: b}, later.sessions, "the first batch is all there is")

	a2, err := store.Put(t.Context(), a)
	require.NoError(t, err)
	later.until("the change arrives", func() bool { return later.sessions[a.ID].Revision == 2 })
	require.Equal(t, a2, later.sessions[a.ID])
	later.quiet()
}

func testWatchSome(t *testing.T, store queue.Store) {
	a, b := Create(t, store), Create(t, store)
	r := watch(t, store, a.ID)
	r.next()
	require.Equal(t, map[string]queue.Session{a.ID: a}, r.sessions)
	_, err := store.Put(t.Context(), b)
	require.NoError(t, err)
	require.NoError(t, store.SaveDraft(t.Context(), queue.Draft{Session: b.ID, Instance: "web"}))
	r.quiet()
	_, err = store.Put(t.Context(), a)
	require.NoError(t, err)
	r.until("the change arrives", func() bool { return r.sessions[a.ID].Revision == 2 })
	require.Len(t, r.sessions, 1)
	require.Empty(t, r.drafts)
}

func testWatchGone(t *testing.T, store queue.Store) {
	s := Create(t, store)
	all, one := watch(t, store), watch(t, store, s.ID)
	all.next()
	one.next()
	final := Finish(t, store, s, time.Second)
	require.NoError(t, store.Archive(t.Context(), final))
	for _, r := range []*reader{all, one} {
		r.until("it goes", func() bool { return r.gone[s.ID] })
		require.Empty(t, r.sessions)
		r.quiet()
	}
	late := watch(t, store, s.ID)
	late.next()
	require.True(t, late.gone[s.ID], "a session asked for by id that is not live is gone at once")
	late.quiet()
	others := watch(t, store)
	others.next()
	require.Empty(t, others.gone)
}

func testWatchRest(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	r := watch(t, store)
	r.next()
	for _, text := range []string{"ha", "half"} {
		d := queue.Draft{Session: s.ID, Instance: "web", Reason: text, At: time.Now().UTC()}
		require.NoError(t, store.SaveDraft(ctx, d))
		r.until("the draft arrives", func() bool { return r.drafts[s.ID+"web"].Reason == text })
	}
	late := watch(t, store)
	late.next()
	require.Equal(t, "half", late.drafts[s.ID+"web"].Reason, "drafts are in the first batch")

	seen := r.presence
	release, err := store.Announce(ctx, queue.Presence{Instance: "x", Role: queue.RoleBridge})
	require.NoError(t, err)
	r.until("it is announced", func() bool { return r.presence == seen+1 })
	require.NoError(t, release())
	r.until("it is released", func() bool { return r.presence == seen+2 })
}

// testFewNews checks that an agent sees its own question, and a dashboard that comes and goes.
func testFewNews(t *testing.T, store queue.Store) {
	ctx, q := t.Context(), queue.New(store)
	mine := Create(t, store)
	r := read(t, store, queue.FewNews, mine.ID)
	r.next()
	require.Equal(t, mine, r.sessions[mine.ID])
	require.Equal(t, 1, r.presence, "who runs is to be looked at first")

	other := Create(t, store)
	_, err := q.Do(ctx, other.ID, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: Answer("a")}})
	require.NoError(t, err)
	r.quiet()
	release, err := store.Announce(ctx, queue.Presence{Instance: "x", Role: queue.RoleDashboard})
	require.NoError(t, err)
	r.until("the dashboard is announced", func() bool { return r.presence == 2 })
	require.NoError(t, release())
	r.until("the dashboard is released", func() bool { return r.presence == 3 })
	put, err := q.Do(ctx, mine.ID, queue.Command{By: queue.ByHuman, Do: queue.Settle{Answer: Answer("a")}})
	require.NoError(t, err)
	r.until("its question is answered", func() bool { return r.sessions[mine.ID].Outcome != nil })
	require.Equal(t, put, r.sessions[mine.ID])
	all := read(t, store, queue.FewNews)
	all.next()
	require.Len(t, all.sessions, 2)
}

func testWatchEnds(t *testing.T, store queue.Store) {
	w, err := store.Watch(t.Context(), queue.AllNews)
	require.NoError(t, err)
	_, err = w.Next(t.Context())
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = w.Next(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)

	ended := make(chan error)
	go func() {
		_, err := w.Next(context.Background())
		ended <- err
	}()
	time.Sleep(20 * time.Millisecond)
	require.NoError(t, w.Close())
	require.NoError(t, w.Close(), "closed twice")
	select {
	case err := <-ended:
		require.ErrorIs(t, err, fs.ErrClosed)
	case <-time.After(patience):
		require.Fail(t, "Next goes on after Close")
	}
	_, err = w.Next(t.Context())
	require.ErrorIs(t, err, fs.ErrClosed)
}

// testSlowReader checks a reader that does not read while hundreds of changes happen.
func testSlowReader(t *testing.T, store queue.Store) {
	slow := watch(t, store)
	slow.next()
	busy, other := Create(t, store), Create(t, store)
	for range 300 {
		var err error
		busy, err = store.Put(t.Context(), busy)
		require.NoError(t, err)
	}
	slow.until("the latest state arrives", func() bool { return slow.sessions[busy.ID].Revision == busy.Revision })
	require.Contains(t, slow.sessions, other.ID)
	require.Less(t, slow.batches, 100, "many steps are one change")
}

func testAwait(t *testing.T, store queue.Store) {
	q := queue.New(store)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()

	s := Create(t, store)
	soon, end := context.WithTimeout(ctx, 20*time.Millisecond)
	defer end()
	last, err := q.Await(soon, s.ID, 0, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.True(t, last.Pending())

	over := make(chan queue.Session)
	go func() {
		defer close(over)
		if s, err := q.Await(ctx, s.ID, 0, nil); err == nil {
			over <- s
		}
	}()
	done, err := queue.New(store).Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{Reason: "enough"}})
	require.NoError(t, err)
	require.Equal(t, done, <-over)

	early, err := q.Await(ctx, s.ID, 0, nil)
	require.NoError(t, err)
	require.Equal(t, done, early, "it was over before")

	archived := Finish(t, store, Create(t, store), 0)
	early, err = q.Await(ctx, archived.ID, 0, nil)
	require.NoError(t, err)
	require.Equal(t, archived, early, "it is in the history")

	_, err = q.Await(ctx, "k7f3m2qx", 0, nil)
	require.ErrorIs(t, err, queue.ErrNotFound)
}
