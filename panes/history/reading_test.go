package history

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func TestHistoryReadsOnlyAheadOfTheCursor(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(400)
	b.open()
	first := b.list.feed.read
	assert.LessOrEqual(t, first, 250)
	assert.Contains(t, b.picture(), "history · 400 questions")
	assert.Contains(t, b.picture(), "Question 0399?")
	for b.list.cursor < 200 {
		b.press("pgdn")
	}
	assert.Greater(t, b.list.feed.read, first)
	assert.Contains(t, b.picture(), fmt.Sprintf("Question %04d?", 399-b.list.cursor))
}

func TestHistoryEndIsReachedByReadingOn(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(700)
	b.open()
	b.pressNow("G")
	assert.Contains(t, b.picture(), "reading…")
	assert.Equal(t, "reading on to the oldest…", b.line())
	b.Calm()
	assert.Contains(t, b.picture(), "Question 0000?")
	assert.NotContains(t, b.picture(), "reading…")
	assert.Contains(t, b.picture(), "PostgreSQL", "the preview of the oldest is there")

	b.press("g")
	assert.Contains(t, b.picture(), "Question 0699?")
	assert.Contains(t, b.picture(), "Asked      Fri 20 Nov", "its session is read again from the archive")
}

func TestHistoryWayToTheEndIsLeftWithEsc(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(700)
	b.open()
	b.pressNow("G")
	b.pressNow("esc")
	b.Calm()
	assert.False(t, b.Closed, "the first Esc stays in the history")
	assert.Less(t, b.list.feed.read, 700)
	assert.Contains(t, b.picture(), "Question 0699?")
	b.press("esc")
	assert.True(t, b.Closed)
	assert.True(t, b.Ended())
}

func TestKeysPressedBeforeTheFirstRowsAreThereWaitForThem(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(3)
	b.openNow()
	b.pressNow("j")
	b.pressNow("enter")
	assert.Empty(t, b.Said)
	b.Calm()
	assert.Equal(t, 1, b.list.cursor)
	assert.Equal(t, "⏎ back to the list", b.line())
}

func TestAKeyPressedBeforeTheFirstRowsSaysWhyNotWhenThereAreNone(t *testing.T) {
	b := newBench(t, 80, 24)
	b.openNow()
	b.pressNow("enter")
	assert.Empty(t, b.Said)
	b.Calm()
	assert.Equal(t, "no question here to read", b.Said)
}

func TestHistoryThatHasEndedReadsNothingMoreAndHearsNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(700)
	b.open()
	b.pressNow("G")
	b.End()
	b.Calm()
	assert.Less(t, b.list.feed.read, 700)
	n := len(b.list.feed.entries)
	s := b.Ask(database(), shop())
	b.SettleElsewhere(s, queue.SurfaceWeb, "lite")
	assert.Len(t, b.list.feed.entries, n)
}

func TestHistoryIsWhereItWasAfterAnotherPageCoveredIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(5)
	s := b.Ask(database(), shop())
	b.open()
	b.press("j")
	on := b.list.feed.entries[b.list.cursor].ID
	b.SettleElsewhere(s, queue.SurfaceWeb, "lite") // while the help is on screen
	assert.Equal(t, on, b.list.feed.entries[b.list.cursor].ID)
	assert.Contains(t, b.picture(), "history · 6 questions")
}

func TestHistoryFilterFindsWhatIsFarBackAndEscClearsIt(t *testing.T) {
	b := newBench(t, 80, 24)
	rare := database()
	rare.Prompt = "The needle is in the prompt."
	b.past(72*time.Hour, rare, web(), time.Second, queue.Settle{Answer: chose("lite")}, true)
	b.many(300)
	b.open()
	b.press("/")
	b.typeText("NEEDLE prompt")
	assert.Contains(t, b.picture(), "/NEEDLE prompt · 1 found")
	assert.Contains(t, b.picture(), "Which database?")
	assert.Equal(t, "⏎ done · /NEEDLE prompt · 1 found", b.line())
	b.press("esc")
	assert.NotContains(t, b.picture(), "found")
	assert.Contains(t, b.picture(), "Question 0299?")
	b.press("/")
	b.typeText("no such thing")
	assert.Contains(t, b.picture(), "0 found")
	assert.Contains(t, b.picture(), "No earlier question has")
}

func TestHistoryFilterFindsADayAsItStandsOnScreen(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(24*time.Hour, database(), web(), time.Second, queue.Settle{Answer: chose("lite")}, true)
	b.many(30)
	b.open()
	then := b.Desk.Now().AddDate(0, 0, -1)
	for _, find := range []string{"yesterday", then.Format("2006-01-02"), say.Day(then, then.Year())} {
		b.press("/")
		b.typeText(find)
		assert.Contains(t, b.picture(), "/"+find+" · 1 found")
		assert.Contains(t, b.picture(), "Which database?")
		b.press("esc")
	}
	b.press("/")
	b.typeText("yesterday question")
	assert.Contains(t, b.picture(), "0 found")
}

func TestHistoryFilterStopsWhenTheScreenIsFull(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(600)
	b.open()
	b.press("/")
	b.typeText("question")
	assert.Less(t, b.list.feed.read, 600)
	assert.Contains(t, b.picture(), "+ found")
}

func TestHistoryFilterTakesAPasteAsOneLine(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(3)
	b.open()
	b.press("/")
	panes.Paste(b, "question\n0001")
	b.Calm()
	assert.Contains(t, b.picture(), "· 1 found")
}

func TestHistoryShowsWhatSettlesWhileItIsOpenAndKeepsItsCursor(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(3)
	s := b.Ask(database(), shop())
	b.open()
	b.press("j")
	on := b.list.feed.entries[b.list.cursor].ID
	b.SettleElsewhere(s, queue.SurfaceWeb, "lite")
	assert.Equal(t, on, b.list.feed.entries[b.list.cursor].ID)
	assert.Equal(t, s.ID, b.list.feed.entries[0].ID)
	assert.Contains(t, b.picture(), "history · 4 questions")
	b.press("g", "enter")
	assert.Contains(t, b.picture(), "by you, in the browser")
}

func TestHistoryListsASessionOnceThatIsArchivedWhileItIsOpen(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.past(time.Minute, small("Which port?", 300), infra(), 4*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.Calm()
	b.open()
	roomtest.Collect(t, b.Queue, s)
	b.Calm()
	assert.Len(t, b.list.feed.entries, 1)
	assert.Contains(t, b.picture(), "Delivered")
	b.press("esc")
	b.open()
	assert.Len(t, b.list.feed.entries, 1)
}

func TestHistoryKeepsTheNewerStateWhicheverComesFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.Ask(database(), shop())
	b.SettleElsewhere(s, queue.SurfaceDashboard, "pg")
	b.open()
	old, live := b.Desk.Session(s.ID)
	require.True(t, live)
	roomtest.Collect(t, b.Queue, s)
	b.Calm()
	require.Contains(t, b.picture(), "Delivered ")
	b.list.keepNewest(old)
	require.Contains(t, b.picture(), "Delivered ")
}

func TestHistorySaysWhyItCannotBeRead(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Queue.Store = roomtest.NoHistory{Store: b.Queue.Store}
	b.open()
	assert.Contains(t, b.picture(), "! the history cannot be read: disk on fire")
}

func TestHistoryCountsASessionOnceThatWasArchivedAMomentAgo(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(300) // more than is read at once
	s := b.past(time.Second, small("Which port?", 300), infra(), 4*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.Calm()
	roomtest.Collect(t, b.Queue, s)
	b.openNow() // before the change has come
	require.Contains(t, b.list.shelf.kept, s.ID)
	b.Calm()
	require.False(t, b.list.feed.done)
	assert.Contains(t, b.picture(), "history · 301 question")
	b.press("/")
	b.typeText("port")
	assert.Contains(t, b.picture(), "history · 301 question")
}

func TestHistoryCountsTheSameWhenNarrowedOnceAllOfItWasRead(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(3)
	b.past(time.Second, small("Which port?", 300), infra(), 4*time.Second, queue.Settle{Answer: chose("pg")}, false)
	b.Calm()
	b.open()
	assert.Contains(t, b.picture(), "history · 4 questions")
	b.list.total, b.list.exact = 99, false // whatever was counted before
	b.press("/")
	b.typeText("zzz")
	b.press("esc")
	b.press("/")
	b.typeText("port")
	assert.Contains(t, b.picture(), "history · 4 questions")
}

func TestAMessageThatItsAgentHasNotFetchedWaitsInTheListAndIsNotCounted(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(1)
	s, err := b.Queue.Create(t.Context(), queue.NewMessage(shop(), "use the small disk"))
	require.NoError(t, err)
	b.Calm()
	b.open()
	assert.Contains(t, b.picture(), "history · 1 question")
	assert.Contains(t, b.picture(), "waiting ")
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		s, err = b.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
	}
	b.Calm()
	assert.Contains(t, b.picture(), "history · 2 questions")
	assert.Len(t, b.list.feed.entries, 2)
}

func TestAWordIsTrueOfADayInEverySpelling(t *testing.T) {
	at, now := time.Date(2026, 11, 5, 23, 59, 0, 0, time.Local), time.Date(2026, 11, 6, 0, 1, 0, 0, time.Local)
	for _, word := range strings.Fields("2026-11-05 2026-11 2026 5 05 thu thursday nov november yesterday") {
		require.True(t, onDay(word, at, now), word)
	}
	for _, word := range strings.Fields("2026-11-06 2026-1 15 fri no today") {
		require.False(t, onDay(word, at, now), word)
	}
}

func TestAMonthOrAWeekdayNamesADayOnlyBesideItsNumber(t *testing.T) {
	for find, want := range map[string][]bool{
		"fri 20":                 {true, true},
		"20 nov 2026 sqlite":     {true, true, true, false},
		"sqlite nov 20":          {false, true, true},
		"yesterday may":          {true, false},
		"may":                    {false},
		"20":                     {false},
		"2026-11 2026-11-20 sun": {true, true, false},
		"port 20 open":           {false, false, false},
	} {
		require.Equal(t, want, namesDay(strings.Fields(find)), find)
	}
}
