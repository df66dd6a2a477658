package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// yesterday is a history of a few days, and a question that waits.
func yesterday(b *bench) { yesterdayOf(b, infra()) }

// yesterdayOf is the same with another agent in the place of infra's.
func yesterdayOf(b *bench, infra queue.Origin) {
	roomtest.Yesterday(b.t, b.o.Queue, infra)
	b.settle()
	b.ask(small("Which cache?", 253), shop())
	b.clock.Pass(time.Second)
}

func TestScreenHistory(t *testing.T) {
	atSizes(t, "history", func(b *bench) {
		yesterday(b)
		b.press("h")
	})
}

func TestScreenHistoryOfSeveralMachines(t *testing.T) {
	atSizes(t, "history-hosts", func(b *bench) {
		b.o.Queue.Host = "laptop"
		o := infra()
		o.Host = "devbox"
		yesterdayOf(b, o)
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
		typed := queue.Answer{Replies: []queue.Reply{{Question: "q1", Text: "ask the DBA first"}}}
		require.NoError(b.t, b.o.Queue.Store.SaveDraft(b.t.Context(), queue.Draft{Session: "k7f3m2qx", Instance: "gone",
			At: time.Now(), Answer: typed}))
		b.press("enter")
	})
}

func TestScreenHistoryEmpty(t *testing.T) {
	atSizes(t, "history-empty", func(b *bench) { b.press("h") })
}

func TestHistoryIsForgottenWhenEscLeavesIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(700)
	b.press("h")
	b.Key(event("G"))
	b.Key(event("esc"))
	b.settle()
	assert.Equal(t, panes.Room(b.rooms.history), b.frame.page(), "the first Esc stays in the history")
	assert.Contains(t, b.picture(), "Question 0699?")
	was := b.rooms.history
	b.press("esc")
	assert.Nil(t, b.frame.page())
	assert.Nil(t, b.rooms.history)
	assert.True(t, was.Ended())
}

func TestHistoryKeepsTheScreenWhenAQuestionArrivesAndEscBringsItUp(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("h")
	b.ask(database(), shop())
	assert.Contains(t, b.picture(), "─ 1 waiting · Which database? 5:00")
	b.press("esc")
	assert.Contains(t, b.picture(), "⏎ Send PostgreSQL")
}

func TestHistoryComesBackFromHelp(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(5)
	b.press("h", "j")
	on := b.rowWith("▸")
	require.Contains(t, on, "Question 0003?")
	b.press("?")
	assert.Contains(t, lines(b.picture())[0], "─ keys ")
	b.press("esc")
	assert.Contains(t, b.picture(), "history · 5 questions")
	assert.Equal(t, on, b.rowWith("▸"))
	b.press("esc")
	assert.Nil(t, b.frame.page())
}

func TestSettingsTakeThePlaceOfTheHistory(t *testing.T) {
	b := newBench(t, 80, 24)
	b.many(5)
	b.press("h")
	was := b.rooms.history
	b.press("s")
	assert.True(t, was.Ended())
	b.press("esc")
	assert.Nil(t, b.frame.page())
}

func TestALineToAnAgentLiesOverTheHistory(t *testing.T) {
	b, ways := chatBench(t, 80, 24)
	b.press("h")
	above := lines(b.picture())[:18]
	b.press("i")
	require.Contains(t, b.picture(), "─ chat · to shop · claude, tmux 2:1 ─")
	assert.Equal(t, above, lines(b.picture())[:18])
	b.write("h q j")
	b.press("esc")
	require.Equal(t, above, lines(b.picture())[:18], "the keys are the history's again")
	b.press("i")
	b.calm()
	b.press("enter")
	require.Len(t, ways.pasted, 1)
	assert.Contains(t, ways.pasted[0], "h q j")
	assert.Equal(t, panes.Room(b.rooms.history), b.frame.page())
}
