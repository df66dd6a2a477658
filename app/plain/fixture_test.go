package plain

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

var noon = roomtest.Noon

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

// bench is a dashboard on a memory store whose clock and worker the test drives.
type bench struct {
	*Lines
	*roomtest.Rig
	t        *testing.T
	settings *roomtest.Settings
	written  *sharedText
	seen     int
}

func newBench(t *testing.T, change func(*Options)) *bench {
	t.Helper()
	b := &bench{Rig: roomtest.NewRig(t), t: t, written: &sharedText{}}
	b.settings = b.Rig.Settings
	o := Options{Out: b.written, Typed: true, Services: b.Services()}
	o.Home = "/home/me"
	o.Alerts = func(w desk.AlertWays) desk.Alerts {
		return &notify.Alerts{Watch: notify.Watch{Own: w.Own}, Sender: notify.Sender{Bell: w.Bell, Desktop: &notify.Desktop{Failed: w.Failed}}}
	}
	if change != nil {
		change(&o)
	}
	b.Lines = New(o)
	b.Present = append(b.Present, queue.Presence{Instance: "me"})
	b.Watch(b.desk)
	return b
}

// settle runs the worker and the watch until nothing more happens.
func (b *bench) settle() {
	b.t.Helper()
	b.Drive(b.desk, func() {
		b.desk.Drain()
		b.passTime()
	})
	b.desk.Drain()
}

// turns runs the jobs that wait for the worker, and reports whether there were any.
func (b *bench) turns() bool {
	busy := b.desk.Work()
	b.desk.Drain()
	return busy
}

// rest leaves other goroutines the time to bring what they may not bring.
func (b *bench) rest() {
	time.Sleep(50 * time.Millisecond)
	b.turns()
}

// newSettings puts other settings in force.
func (b *bench) newSettings() { b.desk.SetSettings(b.settings.Settings()) }

// next returns the time of the next work, at the latest the given time.
func (b *bench) next(latest time.Time) time.Time {
	if next := b.Lines.nextPass(); !next.IsZero() && next.Before(latest) {
		return next
	}
	return latest
}

// wait moves the clock forward.
func (b *bench) wait(d time.Duration) {
	b.Clock.Pass(d)
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
	shop := queue.Origin{Client: "claude-code", Cwd: "/home/me/src/shop", Branch: "main"}
	return roomtest.Create(b.t, b.o.Queue, a, shop)
}

// types hands over lines as a person types them, a second apart. It returns what was written since the last call.
func (b *bench) types(lines ...string) string {
	b.t.Helper()
	for _, l := range lines {
		b.handleLine(line{l, b.Clock.T})
		b.settle()
		b.Clock.Pass(time.Second)
	}
	return b.news()
}

// typesUntil hands over a line, and returns what is written until the last of these words is there, which another
// goroutine may bring.
func (b *bench) typesUntil(line, last string) string {
	b.t.Helper()
	said := b.types(line)
	for end := time.Now().Add(5 * time.Second); !strings.Contains(said, last); time.Sleep(time.Millisecond) {
		require.True(b.t, time.Now().Before(end), said)
		b.turns()
		said += b.news()
	}
	return said
}

// news returns what was written since the last call.
func (b *bench) news() string {
	all := b.written.String()
	text := all[b.seen:]
	b.seen = len(all)
	require.NotContains(b.t, strings.ReplaceAll(text, "\a", ""), "\x1b")
	return text
}

func (b *bench) get(id string) queue.Session {
	b.t.Helper()
	return roomtest.Stored(b.t, b.o.Queue, id).At(b.Clock.T)
}

// elsewhere answers a question through another surface.
func (b *bench) elsewhere(id, option string) {
	b.t.Helper()
	roomtest.SettleElsewhere(b.t, b.o.Queue, id, queue.SurfaceWeb, option)
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

// one returns the database question after change has altered its one question.
func one(mode string, change func(*queue.Question)) queue.Ask {
	a := database()
	a.Questions[0] = question("q1", mode)
	if change != nil {
		change(&a.Questions[0])
	}
	return a
}

// sharedText may be read while it is written.
type sharedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *sharedText) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *sharedText) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
