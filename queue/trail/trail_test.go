package trail

import (
	"context"
	"fmt"
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

func (a *archive) History(_ context.Context, cursor string, limit int, _ queue.Fields) (page []queue.Session, next string, err error) {
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

func newArchive(n int) *archive {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	return &archive{Store: storetest.NewMemory(), now: now, n: n, expiredAt: map[int]time.Time{}}
}

// reader returns a reader of what happened since a time, of all agents.
func (a *archive) reader(from time.Time) Reader {
	return Reader{Store: a, From: from, Wants: func(queue.Origin) bool { return true }}
}

func TestEvents_NewestFirstAcrossSessionsThatExpiredLater(t *testing.T) {
	a := newArchive(500)
	a.expiredAt[30] = a.now.Add(-4 * time.Hour) // settled 31 hours ago, expired 4 hours ago
	var got []Event
	for e, err := range a.reader(time.Time{}).Events(t.Context()) {
		require.NoError(t, err)
		got = append(got, e)
	}
	require.Len(t, got, 1500)
	for i := range got[1:] {
		require.LessOrEqual(t, newestFirst(got[i], got[i+1]), 0, i)
	}
}

func TestEvents_OneThatCameAbsurdlyLate(t *testing.T) {
	a := newArchive(500)
	a.expiredAt[400] = a.now.Add(-time.Minute)
	expired := 0
	for e, err := range a.reader(a.now.Add(-time.Hour)).Events(t.Context()) {
		require.NoError(t, err)
		if e.Told().Kind == queue.EventExpired {
			expired++
		}
	}
	assert.Equal(t, 1, expired)
}

func TestEvents_HoldsTwoDaysAndReadsNoFurtherThanWanted(t *testing.T) {
	a := newArchive(10_000)
	given, most := 0, 0
	for _, err := range a.reader(time.Time{}).Events(t.Context()) {
		require.NoError(t, err)
		given++
		most = max(most, 3*a.read-given)
	}
	assert.Equal(t, 30_000, given)
	assert.LessOrEqual(t, most, 3*(48+2*pageSize), "events of two days and of the page being read")

	a.read = 0
	for range a.reader(time.Time{}).Events(t.Context()) {
		break
	}
	assert.Less(t, a.read, 1000)
}

func TestEvents_SinceATimeReadsNoFurtherThanItsMonth(t *testing.T) {
	const hoursOfMonth, hoursOfTwoDays = 19*24 + 14, 2 * 24
	for back, needed := range map[time.Duration]int{time.Hour: hoursOfMonth,
		hoursOfMonth * time.Hour: hoursOfMonth + hoursOfTwoDays} {
		a := newArchive(10_000)
		from := a.now.Add(-back)
		a.expiredAt[hoursOfMonth-1] = a.now.Add(-time.Minute) // an event that is very late, but within the month
		var expired int
		for e, err := range a.reader(from).Events(t.Context()) {
			require.NoError(t, err)
			require.False(t, e.Told().At.Before(from))
			if e.Told().Kind == queue.EventExpired {
				expired++
			}
		}
		assert.Equal(t, 1, expired, back)
		assert.LessOrEqual(t, a.read, needed+boundedPage, back)
	}
}

func TestTally_CountsEachSessionOnceAsFarAsWanted(t *testing.T) {
	a := newArchive(500)
	page, _, err := a.History(t.Context(), "", 10, queue.Outline)
	require.NoError(t, err)
	a.read = 0
	r := a.reader(a.now.Add(-100 * time.Hour))
	r.Live = page[:3] // archived while they were read
	tally, err := r.Tally(t.Context(), time.UTC)
	require.NoError(t, err)
	assert.Equal(t, 99, tally.Stats().Asked, "the hundredth was asked a minute too early")
	assert.LessOrEqual(t, a.read, 100+boundedPage)

	r.Wants = func(o queue.Origin) bool { return o.Client != "" }
	tally, err = r.Tally(t.Context(), time.UTC)
	require.NoError(t, err)
	assert.Zero(t, tally.Stats().Asked)
}

func TestReader_PassesTheErrorOfTheStoreOn(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	r := Reader{Store: storetest.NewMemory(), Wants: func(queue.Origin) bool { return true }}
	_, err := r.Tally(ended, time.UTC)
	require.ErrorIs(t, err, context.Canceled)
	n := 0
	for _, err := range r.Events(ended) {
		require.ErrorIs(t, err, context.Canceled)
		n++
	}
	require.Equal(t, 1, n)
}

func TestHistoriesAreReadTogetherNewestFirst(t *testing.T) {
	t.Parallel()
	stores, want := []queue.Store{storetest.NewMemory(), storetest.NewMemory()}, []string{}
	q := queue.New(stores[0])
	q.SetHost("there", stores[1])
	q.SetHost("away", away{})
	for i := range 9 {
		store := stores[min(i%3, 1)]
		s := storetest.Finish(t, store, storetest.Create(t, store), time.Duration(i)*10*time.Second)
		require.NoError(t, store.Archive(t.Context(), s))
		want = append([]string{s.ID}, want...)
	}
	for _, size := range []int{1, 2, 4, 100} {
		m := NewMerged(q, size, queue.Whole)
		var got []string
		for {
			s, at, ok, err := m.Next(t.Context())
			require.NoError(t, err)
			if !ok {
				break
			}
			page, _, err := at.Store.History(t.Context(), at.Cursor, size, queue.Whole)
			require.NoError(t, err)
			require.Contains(t, ids(page), s.ID, "it is on the page that Next names")
			got = append(got, s.ID)
		}
		require.Equal(t, want, got, "in pages of %d", size)
	}
	_, _, _, err := NewMerged(queue.New(away{}), 4, queue.Whole).Next(t.Context())
	require.ErrorIs(t, err, queue.ErrUnreachable, "without this machine's own history there is none")
}

func ids(page []queue.Session) (list []string) {
	for _, s := range page {
		list = append(list, s.ID)
	}
	return list
}

// away is the store of a host that does not answer.
type away struct{ queue.Store }

func (away) History(context.Context, string, int, queue.Fields) ([]queue.Session, string, error) {
	return nil, "", queue.ErrUnreachable
}
