package plain

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// fixedSettings are settings without a file.
type fixedSettings struct {
	s    config.Settings
	full error // why no change can be saved
}

func (f *fixedSettings) Settings() config.Settings { return f.s }
func (f *fixedSettings) Err() error                { return nil }
func (f *fixedSettings) Update(change func(*config.Settings)) error {
	if f.full == nil {
		change(&f.s)
	}
	return f.full
}
func (f *fixedSettings) Watch(ctx context.Context, _ func()) error { <-ctx.Done(); return nil }

// bench is a dashboard on a memory store, driven by hand.
type bench struct {
	*Lines
	t        *testing.T
	at       time.Time
	settings *fixedSettings
	store    *breakable
	watcher  queue.Watcher
	written  *bytes.Buffer
	seen     int
}

// breakable is a store that can be out of order.
type breakable struct {
	queue.Store
	broken error
	doubt  error // it writes, and cannot make durable what it wrote
}

func (b *breakable) Sync(context.Context, string) error { return b.doubt }

func (b *breakable) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	if b.broken != nil {
		return s, b.broken
	}
	stored, err := b.Store.Put(ctx, s)
	return stored, errors.Join(err, b.doubt)
}

func newBench(t *testing.T, change func(*Options)) *bench {
	t.Helper()
	memory := storetest.NewMemory()
	b := &bench{t: t, at: noon, settings: &fixedSettings{s: config.Default()}, store: &breakable{Store: memory}, written: &bytes.Buffer{}}
	memory.Now = func() time.Time { return b.at }
	q := queue.New(b.store)
	q.Now = func() time.Time { return b.at }
	o := Options{Queue: q, Settings: b.settings, Instance: "me", Home: "/home/me", Out: b.written, Typed: true,
		Alerts: func(w desk.AlertWays) desk.Alerts {
			return &notify.Alerts{Watch: notify.Watch{Own: w.Own}, Sender: notify.Sender{Bell: w.Bell, Desktop: &notify.Desktop{Failed: w.Failed}}}
		}}
	if change != nil {
		change(&o)
	}
	b.Lines = New(o)
	b.desk.Take(queue.Changes{Presence: true}, []queue.Presence{{Instance: "bridge"}, {Instance: "me"}})
	w, err := b.store.Watch(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	b.watcher = w
	return b
}

// settle runs the worker and the watch until nothing more happens.
func (b *bench) settle() {
	b.t.Helper()
	for busy := true; busy; {
		busy = b.turns()
		ctx, cancel := context.WithTimeout(b.t.Context(), 30*time.Millisecond)
		if ch, err := b.watcher.Next(ctx); err == nil {
			ch.Presence = false
			b.desk.Take(ch, nil)
			busy = true
		}
		cancel()
		b.pass()
		busy = b.turns() || busy
	}
}

// turns does what waits for the worker, and reports whether there was anything.
func (b *bench) turns() bool {
	busy := b.desk.Work()
	b.desk.Drain()
	return busy
}

// newSettings puts other settings in force.
func (b *bench) newSettings() { b.desk.SetSettings(b.settings.Settings()) }

// next is when there is something to do next, at the latest at a time.
func (b *bench) next(latest time.Time) time.Time {
	if next := b.Lines.next(); !next.IsZero() && next.Before(latest) {
		return next
	}
	return latest
}

// wait lets time go by.
func (b *bench) wait(d time.Duration) {
	b.at = b.at.Add(d)
	b.settle()
}

// ask puts a question into the queue and waits until a line may answer it.
func (b *bench) ask(a queue.Ask) queue.Session {
	b.t.Helper()
	s := b.askNow(a)
	b.wait(desk.Settle)
	return s
}

func (b *bench) askNow(a queue.Ask) queue.Session {
	b.t.Helper()
	s := b.put(a)
	b.settle()
	return s
}

// put puts a question into the queue that nobody has looked at yet.
func (b *bench) put(a queue.Ask) queue.Session {
	b.t.Helper()
	s, err := b.o.Queue.Create(b.t.Context(), queue.Session{Ask: a, Claim: &queue.Claim{Instance: "bridge", Conn: "1"},
		Origin: queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Branch: "main", Instance: "bridge"}})
	require.NoError(b.t, err)
	return s
}

// types gives lines a person types, a second apart, and returns what was written since the last call.
func (b *bench) types(lines ...string) string {
	b.t.Helper()
	for _, l := range lines {
		b.line(line{l, b.at})
		b.settle()
		b.at = b.at.Add(time.Second)
	}
	return b.news()
}

// news is what was written since the last call.
func (b *bench) news() string {
	all := b.written.String()
	text := all[b.seen:]
	b.seen = len(all)
	require.NotContains(b.t, strings.ReplaceAll(text, "\a", ""), "\x1b")
	return text
}

func (b *bench) get(id string) queue.Session {
	b.t.Helper()
	s, err := b.o.Queue.Store.Get(b.t.Context(), id)
	require.NoError(b.t, err)
	return s.At(b.at)
}

// elsewhere answers through another surface.
func (b *bench) elsewhere(id, option string) {
	b.t.Helper()
	_, err := b.o.Queue.Do(b.t.Context(), id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceWeb,
		Do: queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{option}}}}}})
	require.NoError(b.t, err)
	b.settle()
}

func database() queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: "Which database?", Prompt: "The order service needs transactions.\nSo I ask.",
		Questions:      []queue.Question{question("q1", queue.ModeSingle)},
		TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone}
}

func question(id, mode string) queue.Question {
	q := queue.Question{ID: id, Mode: mode, Annotate: true}
	if mode != queue.ModeText {
		q.Options = []queue.Option{
			{ID: "pg", Label: "PostgreSQL", Description: "Transactions,\nthe team knows it", Recommended: true},
			{ID: "lite", Label: "SQLite", Description: "One file"}, {ID: "dynamo", Label: "DynamoDB"}}
	}
	q.Min, q.Max = queue.Bounds(mode, len(q.Options))
	return q
}

// one is the database question with its one question changed.
func one(mode string, change func(*queue.Question)) queue.Ask {
	a := database()
	a.Questions[0] = question("q1", mode)
	if change != nil {
		change(&a.Questions[0])
	}
	return a
}
