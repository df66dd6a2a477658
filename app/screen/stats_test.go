package screen

import (
	"testing"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
)

// month is a month of questions.
func month(b *bench) {
	roomtest.Month(b.t, b.o.Queue)
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
