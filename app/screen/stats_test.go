package screen

import (
	"fmt"
	"testing"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// month is a month of questions: more on some days, none at weekends, answered faster as it goes on.
func month(b *bench) {
	agents := []queue.Origin{shop(), shop(), shop(), infra(), web(), infra()}
	n := 0
	for day := 40; day >= 0; day-- {
		at := b.clock.t.AddDate(0, 0, -day)
		if wd := at.Weekday(); wd == time.Saturday || wd == time.Sunday {
			continue
		}
		for i := range 2 + (day*7)%9 {
			n++
			var do queue.Action = queue.Settle{Answer: chose("pg")}
			took := time.Duration(3+day*(n%11)%290) * time.Second
			switch {
			case n%17 == 0:
				do = queue.Cancel{}
			case n%13 == 0:
				do, took = queue.Expire{}, 301*time.Second
			}
			ago := time.Duration(day)*24*time.Hour + time.Duration(10-i)*10*time.Minute
			b.past(ago, small(fmt.Sprintf("Question %d?", n), 300), agents[n%len(agents)], took, do, true)
		}
	}
	b.settle()
}

func TestScreenStatistics(t *testing.T) {
	atSizes(t, "stats", func(b *bench) {
		month(b)
		b.press("S")
	})
}

func TestScreenStatisticsWithoutUTF8(t *testing.T) {
	b := newBench(t, 80, 24)
	b.look.glyphs = ink.ASCII
	month(b)
	b.press("S")
	b.golden("stats-ascii-80x24")
}

func TestScreenStatisticsOfNothing(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("S")
	b.golden("stats-empty-80x24")
}
