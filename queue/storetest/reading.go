package storetest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// mixed fills a store with what a queue has: questions that wait, claimed, attached, left by their caller and with the
// team, a message, an answer that nobody collected, and a session in the history.
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
	message, err := q.Create(ctx, queue.NewMessage(queue.Origin{Client: "codex", Host: "here"}, `say "\ {[`))
	require.NoError(t, err)
	require.NoError(t, store.Archive(ctx, Finish(t, store, Create(t, store), time.Second)))
	return append(live, message)
}

func byID(all []queue.Session) []queue.Session {
	return slices.SortedFunc(slices.Values(all), func(a, b queue.Session) int { return strings.Compare(a.ID, b.ID) })
}

func testLive(t *testing.T, store queue.Store) {
	none, broken, err := store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, none)
	require.Empty(t, broken)
	want := mixed(t, store)
	for range 2 { // looking changes nothing
		got, broken, err := store.Live(t.Context())
		require.NoError(t, err)
		require.Empty(t, broken)
		require.Equal(t, byID(want), byID(got))
	}
}

// testPending needs exactly what the contract promises of a session, whatever else of it a store would have at hand.
func testPending(t *testing.T, store queue.Store) {
	none, _, err := store.Pending(t.Context())
	require.NoError(t, err)
	require.Empty(t, none)
	var want []queue.Session
	for _, s := range mixed(t, store) {
		if s.Outcome != nil {
			continue
		}
		short := queue.Session{
			Schema: s.Schema, ID: s.ID, Revision: s.Revision, Origin: s.Origin,
			Ask: queue.Ask{Kind: s.Ask.Kind, Title: s.Ask.Title}, AskedAt: s.AskedAt, Deadline: s.Deadline,
			Claim: s.Claim, DroppedAt: s.DroppedAt, Attached: s.Attached,
			Events: []queue.Event{{At: s.Events[len(s.Events)-1].At}},
		}
		if s.Widen != nil {
			short.Widen = &queue.Widened{State: s.Widen.State}
		}
		want = append(want, short)
	}
	got, broken, err := store.Pending(t.Context())
	require.NoError(t, err)
	require.Empty(t, broken)
	require.Equal(t, byID(want), byID(got))
}

// testNoID gives every method what is no id. Ids become names of files or keys, so none of it may reach them.
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

// testEnded calls every method with a context that has ended: each says so and writes nothing.
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
		"pending":  func() error { _, _, err := store.Pending(ended); return err },
		"watch":    func() error { _, err := store.Watch(ended); return err },
		"history":  func() error { _, _, err := store.History(ended, "", 1); return err },
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
