package desk_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestTheMedianOfTodayIsATimeThatSomebodyReallyTook(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	var today desk.Today
	require.Zero(t, today.Median(at))
	for i, took := range []time.Duration{9 * time.Second, time.Second, 40 * time.Second, 3 * time.Second} {
		today.Add(queue.Session{ID: fmt.Sprint(i), AskedAt: at,
			Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at.Add(took)}})
	}
	require.Equal(t, 3*time.Second, today.Median(at))
	require.Zero(t, today.Median(at.Add(48*time.Hour)), "that was another day")
}

func TestTheLastAnswersAreTodaysNewestFirstAndEachStandsOnce(t *testing.T) {
	at := time.Date(2026, 11, 20, 0, 5, 0, 0, time.Local)
	var today desk.Today
	add := func(id string, ago time.Duration) {
		today.Add(queue.Session{ID: id, AskedAt: at.Add(-time.Hour), Ask: queue.Ask{Title: "Which " + id + "?"},
			Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at.Add(-ago)}})
	}
	for _, id := range []string{"b", "a", "b"} {
		add(id, map[string]time.Duration{"a": time.Second, "b": time.Minute}[id])
	}
	add("yesterday", 10*time.Minute)
	var got []string
	for _, a := range today.Answers(at) {
		got = append(got, a.ID)
	}
	require.Equal(t, []string{"a", "b"}, got)
	require.Empty(t, today.Answers(at.Add(24*time.Hour)))
	for i := range 100 {
		add(fmt.Sprint(i), time.Duration(i)*time.Millisecond)
	}
	require.Len(t, today.Answers(at), 40)
	require.Equal(t, "0", today.Answers(at)[0].ID)
}

func TestAnAnswerThatCameTooLateIsListedAndNotCounted(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 0, 0, time.Local)
	var today desk.Today
	s := queue.Session{ID: "1", AskedAt: at, Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman,
		At: at.Add(time.Second)}}
	today.Add(s)
	require.Len(t, today.Took(at), 1)
	listedLate := func() bool { _, late := today.Answers(at)[0].Untaken(); return late }
	require.False(t, listedLate())
	s.Events = []queue.Event{{Kind: queue.EventExpired, Detail: "answered in claude before"}}
	for range 2 {
		today.Add(s)
		require.Empty(t, today.Took(at))
		require.Len(t, today.Answers(at), 1)
		require.True(t, listedLate())
	}
}

func TestTheStartIsOverOnlyWhenALongQueueWasRead(t *testing.T) {
	t.Parallel()
	d := desk.New(usual(queue.New(storetest.NewMemory())))
	settled := make(chan bool, 9)
	go d.Upkeep(t.Context(), func() { settled <- true })
	<-settled // today's answers must not wait for the queue
	for range 10 {
		time.Sleep(10 * time.Millisecond)
		d.Drain()
	}
	require.Empty(t, settled)
	d.Take(queue.Changes{}, nil)
	require.Eventually(t, func() bool {
		d.Drain()
		return len(settled) == 1
	}, 5*time.Second, time.Millisecond, "what reading took is given back")
}

func TestTodaysAnswersOfAHostAreReadWhenItIsConnected(t *testing.T) {
	t.Parallel()
	store := storetest.NewMemory()
	d := desk.New(usual(queue.New(store)))
	settled := make(chan bool, 9)
	go d.Upkeep(t.Context(), func() { settled <- true })
	counts := func(calls, answers int) {
		require.Eventually(t, func() bool {
			d.Drain()
			return len(settled) == calls && len(d.Today().Recent()) == answers
		}, 5*time.Second, time.Millisecond)
	}
	d.Take(queue.Changes{}, nil)
	counts(2, 0)
	s := storetest.Finish(t, store, storetest.Create(t, store), time.Second)
	require.NoError(t, store.Archive(t.Context(), s)) // now the host's history can be read
	d.Take(queue.Changes{Host: &queue.HostState{Host: "build1"}}, nil)
	counts(2, 0)
	d.Take(queue.Changes{Host: &queue.HostState{Host: "build1", Connected: true}}, nil)
	counts(3, 1)
}

func TestABatchThatWasOnItsWayWhenItsHostWasLeftIsIgnored(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	q.Now = func() time.Time { return noon }
	d := desk.New(usual(q))
	d.Take(queue.Changes{}, nil)
	d.TakeLeft("far", queue.Changes{Sessions: flood(1), Host: &queue.HostState{Host: "far"}})
	require.Empty(t, d.Waiting())
	require.Empty(t, d.Trouble().Hosts)
	d.Take(queue.Changes{Sessions: flood(1)}, nil)
	require.Len(t, d.Waiting(), 1)
}
