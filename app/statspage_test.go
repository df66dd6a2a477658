package app

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/queue"
)

func TestStatisticsOfAllOfItSayWhichDaysTheChartShows(t *testing.T) {
	b := newBench(t, 120, 40)
	month(b)
	b.press("S")
	assert.Contains(t, b.picture(), "─ statistics · the last 30 days ")
	assert.NotContains(t, b.picture(), "Questions a day,")
	b.press("enter")
	assert.Contains(t, b.picture(), "─ statistics · all of it ")
	assert.Contains(t, b.picture(), "Questions a day, last 30 days")
	assert.Contains(t, b.picture(), "Half answered within, each day (log scale)")

	b = newBench(t, 30, 30)
	month(b)
	b.press("S")
	assert.Contains(t, b.picture(), "Questions a day, 14 days", "fewer fit than the page is about")
	assert.Contains(t, b.picture(), "(log scale)")
}

func TestStatisticsOfNothingOfferNothingToCount(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("S")
	assert.Contains(t, b.picture(), "Nothing was asked yet.")
	assert.NotContains(t, b.picture(), "count all of it")
	b.press("enter")
	assert.Equal(t, "nothing to count yet", b.foot())

	b = newBench(t, 80, 24)
	b.past(100*24*time.Hour, database(), shop(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.settle()
	b.press("S")
	assert.Contains(t, b.picture(), "Nothing was asked in the last 30 days.")
	assert.Contains(t, b.foot(), "count all of it")
	b.press("enter")
	assert.Contains(t, b.picture(), "─ 1 question ─")
}

func TestStatisticsScrollWhereTheyDoNotFitAndSaySoWhereTheyDo(t *testing.T) {
	b := newBench(t, 40, 12)
	month(b)
	b.press("S")
	assert.Contains(t, b.picture(), "▼")
	assert.NotContains(t, b.picture(), "▲")
	b.press("up")
	assert.Equal(t, "this is the beginning", b.foot())
	b.press("down")
	assert.Contains(t, b.picture(), " ▲ 1 ▼ ")
	b.press("G")
	assert.Contains(t, b.picture(), "lines above")
	assert.Contains(t, b.picture(), "shop · claude", "the last part is reached")
	b.press("pgdn")
	assert.Equal(t, "this is the end", b.foot())
	b.press("g")
	assert.Contains(t, b.picture(), "Questions a day")

	b = newBench(t, 80, 24)
	month(b)
	b.press("S")
	b.picture()
	for _, key := range []string{"down", "pgdn", "G", "g", "ctrl+d"} {
		b.press(key)
		assert.Equal(t, "all of it is on screen", b.foot(), key)
	}
}

func TestStatisticsNameTheColumnsOfAgents(t *testing.T) {
	for _, size := range [][2]int{{30, 60}, {40, 60}, {80, 24}, {120, 40}, {200, 60}} {
		b := newBench(t, size[0], size[1])
		month(b)
		b.press("S")
		rows := strings.Split(b.picture(), "\n")
		for i, l := range rows {
			at := strings.Index(l, "By agent")
			if at < 0 {
				continue
			}
			head, row := []rune(strings.TrimRight(l, " ")), []rune(strings.TrimRight(rows[i+1], " "))
			assert.Contains(t, string(head), "asked")
			assert.Contains(t, string(head), "half")
			assert.Equal(t, len(head), len(row), "%v: the last column is under its head:\n%s\n%s", size, l, rows[i+1])
			assert.LessOrEqual(t, len(row), size[0])
		}
	}
}
