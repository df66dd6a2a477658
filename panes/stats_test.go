package panes

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/panes/ink"
)

func TestAChartsFirstRowStandsOverTheOthersWhateverItsLabel(t *testing.T) {
	d := statsDrawing{g: ink.Unicode, w: 60}
	for _, label := range []string{"7", "999", "9:59", "12:30", "1,441", "123,456"} {
		rows := d.chart([]float64{4, 4}, 4, 2, 2, label)
		first, second := []rune(rows[0].String()), []rune(rows[1].String())
		assert.Equal(t, string(second[axis:]), string(first[axis:]), label)
	}
}
