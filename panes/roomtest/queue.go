package roomtest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// Create puts a session into the queue, as the process that serves its agent does. That process is called bridge unless
// the origin names another.
func Create(t testing.TB, q *queue.Queue, a queue.Ask, o queue.Origin) queue.Session {
	t.Helper()
	if o.Instance == "" {
		o.Instance = "bridge"
	}
	claim := &queue.Claim{Instance: o.Instance, Conn: "1"}
	s, err := q.Create(t.Context(), queue.Session{Ask: a, Origin: o, Claim: claim})
	require.NoError(t, err)
	return s
}

// CreateGone puts a session into the queue whose caller's process is gone.
func CreateGone(t testing.TB, q *queue.Queue, a queue.Ask, o queue.Origin) queue.Session {
	t.Helper()
	o.Instance = "dead"
	s, err := q.Create(t.Context(), queue.Session{Ask: a, Origin: o})
	require.NoError(t, err)
	return s
}

// Stored reads a session as its caller would.
func Stored(t testing.TB, q *queue.Queue, id string) queue.Session {
	t.Helper()
	s, err := q.Store.Get(t.Context(), id)
	require.NoError(t, err)
	return s
}

// SettleElsewhere selects one option through another surface.
func SettleElsewhere(t testing.TB, q *queue.Queue, id, surface, option string) {
	t.Helper()
	_, err := q.Do(t.Context(), id, queue.Command{By: queue.ByHuman, Surface: surface,
		Do: queue.Settle{Answer: Chose(option)}})
	require.NoError(t, err)
}

// DraftElsewhere saves a draft as another running process does.
func DraftElsewhere(t testing.TB, q *queue.Queue, s queue.Session, instance string, selected ...string) {
	t.Helper()
	draft := queue.Draft{Session: s.ID, Instance: instance, At: q.Now()}
	draft.Answer.Replies = []queue.Reply{{Question: s.Ask.Questions[0].ID, Selected: selected}}
	require.NoError(t, q.Store.SaveDraft(t.Context(), draft))
}

// Whether the agent has fetched the result of a session of Past, so that the session is archived.
const archived, unfetched = true, false

// Past stores a question that was asked the given time ago and ended with the action do; took is the time between the
// two. archived: the agent has fetched the result, and the session is archived.
func Past(t testing.TB, q *queue.Queue, ago time.Duration, a queue.Ask, o queue.Origin, took time.Duration,
	do queue.Action, archived bool) queue.Session {
	t.Helper()
	clock := q.Now
	defer func() { q.Now = clock }()
	at := clock().Add(-ago)
	q.Now = func() time.Time { return at }
	o.Instance = "bridge"
	s := Create(t, q, a, o)
	at = at.Add(took)
	by, surface := queue.ByHuman, queue.SurfaceDashboard
	if _, expired := do.(queue.TimeOut); expired {
		by, surface = queue.ByClock, ""
	}
	s, err := q.Do(t.Context(), s.ID, queue.Command{By: by, Surface: surface, Do: do})
	require.NoError(t, err)
	if archived {
		s = Collect(t, q, s)
	}
	return s
}

// Collect has the agent fetch its answer, and archives the session.
func Collect(t testing.TB, q *queue.Queue, s queue.Session) queue.Session {
	t.Helper()
	s, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient,
		Do: queue.Collect{Claim: *s.Claim}})
	require.NoError(t, err)
	require.NoError(t, q.Store.Archive(t.Context(), s))
	return s
}

// Many archives n sessions that were asked a minute apart, the newest a minute ago.
func Many(t testing.TB, q *queue.Queue, n int) {
	t.Helper()
	for i := range n {
		Past(t, q, time.Duration(n-i)*time.Minute, Small(fmt.Sprintf("Question %04d?", i), 300), Shop(), 5*time.Second,
			queue.Settle{Answer: Chose("pg")}, archived)
	}
}

// Yesterday fills the queue with a history of a few days, with fixed ids; one id is left for the next session. infra
// stands in for the agent Infra.
func Yesterday(t testing.TB, q *queue.Queue, infra queue.Origin) {
	t.Helper()
	ids := []string{"9vh2kd0p", "b4t7xw1e", "k7f3m2qx", "m0a8cz5r", "q6n3jy9g", "w1s5fd8k"}
	q.NewID = func() string { id := ids[0]; ids = ids[1:]; return id }
	Past(t, q, 4*24*time.Hour+4*time.Hour+21*time.Minute, Small("Move the database to eu-west-1?", 300), infra,
		72*time.Second, queue.Cancel{Reason: "not before the audit is over"}, archived)
	Past(t, q, 27*time.Hour+4*time.Minute, Small("Which cache database?", 300), Web(), 301*time.Second, queue.TimeOut{},
		archived)
	answer := Chose("pg")
	answer.Replies[0].Notes = map[string]string{"pg": "only the managed offering"}
	answer.Comment = "ship on Friday"
	shop := Shop()
	shop.Version = "2.1.190"
	Past(t, q, 21*time.Hour+42*time.Minute, Database(), shop, 9*time.Second, queue.Settle{Answer: answer}, archived)
	Past(t, q, 2*time.Hour, Small("Name the flag", 300), Web(), 20*time.Second, queue.Settle{Answer: Chose("lite")},
		archived)
	Past(t, q, time.Hour, Small("Which port?", 7200), infra, 40*time.Second, queue.Settle{Answer: Chose("pg")},
		unfetched)
}

// FullStore is a store on a full disk. While Err is set it fails to write. While Doubt is set it writes, and then fails
// to make that durable.
type FullStore struct {
	queue.Store
	Err, Doubt error
}

// Put fails with Err, or with Doubt after it has written.
func (f *FullStore) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	if f.Err != nil {
		return queue.Session{}, f.Err
	}
	stored, err := f.Store.Put(ctx, s)
	return stored, errors.Join(err, f.Doubt)
}

// SaveDraft fails with Err.
func (f *FullStore) SaveDraft(ctx context.Context, d queue.Draft) error {
	if f.Err != nil {
		return f.Err
	}
	return f.Store.SaveDraft(ctx, d)
}

// Sync fails with Doubt.
func (f *FullStore) Sync(ctx context.Context, id string) error {
	if f.Doubt != nil {
		return f.Doubt
	}
	return f.Store.Sync(ctx, id)
}

// NoHistory is a store whose archive cannot be read.
type NoHistory struct{ queue.Store }

// History fails.
func (NoHistory) History(context.Context, string, int, queue.Fields) ([]queue.Session, string, error) {
	return nil, "", errors.New("disk on fire")
}

// Settings are settings without a file.
type Settings struct {
	S    config.Settings
	Full error // why no change can be saved
}

// Settings returns the settings. It and the methods that follow make a settings file that no other process writes.
func (f *Settings) Settings() config.Settings { return f.S }

// Err returns nil, because nothing is wrong with the settings.
func (f *Settings) Err() error { return nil }

// Path returns the name of a file that does not exist.
func (f *Settings) Path() string { return "config.json" }

// Effective returns nothing.
func (f *Settings) Effective() []config.Value { return nil }

// Update changes the settings, or fails with Full.
func (f *Settings) Update(change func(*config.Settings)) error {
	if f.Full == nil {
		change(&f.S)
	}
	return f.Full
}

// Unset sets a setting back to its default.
func (f *Settings) Unset(key string) error { return f.S.Set(key, config.Default().Values()[key]) }

// Watch waits for the end of ctx, because nobody else changes the settings.
func (f *Settings) Watch(ctx context.Context, _ func()) error { <-ctx.Done(); return nil }
