package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// collect is the agent fetching its answer, and the queue archiving it.
func (b *bench) collect(s queue.Session) {
	b.t.Helper()
	done, err := b.o.Queue.Do(b.t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: queue.Collect{Claim: *s.Claim}})
	require.NoError(b.t, err)
	require.NoError(b.t, b.o.Queue.Store.Archive(b.t.Context(), done))
}

// watched takes over what the watch reports, while results of the worker still wait to be taken over.
func (b *bench) watched() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 20*time.Millisecond)
	defer cancel()
	for {
		ch, err := b.watcher.Next(ctx)
		if err != nil {
			return
		}
		b.changed(ch)
	}
}

func TestAnAnswerCollectedBeforeItsOwnResultIsSeenStaysGone(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.Key(event("enter"))
	b.turns() // stored; the result is posted and not taken over yet
	b.collect(s)
	b.watched()
	require.NotContains(t, b.live, s.ID)
	b.settle()
	require.NotContains(t, b.live, s.ID, "the watch was faster: an older state never comes back, and none leaks")
	require.Zero(t, b.outbox.Len())
	require.Empty(t, b.forms)
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: received 14:02")
	require.Len(t, b.day.today(b.now()), 1)
	b.press("h")
	require.Contains(t, b.picture(), "Received   14:02:00 by claude-code")
}

func TestHistoryKeepsTheNewerStateWhicheverComesFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.press("enter", "h")
	old := b.live[s.ID]
	b.collect(s)
	b.settle()
	require.Contains(t, b.picture(), "Received ")
	b.history.take(old)
	require.Contains(t, b.picture(), "Received ")
}

func TestAMessageSentAndFetchedBeforeItsResultIsSeenStaysGone(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	ways.at["claude-code"] = Reached{Alive: true}
	b.press("i")
	b.write("hello")
	b.Key(event("enter"))
	b.turns()
	b.watched()
	s := b.unfetched(b.addressed())[0]
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		done, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
		s = done
	}
	require.NoError(t, b.o.Queue.Store.Archive(t.Context(), s))
	b.watched()
	b.settle()
	require.NotContains(t, b.live, s.ID)
	require.Contains(t, b.picture(), "✓ “hello” → shop · claude: received 14:02")
}

func TestTheEmptyScreenCountsAsStatisticsDoAndNamesTheNewestAnswer(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(3*time.Hour, small("First?", 300), shop(), 5*time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.past(2*time.Hour, small("Newest?", 300), infra(), 7*time.Second, queue.Settle{Answer: chose("lite")}, false) // not collected
	b.past(4*time.Hour, small("Before?", 300), web(), 9*time.Second, queue.Settle{Answer: chose("dynamo")}, true)
	b.past(15*time.Hour, small("Over midnight?", 7200), web(), time.Hour+time.Minute, queue.Settle{Answer: chose("pg")}, true)
	b.settle()
	b.readDay(t.Context())
	b.drain()
	tally := queue.NewTally(b.now().Truncate(24*time.Hour), time.UTC)
	for _, s := range append(b.archive(), all(b.live)...) {
		tally.Add(s)
	}
	stats := tally.Stats()
	require.Equal(t, 3, stats.Answer.Answered)
	today := b.day.today(b.now())
	require.Len(t, today, stats.Answer.Answered)
	require.InDelta(t, time.Duration(stats.Answer.Median), median(today), float64(time.Millisecond))
	require.Equal(t, "12:02  SQLite → infra · codex", b.day.lastWords(b.now()))
	require.Contains(t, b.picture(), "12:02  SQLite → infra · codex")
}

func all(live map[string]queue.Session) (list []queue.Session) {
	for _, s := range live {
		list = append(list, s)
	}
	return list
}

func TestAnAnswerOfAnotherDayIsNotShownAsOneOfToday(t *testing.T) {
	var d day
	at := noon.AddDate(0, 0, -2)
	d.add(queue.Session{ID: "a", AskedAt: at, Outcome: &queue.Outcome{Status: queue.StatusSelected, By: queue.ByHuman, At: at}})
	require.Contains(t, d.lastWords(noon), "Wed 18 Nov 14:02  ")
	require.Empty(t, d.today(noon))
}

func TestTheMedianIsATimeThatSomebodyReallyTook(t *testing.T) {
	require.Equal(t, time.Second, median([]time.Duration{9 * time.Second, time.Second}))
}

func TestALongAnswerIsCutInTheLastEventAndItsAgentNamed(t *testing.T) {
	g := ink.Unicode
	l := lastEvent{id: "a", what: "POST /checkout, GET /search, POST /login, GET /orders", who: "shop · claude", dir: "shop"}
	for w, want := range map[int]string{
		80: "✓ POST /checkout, GET /search, POST /login, GET /orders → shop · claude: sent",
		78: "✓ POST /checkout, GET /search, POST /login, GET /orders → shop · claude: sent",
		60: "✓ POST /checkout, GET /search, POST /… → shop · claude: sent",
		34: "✓ POST /checkout… → shop: sent",
		28: "✓ POST /chec… → shop: sent",
		20: "✓ POST /checko… sent",
		8:  "✓ sent",
		5:  "",
	} {
		got := l.fit(g, w)
		require.LessOrEqual(t, ink.Width(got), w)
		if w != 34 && w != 28 {
			require.Equal(t, want, got, w)
		} else {
			require.Contains(t, got, "→ shop: sent")
		}
	}
}

func TestAnAnswerToACallerThatIsGoneIsKeptAndCancellingTellsNobody(t *testing.T) {
	b := newBench(t, 80, 24)
	o := shop()
	o.Instance = "other"
	b.present["other"] = queue.RoleBridge
	b.ask(database(), o)
	b.ask(small("Which cache?", 300), o)
	delete(b.present, "other")
	b.stale = true
	b.refresh()
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: kept")
	b.calm()
	b.press("x")
	require.Contains(t, b.foot(), "⏎ cancel; claude is gone")
}

func TestACallerThatGoesBeforeItCollectsLeavesItsAnswerKept(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: sent")
	b.arrived(batch{changes: queue.Changes{Presence: true}})
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: kept")
}

func TestAQuestionThatTimesOutInTheQueueIsTheLastEventUntilTheNext(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Which cache?", 600), infra())
	b.ask(small("Which database?", 30), shop())
	b.calm()
	require.Equal(t, "Which cache?", b.form.Session.Ask.Title)
	b.clock.pass(31 * time.Second)
	b.tick()
	b.settle()
	require.Contains(t, b.picture(), " ! timed out: Which database? ─")
	b.press("enter")
	require.NotContains(t, b.picture(), "timed out: ")
	require.Contains(t, b.picture(), "✓ PostgreSQL → infra · codex: sent")
}

func TestAMessageIsCalledByThePersonsWordsAndListedWhileItWaits(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	ways.at["claude-code"] = Reached{Alive: true}
	b.press("h", "i")
	b.write("take SQLite instead")
	b.press("enter")
	require.Contains(t, b.picture(), "✓ “take SQLite instead” → ")
	require.Contains(t, b.picture(), "waiting    take SQLite instead")
	require.Contains(t, b.picture(), "history · 1 settled", "it is none of the settled ones")
	b.press("g", "enter")
	require.Contains(t, b.picture(), "Waiting    until claude-code fetches it")
	require.NotContains(t, b.picture(), "to answer")
	b.press("esc")

	s := b.unfetched(b.addressed())[0]
	claim := queue.Claim{Instance: "bridge", Conn: "9"}
	b.clock.pass(time.Minute)
	for _, do := range []queue.Action{queue.Take{Claim: claim}, queue.Deliver{Claim: claim, Surface: queue.SurfaceMCP}} {
		_, err := b.o.Queue.Do(t.Context(), s.ID, queue.Command{By: queue.ByCaller, Do: do})
		require.NoError(t, err)
	}
	b.settle()
	require.Contains(t, b.picture(), "▸ 14:03  sent       take SQLite instead", "the cursor stays on it")
	require.NotContains(t, b.picture(), "waiting")
	require.Equal(t, 1, strings.Count(b.picture(), "take SQLite instead  "))
	require.Contains(t, b.picture(), "history · 2 settled")
}
