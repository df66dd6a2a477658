package screen

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/trail"
)

// collect is the agent fetching its answer, and the queue archiving it.
func (b *bench) collect(s queue.Session) {
	b.t.Helper()
	roomtest.Collect(b.t, b.o.Queue, s)
}

// watched takes over what the watch reports, while results of the worker still wait to be taken over.
func (b *bench) watched() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 20*time.Millisecond)
	defer cancel()
	for {
		ch, err := b.rig.Watcher.Next(ctx)
		if err != nil {
			return
		}
		b.desk.Take(ch, nil)
	}
}

func TestAnAnswerCollectedBeforeItsOwnResultIsSeenStaysGone(t *testing.T) {
	b := newBench(t, 80, 24)
	s := b.ask(database(), shop())
	b.calm()
	b.Key(event("enter"))
	b.desk.Work() // stored; the result is posted and not taken over yet
	b.collect(s)
	b.watched()
	require.NotContains(t, b.sessions(), s.ID)
	b.settle()
	require.NotContains(t, b.sessions(), s.ID, "the watch was faster: an older state never comes back, and none leaks")
	require.Zero(t, b.desk.Outbox().Len())
	require.Nil(t, b.view.FormOf(s.ID))
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: delivered 14:02")
	require.Len(t, b.desk.Today().Took(b.now()), 1)
	b.press("h")
	require.Contains(t, b.picture(), "Delivered  14:02:00 to claude")
}

func TestAMessageSentAndFetchedBeforeItsResultIsSeenStaysGone(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	ways.at["claude-code"] = desk.Reached{Alive: true}
	b.press("i")
	b.write("hello")
	b.Key(event("enter"))
	b.desk.Work()
	b.watched()
	s := b.unfetched()[0]
	s = b.fetch(s)
	require.NoError(t, b.o.Queue.Store.Archive(t.Context(), s))
	b.watched()
	b.settle()
	require.NotContains(t, b.sessions(), s.ID)
	require.Contains(t, b.picture(), "✓ “hello” → shop · claude: delivered 14:02")
}

func TestTheEmptyScreenCountsAsTheLogDoesAndNamesTheNewestAnswer(t *testing.T) {
	const uncollected = false
	b := newBench(t, 80, 24)
	b.past(3*time.Hour, small("First?", 300), shop(), 5*time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.past(2*time.Hour, small("Newest?", 300), infra(), 7*time.Second, queue.Settle{Answer: chose("lite")}, uncollected)
	b.past(4*time.Hour, small("Before?", 300), web(), 9*time.Second, queue.Settle{Answer: chose("dynamo")}, true)
	midnight := small("Over midnight?", 7200)
	b.past(15*time.Hour, midnight, web(), time.Hour+time.Minute, queue.Settle{Answer: chose("pg")}, true)
	b.settle()
	ctx, stop := context.WithCancel(t.Context())
	b.desk.Upkeep(ctx, stop) // it reads what was settled today first
	b.drainDesk()
	tally := trail.NewTally(b.now().Truncate(24*time.Hour), time.UTC)
	for _, s := range append(b.archive(), all(b.sessions())...) {
		tally.Add(s)
	}
	stats := tally.Stats()
	require.Equal(t, 3, stats.Answer.Answered)
	today := b.desk.Today().Took(b.now())
	require.Len(t, today, stats.Answer.Answered)
	require.InDelta(t, time.Duration(stats.Answer.Median), b.desk.Today().Median(b.now()), float64(time.Millisecond))
	require.Equal(t, "  Last       12:02  SQLite → infra · codex", b.rowWith("Last "))
}

func all(live map[string]queue.Session) (list []queue.Session) {
	for _, s := range live {
		list = append(list, s)
	}
	return list
}

func TestAnAnswerToACallerThatIsGoneIsKeptAndCancellingTellsNobody(t *testing.T) {
	b := newBench(t, 80, 24)
	o := shop()
	o.Instance = "other"
	b.runs("other", queue.RoleBridge)
	b.ask(database(), o)
	b.ask(small("Which cache?", 300), o)
	b.ends("other")
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: not delivered yet")
	b.calm()
	b.press("x")
	require.Contains(t, b.footer(), "⏎ Cancel; claude disconnected")
}

func TestACallerThatGoesBeforeItCollectsLeavesItsAnswerKept(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude: sent")
	b.desk.Take(queue.Changes{Presence: true}, nil)
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop: not delivered yet")
}

func TestAQuestionThatTimesOutInTheQueueIsTheLastEventUntilTheNext(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(small("Which cache?", 600), infra())
	b.ask(small("Which database?", 30), shop())
	b.calm()
	require.Equal(t, "Which cache?", b.title())
	b.clock.Pass(31 * time.Second)
	b.tick()
	b.settle()
	require.Contains(t, b.picture(), " ! timed out: Which database? ─")
	b.press("enter")
	require.NotContains(t, b.picture(), "timed out: ")
	require.Contains(t, b.picture(), "✓ PostgreSQL → infra · codex: sent")
}

func TestAMessageIsCalledByThePersonsWordsAndListedWhileItWaits(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	ways.at["claude-code"] = desk.Reached{Alive: true}
	b.press("h", "i")
	b.write("take SQLite instead")
	b.press("enter")
	require.Contains(t, b.picture(), "✓ “take SQLite instead” → ")
	require.Contains(t, b.picture(), "waiting    take SQLite instead")
	require.Contains(t, b.picture(), "history · 1 question", "it is none of the settled ones")
	b.press("g", "enter")
	require.Contains(t, b.picture(), "Waiting    delivered when it next asks")
	require.NotContains(t, b.picture(), "to answer")
	b.press("esc")

	s := b.unfetched()[0]
	b.clock.Pass(time.Minute)
	b.fetch(s)
	b.settle()
	require.Contains(t, b.picture(), "▸ 14:03  sent       take SQLite instead", "the cursor stays on it")
	require.NotContains(t, b.picture(), "waiting")
	require.Equal(t, 1, strings.Count(b.picture(), "take SQLite instead  "))
	require.Contains(t, b.picture(), "history · 2 questions")
}
