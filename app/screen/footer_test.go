package screen

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// deafStore is a queue whose watch fails.
type deafStore struct {
	queue.Store
	err error
}

func (s deafStore) Watch(context.Context, queue.News, ...string) (queue.Watcher, error) {
	return deafWatcher(s), nil
}

type deafWatcher struct {
	queue.Store
	err error
}

func (w deafWatcher) Next(context.Context) (queue.Changes, error) { return queue.Changes{}, w.err }
func (deafWatcher) Close() error                                  { return nil }

// failsOnce has the watch of the queue report an error.
func (b *bench) failsOnce(err error) {
	b.t.Helper()
	store := b.o.Queue.Store
	b.o.Queue.Store = deafStore{store, err}
	_, opening := b.desk.Open(b.t.Context(), queue.RoleDashboard)
	require.NoError(b.t, opening)
	b.desk.TakeFirst(b.t.Context(), time.Minute)
	b.o.Queue.Store = store
}

func TestWhatNoKeyCausedStandsInTheRuleUntilItsCauseIsGone(t *testing.T) {
	for _, w := range []int{30, 40, 80} {
		b := newBenchOnFile(t, w, 12, "")
		s := b.ask(database(), shop())
		b.calm()
		b.rewrite(`{"theme": "post"}`)
		assert.Contains(t, b.footer(), "⏎ Send PostgreSQL", "Enter says what it does")
		assert.Contains(t, b.picture(), "! settings")
		b.press("j", "k")
		assert.Contains(t, b.picture(), "! settings", "a key does not repair it")
		b.rewrite(`{"theme": "auto"}`)
		assert.NotContains(t, b.picture(), "! settings")

		b.failsOnce(errors.New("disk on fire"))
		assert.Contains(t, b.picture(), "! the que")
		assert.Contains(t, b.footer(), "⏎ Send PostgreSQL")
		b.desk.Take(queue.Changes{}, nil)
		assert.NotContains(t, b.picture(), "! the que")
		b.press("enter")
		require.False(t, b.get(s.ID).Pending())
	}
}

func TestWhatWasSentIsSaidAtEverySizeForAMomentOrUntilTheNextKey(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size[0], size[1])
		b.ask(small("Deploy?", 100), infra())
		for range 4 {
			b.ask(database(), shop())
		}
		b.calm()
		b.press("enter")
		assert.Contains(t, b.picture(), "✓ PostgreSQL → infra", size)
		b.calm()
		b.press("j")
		assert.NotContains(t, b.footer(), "✓", size)
		assert.Contains(t, b.footer(), "⏎ Send SQLite", size)

		b.calm()
		b.press("enter")
		b.clock.Pass(saidFor)
		assert.NotContains(t, b.footer(), "✓", "not longer than a moment")
	}
}

func TestAPageWithoutTheRuleSaysWhatWasSentInTheEnterLine(t *testing.T) {
	b := newBench(t, 120, 40)
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	require.Contains(t, b.picture(), "✓ PostgreSQL → shop · claude")
	require.NotContains(t, b.footer(), "✓", "the rule says it")
	b.press("s")
	b.hear(desk.Stored{}) // an answer that was on its way
	require.Contains(t, b.said(), "✓ PostgreSQL → shop · claude")
	b.press("h")
	b.hear(desk.Stored{})
	require.NotContains(t, b.footer(), "✓", "the rule of this page says it")
}

func TestTheGuardsWordsWinOverWhatWasSent(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(small("Deploy?", 100), infra())
	b.ask(database(), shop())
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	require.Contains(t, b.said(), "✓ PostgreSQL → infra")
	b.press("enter")
	require.Equal(t, "Not yet: press Enter again", b.footer())
	require.NotContains(t, b.footer(), "✓")
}

func TestAChatLineIsSaidToBeSent(t *testing.T) {
	b := newBench(t, 40, 12)
	s := b.ask(database(), shop())
	b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	b.press("esc", "i")
	b.write("the README still says SQLite, please fix it")
	b.press("enter")
	require.Contains(t, b.said(), "✓ delivered when it next asks")
}

func TestALineThatIsNotDeliveredYetSaysSoInFullAtEveryWidth(t *testing.T) {
	const words = "delivered when it next asks"
	for _, w := range []int{30, 34, 40, 50, 60, 72, 80, 100, 120, 200} {
		for _, text := range []string{"hello", "the README still says SQLite, please fix it in the same commit"} {
			b, ways := chatBench(t, w, 24)
			ways.at["claude-code"] = desk.Reached{Alive: true, Err: errors.New("not inside tmux")}
			b.press("i")
			b.write(text)
			b.clock.Pass(time.Second)
			require.Contains(t, b.footer(), words, w)
			b.press("enter")
			require.False(t, b.line.Open())
			require.Contains(t, b.picture(), words, "%d: just sent", w)
			for line := range strings.Lines(b.picture()) {
				require.True(t, !strings.Contains(line, "─ ✓") || strings.Contains(line, words), "%d: %s", w, line)
			}
			b.clock.Pass(10 * time.Second)
			b.tick()
			require.Contains(t, b.picture(), words, "%d: the notice is over", w)
			b.ask(database(), shop())
			b.clock.Pass(time.Second)
			b.press("enter")
			require.Contains(t, b.footer(), words, "%d: something else is the last event", w)
			require.Equal(t, 1, strings.Count(b.picture(), words), w)
		}
	}
}

func TestClosedChatSaysToWhomItsTextWouldGo(t *testing.T) {
	for _, w := range []int{30, 40, 80} {
		b := newBench(t, w, 14)
		b.ask(database(), shop())
		b.ask(database(), infra())
		b.press("i")
		b.write("hello")
		assert.Contains(t, b.picture(), "closed")
		assert.Contains(t, b.picture(), "· to shop · claude")
		b.press("tab")
		assert.Contains(t, b.picture(), "· to infra · codex")
	}
}

func TestUndoOfASettingThatWasNotInTheFileTakesItOutAgain(t *testing.T) {
	b := newBenchOnFile(t, 50, 20, `{"mine": 1}`)
	b.press("s")
	b.to("timeout_seconds")
	b.press("right", "right")
	require.JSONEq(t, `{"mine": 1, "timeout_seconds": 600}`, b.fileText())
	b.press("u")
	require.JSONEq(t, `{"mine": 1, "timeout_seconds": 420}`, b.fileText())
	b.press("u")
	require.JSONEq(t, `{"mine": 1}`, b.fileText())
	require.Contains(t, b.picture(), "undone · back to 5 min")
	b.to("notify.bell")
	b.press("space", "u")
	require.JSONEq(t, `{"mine": 1}`, b.fileText())
	b.to("hidden_options")
	require.Equal(t, "V on an option hides it", b.footer())
}

// fullServer is the error of a store that says what the person can do.
type fullServer struct{}

func (fullServer) Error() string  { return "the queue's server has no room left" }
func (fullServer) Advice() string { return "free some space on its disk" }

func TestAQueueThatCannotBeReadSaysWhatHelpsWhereThereIsRoom(t *testing.T) {
	for w, want := range map[int]string{
		120: "! the queue cannot be read: the queue's server has no room left · free some space on its disk",
		80:  "! the queue cannot be read: the queue's server has no room left",
	} {
		b := newBench(t, w, 24)
		b.ask(database(), shop())
		b.failsOnce(fullServer{})
		require.Contains(t, b.picture(), want, w)
	}
}
