package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// past puts a settled session into the archive, or leaves it live, as if it had happened so long ago.
func (b *bench) past(ago time.Duration, a queue.Ask, o queue.Origin, took time.Duration, do queue.Action, archived bool) queue.Session {
	b.t.Helper()
	now, ctx := b.clock.t, b.t.Context()
	defer func() { b.clock.t = now }()
	b.clock.t = now.Add(-ago)
	q, claim := b.o.Queue, queue.Claim{Instance: "bridge", Conn: "1"}
	o.Instance = "bridge"
	s, err := q.Create(ctx, queue.Session{Ask: a, Origin: o, Claim: &claim})
	require.NoError(b.t, err)
	b.clock.pass(took)
	by, surface := queue.ByHuman, queue.SurfaceDashboard
	if _, clock := do.(queue.Expire); clock {
		by, surface = queue.ByClock, ""
	}
	s, err = q.Do(ctx, s.ID, queue.Command{By: by, Surface: surface, Do: do})
	require.NoError(b.t, err)
	if !archived {
		return s
	}
	s, err = q.Do(ctx, s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Collect{Claim: claim}})
	require.NoError(b.t, err)
	require.NoError(b.t, q.Store.Archive(ctx, s))
	return s
}

func chose(id string) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{id}}}}
}

// yesterday is the history of WIREFRAMES 1.8, with two more that its filter hides.
func yesterday(b *bench) {
	ids := []string{"9vh2kd0p", "b4t7xw1e", "k7f3m2qx", "m0a8cz5r", "q6n3jy9g", "w1s5fd8k"}
	b.o.Queue.NewID = func() string { id := ids[0]; ids = ids[1:]; return id }
	cache := small("Which cache database?", 300)
	b.past(4*24*time.Hour+4*time.Hour+21*time.Minute, small("Move the database to eu-west-1?", 300), infra(), 72*time.Second,
		queue.Cancel{Reason: "not before the audit is over"}, true)
	b.past(27*time.Hour+4*time.Minute, cache, web(), 301*time.Second, queue.Expire{}, true)
	ans := chose("pg")
	ans.Replies[0].Notes = map[string]string{"pg": "only the managed offering"}
	ans.Comment = "ship on Friday"
	o := shop()
	o.Version = "2.1.190"
	b.past(21*time.Hour+42*time.Minute, database(), o, 9*time.Second, queue.Settle{Answer: ans}, true)
	b.past(2*time.Hour, small("Name the flag", 300), web(), 20*time.Second, queue.Settle{Answer: chose("lite")}, true)
	b.past(time.Hour, small("Which port?", 7200), infra(), 40*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.settle()
	b.ask(small("Which cache?", 253), shop())
	b.clock.pass(time.Second)
}

func TestScreenHistory(t *testing.T) {
	atSizes(t, "history", func(b *bench) {
		yesterday(b)
		b.press("h")
	})
}

func TestScreenHistoryNarrowed(t *testing.T) {
	atSizes(t, "history-found", func(b *bench) {
		yesterday(b)
		b.press("h", "/")
		b.write("database?")
		b.press("enter")
	})
}

func TestScreenHistoryReadAllOfIt(t *testing.T) {
	atSizes(t, "history-read", func(b *bench) {
		yesterday(b)
		b.press("h", "j", "j")
		s, ok := b.history.session()
		require.True(t, ok)
		require.NoError(t, b.o.Queue.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "gone", At: time.Now(),
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "q1", Text: "ask the DBA first"}}}}))
		b.press("enter")
	})
}

func TestScreenHistoryEmpty(t *testing.T) {
	atSizes(t, "history-empty", func(b *bench) { b.press("h") })
}

// many archives n sessions, one a minute, the newest just now.
func (b *bench) many(n int) {
	b.t.Helper()
	for i := range n {
		b.past(time.Duration(n-i)*time.Minute, small(fmt.Sprintf("Question %04d?", i), 300), shop(), 5*time.Second, queue.Settle{Answer: chose("pg")}, true)
	}
	b.settle()
}

func TestHistoryReadsOnlyAheadOfTheCursor(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(400)
	b.press("h")
	first := b.history.feed.read
	assert.LessOrEqual(t, first, 250)
	assert.Contains(t, b.picture(), "history · 400 settled")
	assert.Contains(t, b.picture(), "Question 0399?")
	for b.history.cursor < 200 {
		b.press("pgdn")
	}
	assert.Greater(t, b.history.feed.read, first)
	assert.Contains(t, b.picture(), fmt.Sprintf("Question %04d?", 399-b.history.cursor))
}

func TestHistoryEndIsReachedByReadingOn(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(700)
	b.press("h")
	b.Key(event("G"))
	assert.Contains(t, b.picture(), "reading…")
	b.settle()
	assert.Contains(t, b.picture(), "Question 0000?")
	assert.NotContains(t, b.picture(), "reading…")
	assert.Contains(t, b.picture(), "PostgreSQL", "the preview of the oldest is there")

	b.press("g")
	assert.Contains(t, b.picture(), "Question 0699?")
	b.settle() // its session is read again from the archive
	assert.Contains(t, b.picture(), "Asked      Fri 20 Nov")
}

func TestHistoryWayToTheEndIsLeftWithEsc(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(700)
	b.press("h")
	b.Key(event("G"))
	b.Key(event("esc"))
	b.settle()
	assert.NotNil(t, b.page, "the first Esc stays in the history")
	assert.Less(t, b.history.feed.read, 700)
	assert.Contains(t, b.picture(), "Question 0699?")
	b.press("esc")
	assert.Nil(t, b.page)
	assert.Nil(t, b.history)
}

func TestHistoryFilterFindsWhatIsFarBackAndEscClearsIt(t *testing.T) {
	b := newBench(t, 80, 24)
	rare := database()
	rare.Prompt = "The needle is in the prompt."
	b.past(72*time.Hour, rare, web(), time.Second, queue.Settle{Answer: chose("lite")}, true)
	b.many(300)
	b.press("h", "/")
	b.write("NEEDLE prompt")
	assert.Contains(t, b.picture(), "/NEEDLE prompt · 1 found")
	assert.Contains(t, b.picture(), "Which database?")
	b.press("esc")
	assert.NotContains(t, b.picture(), "found")
	assert.Contains(t, b.picture(), "Question 0299?")
	b.press("/")
	b.write("no such thing")
	assert.Contains(t, b.picture(), "0 found")
	assert.Contains(t, b.picture(), "Nothing that was settled has")
}

func TestHistoryFilterStopsWhenTheScreenIsFull(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(600)
	b.press("h", "/")
	b.write("question")
	b.settle()
	assert.Less(t, b.history.feed.read, 600)
	assert.Contains(t, b.picture(), "+ found")
}

func TestHistoryShowsWhatSettlesWhileItIsOpenAndKeepsItsCursor(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(3)
	s := b.ask(database(), shop())
	b.press("h", "j")
	on := b.history.feed.rows[b.history.cursor].ID
	b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	assert.Equal(t, on, b.history.feed.rows[b.history.cursor].ID)
	assert.Equal(t, s.ID, b.history.feed.rows[0].ID)
	assert.Contains(t, b.picture(), "history · 4 settled")
	b.press("g", "enter")
	assert.Contains(t, b.picture(), "by you, in the browser")
}

func TestHistoryListsASessionOnceThatIsArchivedWhileItIsOpen(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.past(time.Minute, small("Which port?", 300), infra(), 4*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.settle()
	b.press("h")
	claim := queue.Claim{Instance: "bridge", Conn: "1"}
	done, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Surface: queue.SurfaceClient, Do: queue.Collect{Claim: claim}})
	require.NoError(t, err)
	require.NoError(t, b.o.Queue.Store.Archive(t.Context(), done))
	b.settle()
	b.picture()
	b.settle()
	assert.Len(t, b.history.feed.rows, 1)
	assert.Contains(t, b.picture(), "Received")
	b.press("esc", "h")
	assert.Len(t, b.history.feed.rows, 1)
}

func TestHistoryClearsWhatWasMissed(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Rename the flag?", 20), web())
	b.clock.pass(40 * time.Second)
	b.tick()
	b.settle()
	require.NotEmpty(t, b.missed)
	b.press("h")
	assert.Empty(t, b.missed)
}

func TestHistoryKeepsTheScreenWhenAQuestionArrivesAndEscBringsItUp(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("h")
	b.ask(database(), shop())
	assert.Contains(t, b.picture(), "─ 1 waits · Which database? 5:00")
	b.press("esc")
	assert.Contains(t, b.picture(), "⏎ send PostgreSQL")
}

func TestHistoryComesBackFromHelpAndStatistics(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(5)
	b.press("h", "j", "?", "esc")
	assert.Contains(t, b.picture(), "history · 5 settled")
	assert.Equal(t, 1, b.history.cursor)
	b.press("S")
	assert.Contains(t, b.picture(), "statistics · the last 30 days")
	b.press("esc")
	assert.Contains(t, b.picture(), "history · 5 settled")
}

func TestHistoryWritesANewFileOnlyThePersonCanRead(t *testing.T) {
	b := newBench(t, 80, 24)
	b.o.Home = t.TempDir()
	yesterday(b)
	b.press("h", "j", "j", "w")
	assert.Contains(t, b.picture(), "w write to: ~/choicetui-2026-11-19-which-database.txt")
	b.press("enter")
	file := filepath.Join(b.o.Home, "choicetui-2026-11-19-which-database.txt")
	assert.Contains(t, b.foot(), "written to ~/choicetui-2026-11-19-which-database.txt")
	fi, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), fi.Mode().Perm())
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(raw), "Which database?")
	assert.Contains(t, string(raw), "✎ only the managed offering")

	require.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	b.press("w", "enter")
	assert.Contains(t, b.foot(), "not written: ")
	assert.Contains(t, b.picture(), "w write to: ", "another name can be given")
	raw, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(raw))
}

func TestHistoryDraftThatWasSentIsNotCalledUnsent(t *testing.T) {
	b := newBench(t, 80, 24)
	yesterday(b)
	b.press("h", "j", "j")
	s, ok := b.history.session()
	require.True(t, ok)
	require.NoError(t, b.o.Queue.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "gone", At: time.Now(), Answer: s.Outcome.Answer}))
	b.press("enter")
	assert.NotContains(t, b.picture(), "not sent")
}

func TestHistoryShowsNothingHiddenOfHostileText(t *testing.T) {
	b := newBench(t, 120, 40)
	a := small("Run \x1b[2Jls\u202e?", 300)
	a.Prompt = "safe\u200b \x1b]52;c;ZXZpbA==\x07"
	a.Questions[0].Options[0].Label = "yes\u2066\r no"
	b.past(time.Minute, a, queue.Origin{Client: "evil\x1b]0;x\x07", Cwd: "/tmp/\u202ex"}, time.Second, queue.Cancel{Reason: "no\u202e"}, true)
	b.press("h", "enter")
	for _, s := range []string{b.picture(), b.history.words(b.history.shelf.all[b.history.feed.rows[0].ID]).Plain()} {
		_, odd := queue.Visible(s)
		assert.False(t, odd, s)
		assert.Contains(t, s, "<U+202E>")
	}
}

func TestHistorySaysWhyItCannotBeRead(t *testing.T) {
	b := newBench(t, 80, 24)
	b.o.Queue.Store = failingHistory{b.o.Queue.Store}
	b.press("h")
	assert.Contains(t, strings.Join(strings.Fields(b.picture()), " "), "! the history cannot be read: disk on fire")
}
