package history

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// The questions and agents of every room.
var (
	database = roomtest.Database
	small    = roomtest.Small
	shop     = roomtest.Shop
	infra    = roomtest.Infra
	web      = roomtest.Web
	chose    = roomtest.Chose
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // screens show local times
	os.Exit(m.Run())
}

// bench is the page on a host of so many cells.
type bench struct {
	*roomtest.Bench
	*Room
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	return &bench{Bench: roomtest.New(t, w, h, nil)}
}

// open opens the page, and waits until it has read what it wants.
func (b *bench) open() {
	b.T.Helper()
	b.openNow()
	b.Calm()
}

// openNow opens the page, before anything was read.
func (b *bench) openNow() {
	b.Room = New(b, Options{Home: "/home/me", Chat: b.Chat})
}

func (b *bench) press(names ...string) {
	b.T.Helper()
	b.Press(b.Room, names...)
}

// pressNow presses a key and does not wait for what it brings.
func (b *bench) pressNow(name string) {
	b.T.Helper()
	row, ok := b.Table().Row(b.Keys().Lookup(b.Place(), name).Name)
	require.True(b.T, ok)
	if why := row.Run(action.Arg{}); why != "" {
		b.Said = why
	}
}

func (b *bench) typeText(text string) {
	b.T.Helper()
	b.Write(b.Room, text)
}

func (b *bench) picture() string { return b.Picture(b.Room) }

func (b *bench) line() string { return b.EnterLine(b.Room) }

// past puts a settled session into the archive, or leaves it live, as if it had happened so long ago.
func (b *bench) past(ago time.Duration, a queue.Ask, o queue.Origin, took time.Duration, do queue.Action,
	archived bool) queue.Session {
	b.T.Helper()
	return roomtest.Past(b.T, b.Queue, ago, a, o, took, do, archived)
}

// many archives n sessions, one a minute, the newest just now.
func (b *bench) many(n int) {
	b.T.Helper()
	roomtest.Many(b.T, b.Queue, n)
	b.Calm()
}

// yesterday is a history of a few days, and a question that waits.
func (b *bench) yesterday() { b.yesterdayOf(infra()) }

// yesterdayOf is the same with another agent in the place of infra's.
func (b *bench) yesterdayOf(infra queue.Origin) {
	roomtest.Yesterday(b.T, b.Queue, infra)
	b.Calm()
	b.Ask(small("Which cache?", 253), shop())
	b.Pass(time.Second)
}

// drafted keeps what somebody typed into a session elsewhere.
func (b *bench) drafted(id string, answer queue.Answer) {
	b.T.Helper()
	require.NoError(b.T, b.Queue.Store.SaveDraft(b.T.Context(), queue.Draft{Session: id, Instance: "gone",
		At: time.Now(), Answer: answer}))
}
