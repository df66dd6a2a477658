package history

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
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
	written map[string]string // files, by the name that was typed
	writes  int
	refuse  error // why none can be written
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	return &bench{Bench: roomtest.New(t, w, h, nil), written: map[string]string{}}
}

// open opens the page, and waits until it has read what it wants.
func (b *bench) open() {
	b.T.Helper()
	b.openNow()
	b.Calm()
}

// openNow opens the page, before anything was read.
func (b *bench) openNow() {
	b.Room = New(b, Options{Home: "/home/me", Chat: b.Chat, Write: func(name, text string) (string, error) {
		if b.writes++; b.refuse != nil {
			return "", b.refuse
		}
		b.written[name] = text
		return strings.Replace(name, "~", "/home/me", 1), nil
	}})
}

func (b *bench) press(names ...string) {
	b.T.Helper()
	b.Press(b.Room, names...)
}

// pressNow presses a key and does not wait for what it brings.
func (b *bench) pressNow(name string) {
	b.T.Helper()
	row, ok := b.Table().Row(b.Keys().Lookup(b.Place(), name).Action)
	require.True(b.T, ok)
	if b.Said = row.Refuse(name); b.Said != "" {
		return
	}
	row.Do(name)
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
	now, ctx := b.At, b.T.Context()
	defer func() { b.At = now }()
	b.At = now.Add(-ago)
	claim := queue.Claim{Instance: "bridge", Conn: "1"}
	o.Instance = "bridge"
	s, err := b.Queue.Create(ctx, queue.Session{Ask: a, Origin: o, Claim: &claim})
	require.NoError(b.T, err)
	b.At = b.At.Add(took)
	by, surface := queue.ByHuman, queue.SurfaceDashboard
	if _, clock := do.(queue.Expire); clock {
		by, surface = queue.ByClock, ""
	}
	s, err = b.Queue.Do(ctx, s.ID, queue.Command{By: by, Surface: surface, Do: do})
	require.NoError(b.T, err)
	if archived {
		s = b.collect(s)
	}
	return s
}

// collect returns the agent fetching its answer, and the queue archiving it.
func (b *bench) collect(s queue.Session) queue.Session {
	b.T.Helper()
	done, err := b.Queue.Do(b.T.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient,
		Do: queue.Collect{Claim: queue.Claim{Instance: "bridge", Conn: "1"}}})
	require.NoError(b.T, err)
	require.NoError(b.T, b.Queue.Store.Archive(b.T.Context(), done))
	return done
}

// settleElsewhere is an answer that somebody gave on another screen.
func (b *bench) settleElsewhere(s queue.Session, surface, option string) {
	b.T.Helper()
	_, err := b.Queue.Do(b.T.Context(), s.ID, queue.Command{By: queue.ByHuman, Surface: surface,
		Do: queue.Settle{Answer: chose(option)}})
	require.NoError(b.T, err)
	b.Calm()
}

// many archives n sessions, one a minute, the newest just now.
func (b *bench) many(n int) {
	b.T.Helper()
	for i := range n {
		b.past(time.Duration(n-i)*time.Minute, small(fmt.Sprintf("Question %04d?", i), 300), shop(), 5*time.Second,
			queue.Settle{Answer: chose("pg")}, true)
	}
	b.Calm()
}

// yesterday is a history of a few days, and a question that waits.
func (b *bench) yesterday() { b.yesterdayOf(infra()) }

// yesterdayOf is the same with another agent in the place of infra's.
func (b *bench) yesterdayOf(infra queue.Origin) {
	ids := []string{"9vh2kd0p", "b4t7xw1e", "k7f3m2qx", "m0a8cz5r", "q6n3jy9g", "w1s5fd8k"}
	b.Queue.NewID = func() string { id := ids[0]; ids = ids[1:]; return id }
	b.past(4*24*time.Hour+4*time.Hour+21*time.Minute, small("Move the database to eu-west-1?", 300), infra,
		72*time.Second, queue.Cancel{Reason: "not before the audit is over"}, true)
	b.past(27*time.Hour+4*time.Minute, small("Which cache database?", 300), web(), 301*time.Second, queue.Expire{}, true)
	ans := chose("pg")
	ans.Replies[0].Notes = map[string]string{"pg": "only the managed offering"}
	ans.Comment = "ship on Friday"
	o := shop()
	o.Version = "2.1.190"
	b.past(21*time.Hour+42*time.Minute, database(), o, 9*time.Second, queue.Settle{Answer: ans}, true)
	b.past(2*time.Hour, small("Name the flag", 300), web(), 20*time.Second, queue.Settle{Answer: chose("lite")}, true)
	b.past(time.Hour, small("Which port?", 7200), infra, 40*time.Second, queue.Settle{Answer: chose("pg")}, false)
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

// failingHistory is a store whose archive cannot be read.
type failingHistory struct{ queue.Store }

func (failingHistory) History(context.Context, string, int) ([]queue.Session, string, error) {
	return nil, "", fmt.Errorf("disk on fire")
}
