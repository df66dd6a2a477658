// Package storetest contains the tests that every queue.Store must pass, a store in memory that passes them, and
// tools that let processes race against each other.
package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// patience is the time after which a test stops waiting for a watcher. Stores that poll need seconds.
const patience = 30 * time.Second

// Run tests the contract of queue.Store. open returns an empty store each time.
func Run(t *testing.T, open func(t *testing.T) queue.Store) {
	for name, test := range map[string]func(*testing.T, queue.Store){
		"create": testCreate, "get": testGet, "put": testPut, "put conflicts": testConflict,
		"put too much": testTooLarge, "sync": testSync,
		"archive": testArchive, "told": testTold, "live": testLive, "history": testHistory,
		"no id": testNoID, "ended": testEnded, "later": testLater,
		"drafts": testDrafts, "presence": testPresence,
		"watch all": testWatchAll, "watch some": testWatchSome, "watch gone": testWatchGone,
		"watch drafts and presence": testWatchRest, "few news": testFewNews, "watch ends": testWatchEnds,
		"await": testAwait, "slow reader": testSlowReader, "race": testRace, "moves at once": testGapless,
		"random commands": testRandom,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func testCreate(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	require.EqualValues(t, 1, s.Revision)
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got, "what was acknowledged is what is stored")

	_, err = store.Create(ctx, s)
	require.ErrorIs(t, err, queue.ErrExists)

	s.ID = "../../x1"
	_, err = store.Create(ctx, s)
	require.Error(t, err, "an id becomes a name, so it is checked")
}

func testGet(t *testing.T, store queue.Store) {
	ctx := t.Context()
	for _, id := range []string{"k7f3m2qx", "", "..", "../../..", "K7F3M2QX"} {
		_, err := store.Get(ctx, id)
		require.ErrorIs(t, err, queue.ErrNotFound, "id %q", id)
	}
}

func testPut(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	for want := uint64(2); want < 30; want++ {
		s.Deadline = s.Deadline.Add(time.Second)
		put, err := store.Put(ctx, s)
		require.NoError(t, err)
		require.Equal(t, want, put.Revision, "revisions have no gaps")
		s = put
	}
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got)

	s.ID = "zzzzzzzz"
	_, err = store.Put(ctx, s)
	require.ErrorIs(t, err, queue.ErrNotFound)
}

func testConflict(t *testing.T, store queue.Store) {
	ctx := t.Context()
	old := Create(t, store)
	_, err := store.Put(ctx, old)
	require.NoError(t, err)
	_, err = store.Put(ctx, old)
	require.ErrorIs(t, err, queue.ErrConflict, "an old revision")
	ahead := old
	ahead.Revision = 7
	_, err = store.Put(ctx, ahead)
	require.ErrorIs(t, err, queue.ErrConflict, "a revision that is not there yet would leave a gap")
	newer := old
	newer.Revision, newer.Schema = 2, queue.Schema+1
	_, err = store.Put(ctx, newer)
	require.ErrorIs(t, err, queue.ErrNewer, "what a newer choicetui wrote is never written over")

	final := Finish(t, store, Create(t, store), time.Second)
	_, err = store.Put(ctx, final)
	require.ErrorIs(t, err, queue.ErrFinal, "nothing is written behind the last revision")
	require.NoError(t, store.Archive(ctx, final))
	stale := final
	stale.Revision--
	_, err = store.Put(ctx, stale)
	require.ErrorIs(t, err, queue.ErrConflict, "archived meanwhile is changed meanwhile: read again")
	_, err = store.Put(ctx, final)
	require.ErrorIs(t, err, queue.ErrNotFound)

	late, err := queue.New(store).Do(ctx, final.ID, queue.Command{Do: queue.Cancel{Reason: "too late"}})
	require.ErrorIs(t, err, queue.ErrFinal)
	require.Equal(t, final, late, "whoever comes too late is told who won")
}

func testTooLarge(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	large := s
	large.Outcome = &queue.Outcome{Reason: strings.Repeat("x", queue.MaxSessionBytes)}
	_, err := store.Put(ctx, large)
	var invalid *queue.Invalid
	require.ErrorAs(t, err, &invalid, "what could not be read again is not written")
	require.NotEmpty(t, invalid.Problems)
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got, "what was stored stays")
	got.Deadline = got.Deadline.Add(time.Second)
	_, err = store.Put(ctx, got)
	require.NoError(t, err, "and goes on")
}

func testSync(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	require.NoError(t, store.Sync(ctx, s.ID))
	require.ErrorIs(t, store.Sync(ctx, "zzzzzzzz"), queue.ErrNotFound)
	require.ErrorIs(t, store.Sync(ctx, "../x"), queue.ErrNotFound)
	s = Finish(t, store, s, time.Second)
	require.NoError(t, store.Archive(ctx, s))
	require.NoError(t, store.Sync(ctx, s.ID), "an archived session is durable")
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got, "syncing changes nothing")
}

// testTold tells a team about a final session.
func testTold(t *testing.T, store queue.Store) {
	ctx, claim := t.Context(), queue.Claim{Instance: "i", Conn: "c"}
	s := Create(t, store)
	for _, do := range []queue.Action{queue.CallTeam{Call: "x", Decision: "d", Backend: "http", For: time.Second},
		Widen(), queue.Settle{Answer: Answer("a")}, queue.Take{Claim: claim}, queue.Collect{Claim: claim}} {
		s = command(t, store, s.ID, do)
	}
	require.True(t, s.Final)
	s = command(t, store, s.ID, queue.CallTeam{Call: "y", For: time.Second})
	s = command(t, store, s.ID, queue.LeaveTeam{Call: "y", Told: true})
	_, err := store.Put(ctx, s)
	require.ErrorIs(t, err, queue.ErrFinal)
	require.NoError(t, store.Archive(ctx, s))
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s, got)
}

func testArchive(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	s.Final = true // the stored session counts, not the caller's
	require.ErrorIs(t, store.Archive(ctx, s), queue.ErrPending)
	final := Finish(t, store, s, time.Second)
	require.NoError(t, store.Archive(ctx, final))
	require.NoError(t, store.Archive(ctx, final), "anyone may do it again")
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, final, got)
	final.ID = "zzzzzzzz"
	require.ErrorIs(t, store.Archive(ctx, final), queue.ErrNotFound)
}

func testHistory(t *testing.T, store queue.Store) {
	ctx := t.Context()
	page, next, err := store.History(ctx, "", 10, queue.Whole)
	require.NoError(t, err)
	require.Empty(t, page)
	require.Empty(t, next)
	n, err := store.CountHistory(ctx)
	require.NoError(t, err)
	require.Zero(t, n)

	Create(t, store) // live sessions are not in the history
	var want []string
	for i := range 7 {
		s := Finish(t, store, Create(t, store), time.Duration(i)*10*time.Second)
		require.NoError(t, store.Archive(ctx, s))
		want = append(want, s.ID)
	}
	slices.Reverse(want)
	for _, limit := range []int{1, 3, 7, 100} {
		require.Equal(t, want, pageThrough(t, store, limit), "newest first, each once, in pages of %d", limit)
	}
	whole, _, err := store.History(ctx, "", 10, queue.Whole)
	require.NoError(t, err)
	outlines, _, err := store.History(ctx, "", 10, queue.Outline)
	require.NoError(t, err)
	require.Len(t, outlines, len(whole))
	for i, s := range outlines {
		require.Equal(t, whole[i].Outline(), s.Outline())
	}
	page, _, err = store.History(ctx, "", 0, queue.Whole)
	require.NoError(t, err)
	require.Len(t, page, 1, "a page is never empty while there are more")
	n, err = store.CountHistory(ctx)
	require.NoError(t, err)
	require.Equal(t, len(want), n, "counted is what is paged through")
}

// pageThrough reads the whole history in pages and returns the ids of its sessions.
func pageThrough(t *testing.T, store queue.Store, limit int) (ids []string) {
	t.Helper()
	for cursor, first := "", true; cursor != "" || first; first = false {
		page, next, err := store.History(t.Context(), cursor, limit, queue.Whole)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), limit)
		for _, s := range page {
			ids = append(ids, s.ID)
		}
		cursor = next
	}
	return ids
}

func testDrafts(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	now := time.Now().UTC().Truncate(time.Millisecond)
	draft := func(instance, text string, age time.Duration) queue.Draft {
		return queue.Draft{
			Session: s.ID, Instance: instance, At: now.Add(-age), Answered: []string{"db"}, Reason: "because",
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "db", Text: text}}, Comment: text},
		}
	}
	require.NoError(t, store.SaveDraft(ctx, draft("web", "half", time.Minute)))
	require.NoError(t, store.SaveDraft(ctx, draft("dash", "old", time.Hour)))
	require.NoError(t, store.SaveDraft(ctx, draft("dash", "new", 0)))
	require.NoError(t, store.SaveDraft(ctx, draft("gone", "stale", queue.KeptFor+time.Minute)))
	got, err := store.Drafts(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, []queue.Draft{draft("dash", "new", 0), draft("web", "half", time.Minute)}, got,
		"one per instance, newest first, none older than a day")

	unchanged, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, s.Revision, unchanged.Revision, "a draft is no revision")

	require.NoError(t, store.DropDraft(ctx, s.ID, "dash"))
	require.NoError(t, store.DropDraft(ctx, s.ID, "dash"))
	got, err = store.Drafts(ctx, s.ID)
	require.NoError(t, err)
	require.Len(t, got, 1)
	got, err = store.Drafts(ctx, "zzzzzzzz")
	require.NoError(t, err)
	require.Empty(t, got)
}

func testPresence(t *testing.T, store queue.Store) {
	ctx := t.Context()
	a := queue.Presence{Instance: "a", Role: queue.RoleBridge}
	b := queue.Presence{Instance: "b", Role: queue.RoleDashboard}
	releaseB, err := store.Announce(ctx, b)
	require.NoError(t, err)
	releaseA, err := store.Announce(ctx, a)
	require.NoError(t, err)
	got, err := store.Present(ctx)
	require.NoError(t, err)
	require.Equal(t, []queue.Presence{a, b}, got)
	got, err = store.Present(ctx, queue.RoleDashboard, queue.RolePortal)
	require.NoError(t, err)
	require.Equal(t, []queue.Presence{b}, got, "of these roles")
	require.NoError(t, releaseA())
	require.NoError(t, releaseA(), "released twice")
	got, err = store.Present(ctx)
	require.NoError(t, err)
	require.Equal(t, []queue.Presence{b}, got)
	require.NoError(t, releaseB())

	n := queue.Presence{Instance: "n", Role: queue.RoleNotice,
		Origin: &queue.Origin{Client: "agent", PID: 7, Thread: "t", OneSession: true},
		Notice: &queue.Notice{Says: "It needs your permission", At: time.Now().UTC().Truncate(time.Millisecond)}}
	releaseN, err := store.Announce(ctx, n)
	require.NoError(t, err)
	got, err = store.Present(ctx)
	require.NoError(t, err)
	require.Equal(t, []queue.Presence{n}, got, "what an agent says in its own pane comes with it")
	require.NoError(t, releaseN())
}

// testLater checks that a store keeps the time to which a question is put off, and the request for more detail.
func testLater(t *testing.T, store queue.Store) {
	ctx, q := t.Context(), queue.New(store)
	s := Create(t, store)
	put, err := q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Do: queue.Later{}})
	require.NoError(t, err)
	got, err := store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, put, got)
	until, aside := got.AsideUntil(time.Now())
	require.True(t, aside)
	require.WithinDuration(t, time.Now().Add(queue.LaterFor), until, patience)

	wants := queue.Cancel{Reason: "the cost", Code: queue.ReasonMoreDetail}
	_, err = q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Do: wants})
	require.NoError(t, err)
	got, err = store.Get(ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.ReasonMoreDetail, got.Outcome.ReasonCode)
}

// testRace checks that every racer gets the same verdict.
func testRace(t *testing.T, store queue.Store) {
	for range 8 {
		require.Empty(t, race(t, store, 16))
	}
}

// race lets racers end one session at the same time, and returns the rules that were broken.
func race(t *testing.T, store queue.Store, racers int) []string {
	s := Create(t, store)
	verdicts, errs := make([]string, racers), make([]error, racers)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range racers {
		wg.Go(func() {
			<-start
			verdicts[i], errs[i] = Race(t.Context(), store, i, s.ID)
		})
	}
	close(start)
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	final, err := store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	return Violations(final, verdicts)
}

// testGapless moves the deadline from many goroutines. Every acknowledged move is in the session once, and each took
// one revision.
func testGapless(t *testing.T, store queue.Store) {
	s := Create(t, store)
	const movers, moves = 8, 10
	var wg sync.WaitGroup
	errs := make([]error, movers)
	for i := range movers {
		wg.Go(func() {
			for j := range moves {
				c := queue.Command{ID: fmt.Sprintf("m-%d-%d", i, j), Do: queue.Move{By: time.Second}}
				if _, err := queue.New(store).Do(t.Context(), s.ID, c); err != nil {
					errs[i] = err
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	final, err := store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.EqualValues(t, 1+movers*moves, final.Revision)
	seen := map[string]int{}
	for _, e := range final.Events {
		seen[e.ID]++
	}
	require.Len(t, seen, 1+movers*moves)
	require.Equal(t, s.Deadline.Add(movers*moves*time.Second), final.Deadline)
}

// mixed fills a store with all kinds of sessions, and returns the live ones: questions that are pending, claimed,
// attached, left by their caller and with the team, a message, and an answer that nobody collected. One more session is
// archived.
func mixed(t *testing.T, store queue.Store) (live []queue.Session) {
	t.Helper()
	ctx, q, claim := t.Context(), queue.New(store), queue.Claim{Instance: "i", Conn: "c"}
	for _, actions := range [][]queue.Action{
		{}, {queue.Take{Claim: claim}}, {queue.Attach{Instance: "form", Pane: "%3"}}, {queue.Move{By: time.Minute}},
		{queue.Take{Claim: claim}, queue.Release{Claim: claim, Dropped: true}}, {queue.Settle{Answer: Answer("a")}},
		{Widen()}, {Widen(), queue.AskSummary{ID: "r", Block: "said"}, queue.Regroup{State: queue.WidenParked}},
	} {
		s := Create(t, store)
		for _, do := range actions {
			var err error
			s, err = q.Do(ctx, s.ID, queue.Command{By: queue.ByHuman, Do: do})
			require.NoError(t, err)
		}
		live = append(live, s)
	}
	to := queue.Origin{Client: "agent", Host: "here", Thread: "t", OneSession: true}
	message, err := q.Create(ctx, queue.NewMessage(to, `say "\ {[`))
	require.NoError(t, err)
	require.NoError(t, store.Archive(ctx, Finish(t, store, Create(t, store), time.Second)))
	return append(live, message)
}

// byID returns the sessions sorted by their ids.
func byID(all []queue.Session) []queue.Session {
	return slices.SortedFunc(slices.Values(all), func(a, b queue.Session) int { return strings.Compare(a.ID, b.ID) })
}

func testLive(t *testing.T, store queue.Store) {
	none, broken, err := store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, none)
	require.Empty(t, broken)
	want := mixed(t, store)
	for range 2 { // Live changes nothing
		got, broken, err := store.Live(t.Context())
		require.NoError(t, err)
		require.Empty(t, broken)
		require.Equal(t, byID(want), byID(got))
	}
}

// testNoID passes words that are not ids to every method. Ids become names of files and keys, so no such word may
// reach them.
func testNoID(t *testing.T, store queue.Store) {
	ctx := t.Context()
	s := Create(t, store)
	for _, id := range []string{"", "..", "../../..", "../live", "K7F3M2QX", "k7f3m2q", "k7f3m2q/", "iiiiiiii"} {
		bad := s
		bad.ID = id
		_, err := store.Create(ctx, bad)
		require.Error(t, err, "id %q", id)
		_, err = store.Get(ctx, id)
		require.ErrorIs(t, err, queue.ErrNotFound, "id %q", id)
		_, err = store.Put(ctx, bad)
		require.ErrorIs(t, err, queue.ErrNotFound, "id %q", id)
		require.ErrorIs(t, store.Sync(ctx, id), queue.ErrNotFound, "id %q", id)
		require.ErrorIs(t, store.Archive(ctx, bad), queue.ErrNotFound, "id %q", id)
		require.Error(t, store.SaveDraft(ctx, queue.Draft{Session: id, Instance: "web"}), "id %q", id)
		require.NoError(t, store.DropDraft(ctx, id, "web"), "id %q", id)
		drafts, err := store.Drafts(ctx, id)
		require.NoError(t, err, "id %q", id)
		require.Empty(t, drafts)
	}
	for _, instance := range []string{"", "../x", "a/b", "a.b", strings.Repeat("x", 65)} {
		require.Error(t, store.SaveDraft(ctx, queue.Draft{Session: s.ID, Instance: instance}), "instance %q", instance)
		require.NoError(t, store.DropDraft(ctx, s.ID, instance), "instance %q", instance)
	}
	drafts, err := store.Drafts(ctx, s.ID)
	require.NoError(t, err)
	require.Empty(t, drafts)
}

// testEnded calls every method with a context that has ended. Each fails with its error and writes nothing.
func testEnded(t *testing.T, store queue.Store) {
	s := Create(t, store)
	draft := queue.Draft{Session: s.ID, Instance: "web"}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"create": func() error {
			v := s
			v.ID = "k7f3m2qx"
			_, err := store.Create(ended, v)
			return err
		},
		"get":      func() error { _, err := store.Get(ended, s.ID); return err },
		"put":      func() error { _, err := store.Put(ended, s); return err },
		"sync":     func() error { return store.Sync(ended, s.ID) },
		"archive":  func() error { return store.Archive(ended, s) },
		"live":     func() error { _, _, err := store.Live(ended); return err },
		"watch":    func() error { _, err := store.Watch(ended, queue.AllNews); return err },
		"history":  func() error { _, _, err := store.History(ended, "", 1, queue.Whole); return err },
		"count":    func() error { _, err := store.CountHistory(ended); return err },
		"save":     func() error { return store.SaveDraft(ended, draft) },
		"drafts":   func() error { _, err := store.Drafts(ended, s.ID); return err },
		"drop":     func() error { return store.DropDraft(ended, s.ID, "web") },
		"announce": func() error { _, err := store.Announce(ended, queue.Presence{Instance: "x"}); return err },
		"present":  func() error { _, err := store.Present(ended); return err },
	} {
		require.ErrorIs(t, call(), context.Canceled, name)
	}
	live, _, err := store.Live(t.Context())
	require.NoError(t, err)
	require.Equal(t, []queue.Session{s}, live)
	present, err := store.Present(t.Context())
	require.NoError(t, err)
	require.Empty(t, present)
	drafts, err := store.Drafts(t.Context(), s.ID)
	require.NoError(t, err)
	require.Empty(t, drafts)
}

// command gives a person's command, which must succeed.
func command(t *testing.T, store queue.Store, id string, do queue.Action) queue.Session {
	t.Helper()
	s, err := queue.New(store).Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: do})
	require.NoError(t, err, "%T", do)
	return s
}
