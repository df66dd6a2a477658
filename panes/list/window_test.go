package list

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// written returns a window as text: the questions' numbers, and the counts of what is left out.
func written(slots []slot) string {
	var out string
	for _, s := range slots {
		if s.entry >= 0 {
			out += fmt.Sprintf("|%d", s.entry)
		} else {
			out += "|"
		}
		out += s.words(ink.Unicode, false)
	}
	return out
}

func TestAStripHoldsTheSoonestAndWhatIsOnScreenOrSaysWhereThatIs(t *testing.T) {
	for _, c := range []struct {
		n, cursor, rows int
		want            string
	}{
		{2, 0, 1, "|1"},
		{2, 1, 1, "|0"},
		{3, 0, 1, "|1 1 of 3"},
		{9, 3, 2, "|0|1 4 of 9"},
		{9, 0, 3, "|1|2|3 1 of 9"},
		{9, -1, 3, "|0|1|2 ▼6"},
		{9, 8, 4, "|0| ▲6|7|8"},
		{9, 0, 4, "|0|1|2| ▼6"},
		{20, 11, 7, "|0| ▲7|8|9|10|11| ▼8"},
		{9, -1, 4, "|0|1|2| ▼6"},
		{4, 3, 4, "|0|1|2|3"},
		{5, 4, 4, "|0| ▲2|3|4"},
		{3, 0, 0, ""},
	} {
		v := display{n: c.n, cursor: c.cursor}
		assert.Equal(t, c.want, written(v.stripSlots(c.rows)), "%+v", c)
	}
}

func TestWhileAQuestionIsReadTheStripHasItsRowOrSaysItsPlace(t *testing.T) {
	for n := 2; n < 25; n++ {
		for rows := 1; rows < 10; rows++ {
			for cursor := range n {
				v := display{n: n, cursor: cursor}
				slots := v.stripSlots(rows)
				row, place := false, n == 2 // of two, the other's row says it
				for _, s := range slots {
					row, place = row || s.entry == cursor, place || s.of == n && s.place == cursor+1
				}
				others := len(slots) == n-1 && n-1 == rows // nothing else is left out
				require.True(t, row || place || others, "n %d rows %d cursor %d: %s", n, rows, cursor, written(slots))
				require.True(t, slots[0].entry == 0 || cursor == 0)
			}
		}
	}
}

func TestAQueueWithTheFocusShowsItsCursorTheSoonestAndCountsTheRestOnBothSides(t *testing.T) {
	for _, c := range []struct {
		n, cursor, rows int
		want            string
	}{
		{9, 2, 4, "|0|1|2| ▼6"},
		{9, 3, 4, "|0| ▲2|3| ▼5"},
		{9, 8, 4, "|0| ▲6|7|8"},
		{9, 5, 3, "|0|5 ▲4|6 ▼2"},
		{9, 5, 1, "|5 ▲5 ▼3"},
	} {
		v := display{n: c.n, cursor: c.cursor, focus: true}
		assert.Equal(t, c.want, written(v.stripSlots(c.rows)), "%+v", c)
	}
}

func TestInAQueueWithTheFocusEachQuestionHasARowOrIsCounted(t *testing.T) {
	for n := range 14 {
		for rows := range 10 {
			for cursor := range n {
				wholeQueue(t, display{n: n, cursor: cursor, focus: true}, rows)
			}
		}
	}
}

func wholeQueue(t *testing.T, v display, rows int) {
	t.Helper()
	slots := v.stripSlots(rows)
	require.Len(t, slots, min(rows, v.n))
	next, seen := 0, map[int]bool{}
	for _, s := range slots {
		next += s.above
		if s.entry >= 0 {
			require.Equal(t, next, s.entry, "n %d rows %d cursor %d: %s", v.n, rows, v.cursor, written(slots))
			seen[s.entry] = true
			next++
		}
		next += s.below
	}
	if rows > 0 {
		require.Equal(t, v.n, next, "every one has a row or is counted: %s", written(slots))
		require.True(t, seen[v.cursor])
		require.True(t, seen[0] || rows == 1)
	}
}
