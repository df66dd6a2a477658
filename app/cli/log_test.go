package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// archive is a store whose history has n sessions, one for each hour, newest first. It makes them when they are read.
type archive struct {
	queue.Store
	now       time.Time
	n         int
	read      int
	expiredAt map[int]time.Time // by index in the history: when the answer expired
}

func (a *archive) History(_ context.Context, cursor string, limit int) (page []queue.Session, next string, err error) {
	from := 0
	if cursor != "" {
		_, _ = fmt.Sscan(cursor, &from)
	}
	for i := from; i < min(from+limit, a.n); i++ {
		at := a.now.Add(-time.Duration(i+1) * time.Hour)
		asked := at.Add(-time.Minute)
		s := queue.Session{
			ID: fmt.Sprintf("%08d", i), AskedAt: asked, Final: true, Ask: queue.Ask{Title: fmt.Sprint(i)},
			Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at},
			Events: []queue.Event{
				{ID: "a", Kind: queue.EventAsked, At: asked}, {ID: "b", Kind: queue.EventSettled, At: at},
			},
		}
		last := queue.Event{ID: "c", Kind: queue.EventCollected, At: at.Add(time.Second)}
		if when, ok := a.expiredAt[i]; ok {
			last = queue.Event{ID: "c", Kind: queue.EventExpired, At: when}
		}
		s.Events = append(s.Events, last)
		page = append(page, s)
		a.read++
	}
	if from+limit < a.n {
		next = fmt.Sprint(from + limit)
	}
	return page, next, nil
}

func newArchive(n int) (*archive, *shell) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	return &archive{Store: storetest.NewMemory(), now: now, n: n, expiredAt: map[int]time.Time{}},
		&shell{out: io.Discard, err: io.Discard, now: func() time.Time { return now }}
}

func TestTrailIsNewestFirstAcrossSessionsThatExpiredLater(t *testing.T) {
	a, sh := newArchive(500)
	a.expiredAt[30] = a.now.Add(-4 * time.Hour) // settled 31 hours ago, expired 4 hours ago
	var got []entry
	require.NoError(t, trail{sh, queue.New(a), logWish{}}.eachEvent(t.Context(), func(e entry) error {
		got = append(got, e)
		return nil
	}))
	require.Len(t, got, 1500)
	for i := range got[1:] {
		require.LessOrEqual(t, newestFirst(got[i], got[i+1]), 0, i)
	}
}

func TestTrailStillHoldsAnEventThatCameAbsurdlyLate(t *testing.T) {
	a, sh := newArchive(500)
	a.expiredAt[400] = a.now.Add(-time.Minute)
	expired := 0
	wish := logWish{from: a.now.Add(-time.Hour)}
	require.NoError(t, trail{sh, queue.New(a), wish}.eachEvent(t.Context(), func(e entry) error {
		if e.Event == queue.EventExpired {
			expired++
		}
		return nil
	}))
	assert.Equal(t, 1, expired)
}

func TestTrailHoldsOnlyTheLastDaysAndReadsNoFurtherThanWanted(t *testing.T) {
	a, sh := newArchive(10_000)
	emitted, most := 0, 0
	require.NoError(t, trail{sh, queue.New(a), logWish{}}.eachEvent(t.Context(), func(entry) error {
		emitted++
		most = max(most, 3*a.read-emitted)
		return nil
	}))
	assert.Equal(t, 30_000, emitted)
	assert.LessOrEqual(t, most, 3*(48+2*historyPage), "events of two days and of the page being read")

	a.read = 0
	require.NoError(t, trail{sh, queue.New(a), logWish{}}.eachEvent(t.Context(), func(entry) error { return errEnough }))
	assert.Less(t, a.read, 1000)
}

func TestTheTrailSinceAMomentReadsNoFurtherThanItsMonth(t *testing.T) {
	const hoursOfMonth, hoursOfTwoDays = 19*24 + 14, 2 * 24
	for since, needed := range map[string]int{"1h": hoursOfMonth, "2026-11-01T00:00:00Z": hoursOfMonth + hoursOfTwoDays} {
		a, sh := newArchive(10_000)
		from, err := parseSince(since, sh.now())
		require.NoError(t, err)
		a.expiredAt[hoursOfMonth-1] = a.now.Add(-time.Minute) // an event that is very late, but within the month
		var expired int
		err = trail{sh, queue.New(a), logWish{from: from}}.eachEvent(t.Context(), func(e entry) error {
			require.False(t, e.At.Before(from))
			if e.Event == queue.EventExpired {
				expired++
			}
			return nil
		})
		require.NoError(t, err)
		assert.Equal(t, 1, expired, since)
		assert.LessOrEqual(t, a.read, needed+boundedPage, since)
	}
}

func TestTailOfTheTrailIsOldestFirst(t *testing.T) {
	a, sh := newArchive(1000)
	printed := printedEvents{from: a.now.Add(-time.Hour), ids: map[string]bool{}}
	entries, err := trail{sh, queue.New(a), logWish{most: 4}}.lastEvents(t.Context(), printed)
	require.NoError(t, err)
	require.Len(t, entries, 4)
	for i, kind := range []string{queue.EventCollected, queue.EventAsked, queue.EventSettled, queue.EventCollected} {
		assert.Equal(t, kind, entries[i].Event)
	}
	assert.Less(t, a.read, 1000)
	assert.False(t, printed.addEvent(entries[3]), "what was printed is not new")
}

func TestStatsTableFitsAnEightyColumnTerminal(t *testing.T) {
	tally := queue.NewTally(time.Time{}, time.UTC)
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for i := range 40 {
		agent := fmt.Sprintf("agent-%d-with-a-long-name\x1b[31m", i)
		s := queue.Session{
			AskedAt: at.AddDate(0, 0, -i),
			Origin:  queue.Origin{Client: agent, Cwd: "/src/a-directory-with-a-long-name"},
		}
		s.Outcome = &queue.Outcome{Status: queue.StatusSelected, At: s.AskedAt.Add(time.Duration(i) * 10 * time.Minute)}
		tally.Add(s)
	}
	var p page
	statsTable(&p, tally.Stats())
	assert.Contains(t, p.String(), "40 asked, 40 answered, 0 waiting")
	assert.Contains(t, p.String(), "and 20 more")
	assert.Contains(t, p.String(), "\nthe last 14 of 40 days with a question; --json lists all\nby day ")
	for l := range bytes.Lines(p.Bytes()) {
		_, odd := queue.Visible(string(l))
		assert.False(t, odd)
		assert.LessOrEqual(t, len([]rune(string(l))), 81, string(l))
	}
}

func TestStatsTableOfFewDaysIsAllOfThemAndTimesAreRoundedDown(t *testing.T) {
	tally := queue.NewTally(time.Time{}, time.UTC)
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	answered := queue.Outcome{Status: queue.StatusSelected, At: at.Add(61*time.Second + 900*time.Millisecond)}
	tally.Add(queue.Session{AskedAt: at, Outcome: &answered})
	var p page
	statsTable(&p, tally.Stats())
	assert.NotContains(t, p.String(), "the last")
	assert.Contains(t, p.String(), "median 1:01, 90%")
}

func TestADayIsFoundByEveryNameThatPeopleGiveIt(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local) // a Friday
	for name, want := range map[string]time.Time{
		"today":      time.Date(2026, 11, 20, 0, 0, 0, 0, time.Local),
		"Yesterday":  time.Date(2026, 11, 19, 0, 0, 0, 0, time.Local),
		"mon":        time.Date(2026, 11, 16, 0, 0, 0, 0, time.Local),
		"Friday":     time.Date(2026, 11, 13, 0, 0, 0, 0, time.Local),
		"2026-10-31": time.Date(2026, 10, 31, 0, 0, 0, 0, time.Local),
	} {
		at, ok := startOfDay(name, now)
		require.True(t, ok, name)
		require.True(t, want.Equal(at), "%s: %s", name, at)
	}
	for _, name := range []string{"", "mo", "tomorrow", "2026-13-01", "may"} {
		_, ok := startOfDay(name, now)
		require.False(t, ok, name)
	}
}

func TestWhatThePersonWroteBesideAnAnswerFollowsItsSummary(t *testing.T) {
	s := queue.Session{Ask: queue.Ask{Comment: "from the agent", Questions: []queue.Question{{ID: "q", Options: []queue.Option{
		{ID: "a", Label: "A", Note: "from the agent"}, {ID: "b", Label: "B"}}}}}}
	require.Empty(t, writtenBeside(s))
	s.Outcome = &queue.Outcome{Status: queue.StatusSelected, Answer: queue.Answer{Comment: "in all\nfine",
		Replies: []queue.Reply{{Question: "q", Notes: map[string]string{"a": "from the agent", "b": "mine"}}}}}
	require.Equal(t, "; note on B: “mine”; comment: “in all fine”", writtenBeside(s))
	s.Ask.Kind, s.Outcome.Answer.Comment = queue.KindApproval, "from the agent"
	require.Equal(t, ", “mine”", writtenBeside(s))
}
