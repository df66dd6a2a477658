package statistics

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// bench is the statistics.
type bench struct {
	*roomtest.Bench
	*Page
}

func newBench(t *testing.T, w, h int) *bench {
	return &bench{Bench: roomtest.New(t, w, h, nil)}
}

// open brings the page up and has all counted.
func (b *bench) open() {
	b.Page = New(b)
	b.Calm()
	b.picture()
}

func (b *bench) picture() string       { return b.Picture(b.Page) }
func (b *bench) press(names ...string) { b.Press(b.Page, names...) }
func (b *bench) footer() string {
	return strings.Join(strings.Fields(roomtest.Footer(b.Page, 80)), " ")
}
func (b *bench) said(key string) string { b.press(key); return b.Said }

var (
	shop   = roomtest.Shop()
	chosen = queue.Settle{Answer: roomtest.Chose("pg")}
)

// past puts a settled session into the archive, or leaves it live, as if it had happened so long ago.
func (b *bench) past(ago time.Duration, title string, o queue.Origin, took time.Duration, do queue.Action, archived bool) {
	b.T.Helper()
	roomtest.Past(b.T, b.Queue, ago, roomtest.Small(title, 300), o, took, do, archived)
}

// month is a month of questions.
func (b *bench) month() {
	roomtest.Month(b.T, b.Queue)
	b.Calm()
}

func TestTheLastDaysAreCountedAndEnterCountsAllOfIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(100*24*time.Hour, "Old?", shop, time.Second, chosen, true)
	b.past(time.Hour, "New?", shop, time.Second, chosen, true)
	b.past(time.Minute, "Live?", shop, time.Second, chosen, false)
	b.Calm()
	b.open()
	assert.Contains(t, b.picture(), "2 questions")
	b.press("enter")
	assert.Contains(t, b.picture(), "3 questions")
	assert.Contains(t, b.footer(), "only the last 30 days")
	b.press("enter")
	assert.Contains(t, b.picture(), "2 questions")
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	b := newBench(t, 80, 24)
	b.Queue.Store = roomtest.NoHistory{Store: b.Queue.Store}
	b.open()
	assert.Contains(t, b.picture(), "! the history cannot be read: disk on fire")
}

func TestCountingEndsWhenThePageIsLeft(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(time.Hour, "New?", shop, time.Second, chosen, true)
	b.Page = New(b)
	assert.Contains(t, b.picture(), "reading… 0")
	row, _ := b.Table().Row(action.Back)
	row.Do(action.At{}, action.Arg{})
	b.Calm()
	assert.True(t, b.Closed)
	assert.Contains(t, b.picture(), "reading… 0", "it takes nothing any more")
}

func TestAllOfItSaysWhichDaysTheChartShows(t *testing.T) {
	b := newBench(t, 120, 40)
	b.month()
	b.open()
	assert.Contains(t, b.picture(), "─ statistics · the last 30 days ")
	assert.NotContains(t, b.picture(), "Questions a day,")
	b.press("enter")
	assert.Contains(t, b.picture(), "─ statistics · all time ")
	assert.Contains(t, b.picture(), "Questions a day, last 30 days")
	assert.Contains(t, b.picture(), "Median per day (log scale)")

	b = newBench(t, 30, 30)
	b.month()
	b.open()
	assert.Contains(t, b.picture(), "Questions a day, 14 days", "fewer fit than the page is about")
	assert.Contains(t, b.picture(), "(log scale)")
}

func TestNothingOffersNothingToCount(t *testing.T) {
	b := newBench(t, 80, 24)
	b.open()
	assert.Contains(t, b.picture(), "No questions yet.")
	assert.NotContains(t, b.footer(), "all time")
	assert.Equal(t, "nothing to count yet", b.said("enter"))

	b = newBench(t, 80, 24)
	b.past(100*24*time.Hour, "Old?", shop, time.Second, chosen, true)
	b.Calm()
	b.open()
	assert.Contains(t, b.picture(), "Nothing was asked in the last 30 days.")
	assert.Contains(t, b.footer(), "all time")
	b.press("enter")
	assert.Contains(t, b.picture(), "─ 1 question ─")
}

func TestThePictureScrollsWhereItDoesNotFitAndSaysSoWhereItDoes(t *testing.T) {
	b := newBench(t, 40, 12)
	b.month()
	b.open()
	assert.Contains(t, b.picture(), "▼")
	assert.NotContains(t, b.picture(), "▲")
	assert.Contains(t, b.footer(), "PgDn more")
	assert.Equal(t, "this is the beginning", b.said("up"))
	b.press("down")
	assert.Contains(t, b.picture(), " ▲ 1 ▼ ")
	b.press("G")
	assert.Contains(t, b.picture(), "lines above")
	assert.Contains(t, b.picture(), "shop · claude", "the last part is reached")
	assert.NotContains(t, b.footer(), "PgDn more")
	assert.Equal(t, "this is the end", b.said("pgdn"))
	b.press("up")
	assert.Contains(t, b.picture(), "▼ 1 line below", "one up from the end")
	b.press("g")
	assert.Contains(t, b.picture(), "Questions a day")

	b = newBench(t, 80, 24)
	b.month()
	b.open()
	for _, key := range []string{"down", "pgdn", "G", "g"} {
		assert.Equal(t, "everything is on screen", b.said(key), key)
	}
}

func TestTheColumnsOfAgentsHaveNames(t *testing.T) {
	for _, size := range [][2]int{{30, 60}, {40, 60}, {80, 24}, {120, 40}, {200, 60}} {
		b := newBench(t, size[0], size[1])
		b.month()
		b.open()
		rows := strings.Split(b.picture(), "\n")
		for i, l := range rows {
			if !strings.Contains(l, "By agent") {
				continue
			}
			head, row := []rune(l), []rune(rows[i+1])
			assert.Contains(t, l, "asked")
			assert.Contains(t, l, "median")
			assert.Equal(t, len(head), len(row), "%v: the last column is under its head:\n%s\n%s", size, l, rows[i+1])
			assert.LessOrEqual(t, len(row), size[0])
		}
	}
}

func TestAChartsFirstRowStandsOverTheOthersWhateverItsLabel(t *testing.T) {
	d := drawing{g: ink.Unicode, w: 60}
	for _, label := range []string{"7", "999", "9:59", "12:30", "1,441", "123,456"} {
		rows := d.chart([]float64{4, 4}, 4, 2, 2, label)
		first, second := []rune(rows[0].String()), []rune(rows[1].String())
		assert.Equal(t, string(second[axis:]), string(first[axis:]), label)
	}
}

func TestHowTheyEndedIsAsPreciseAsTheCommandSaysIt(t *testing.T) {
	d := drawing{view: view{stats: queue.Stats{Outcomes: []queue.OutcomeStats{{Outcome: "selected", Count: 153, Share: .765},
		{Outcome: "cancelled", Count: 21, Share: .105}, {Outcome: "timeout", Count: 17, Share: .085},
		{Outcome: "withdrawn", Count: 9, Share: .045}}}}, g: ink.Unicode, w: 60}
	var words string
	for _, l := range d.outcomes() {
		words += l.String() + "\n"
	}
	for _, share := range []string{" 76.5%", " 10.5%", "  8.5%", "  4.5%"} {
		require.Contains(t, words, share)
	}
}

func TestOneAnswerHasNoMedian(t *testing.T) {
	d := drawing{view: view{stats: queue.Stats{Answer: queue.AnswerStats{Answered: 1, Median: 9e9, P90: 9e9,
		Spread: []queue.SpanStats{{Under: 15e9, Count: 1}}}}}, g: ink.Unicode,
		w: 60}
	require.Equal(t, "in 0:09", d.spread()[1].String())
}
