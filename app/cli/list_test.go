package cli

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestListsSayUntilWhenAQuestionIsSetAside(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	s := storetest.Create(t, q.Store)
	s, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Later{}})
	require.NoError(t, err)
	now := time.Now()
	waiting := queue.WaitingOrder([]queue.Session{s}, func(string) bool { return true }, "", now)

	var out page
	require.NoError(t, printJSON(&out, listEntries(waiting, nil, now), ""))
	var all []map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &all))
	require.Equal(t, s.LaterUntil.Format(time.RFC3339Nano), all[0]["later_until"])

	out.Reset()
	listTable(&out, listed{pending: waiting}, now)
	require.Contains(t, out.String(), "later "+s.LaterUntil.Local().Format("15:04"))

	out.Reset()
	require.NoError(t, printSession(&out, s))
	require.Contains(t, out.String(), `"later_until"`)
	require.Contains(t, out.String(), `"kind": "set_aside"`)

	out.Reset()
	require.NoError(t, printJSON(&out, listEntries(waiting, nil, s.LaterUntil.Add(time.Second)), ""))
	require.NotContains(t, out.String(), "later_until", "it is back")
}

func TestListsSayForWhomAQuestionIsAndWhoAnswersIt(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	q.Person = "ana"
	s := storetest.Create(t, q.Store)
	s.Ask.Audience = []string{"ben"}
	now := time.Now()
	for person, instance := range map[string]string{"ben": "bens-1", "cem": "gone-1"} {
		require.NoError(t, q.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: instance, Person: person, At: now}))
	}
	release, err := q.Store.Announce(t.Context(), queue.Presence{Instance: "bens", Role: queue.RoleDashboard})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, release()) })
	waiting := queue.WaitingOrder([]queue.Session{s}, func(string) bool { return true }, q.Person, now)
	runs, err := q.Running(t.Context())
	require.NoError(t, err)
	who := answeringNow(t.Context(), q, runs, waiting)

	var out page
	require.NoError(t, printJSON(&out, listEntries(waiting, who, now), ""))
	var all []map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &all))
	require.Equal(t, []any{"ben"}, all[0]["audience"])
	require.Equal(t, []any{"ben"}, all[0]["answering"], "the other one has left")

	out.Reset()
	listTable(&out, listed{pending: waiting, who: who}, now)
	require.Contains(t, out.String(), ", for ben, ben is answering")

	q.Person = ""
	require.Empty(t, answeringNow(t.Context(), q, runs, waiting), "nobody shares the queue")
}

// countedStore counts how often the running processes are read.
type countedStore struct {
	queue.Store
	presence int
}

func (s *countedStore) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	s.presence++
	return s.Store.Present(ctx, roles...)
}

func TestTheListAsksOnceWhoRuns(t *testing.T) {
	t.Parallel()
	store := &countedStore{Store: storetest.NewMemory()}
	q := queue.New(store)
	q.Person, q.Host = "ana@laptop", "laptop"
	s := storetest.Create(t, store)
	_, err := store.Announce(t.Context(), queue.Presence{Instance: "seat", Role: queue.RoleDashboard})
	require.NoError(t, err)
	require.NoError(t, store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "seat-1", At: time.Now(),
		Person: "bob@desk", Answer: storetest.Answer("pg")}))
	l, err := readList(t.Context(), &shell{now: time.Now, err: io.Discard}, q, agentFilter{})
	require.NoError(t, err)
	require.Len(t, l.pending, 1)
	require.Equal(t, []string{"bob@desk"}, l.who[s.ID])
	require.Equal(t, 1, store.presence)
}

func TestTheListEndsWithTheAgentsThatNeedThePerson(t *testing.T) {
	t.Parallel()
	now := time.Now()
	needed := []queue.Presence{{Origin: &queue.Origin{Client: "claude-code", Cwd: "/src/shop"},
		Notice: &queue.Notice{Says: "Claude needs\nyour permission", At: now}}}
	var out page
	listTable(&out, listed{needed: needed}, now)
	require.Equal(t, "Nothing to answer.\nshop · claude needs you in its own pane since "+
		now.Local().Format("15:04")+": Claude needs your permission\n", out.String())
}

func TestWhatWaitsIsNarrowedByAgentAndByProject(t *testing.T) {
	t.Parallel()
	shop := queue.Origin{Client: "claude-code", Cwd: "/src/Shop"}
	require.True(t, agentFilter{}.matches(shop))
	require.True(t, agentFilter{agent: "claude"}.matches(shop))
	require.True(t, agentFilter{agent: "claude", project: "shop"}.matches(shop))
	require.False(t, agentFilter{agent: "codex", project: "shop"}.matches(shop))
	require.False(t, agentFilter{project: "claude"}.matches(shop), "a project is a directory")
}
