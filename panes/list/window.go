package list

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
)

// ownRow is the number of rows from which the number of questions that are not shown has a row of its own. With fewer
// rows it is at the end of a question's row.
const ownRow = 4

// slot is one row of the queue on screen: a question, or the number of questions that are not shown.
type slot struct {
	entry        int // the index of the question; -1: the row only counts
	above, below int // the number of questions that are not shown above this row, and below it
	place, of    int // shown in place of both counts: the place of the question on view in the queue; of 0: not shown
}

// slotsAround decides which questions have one of the given rows: the one under the cursor, its neighbours, and the one
// that ends first.
func (v view) slotsAround(rows int) []slot {
	at, end := max(v.cursor, 0), v.n-rows+2
	switch {
	case v.n <= rows:
		return appendSlots(nil, 0, v.n)
	case rows < ownRow:
		return v.tightSlots(at, rows)
	case at <= rows-2:
		return append(appendSlots(nil, 0, rows-1), slot{entry: -1, below: v.n - rows + 1})
	case at >= end:
		return appendSlots([]slot{{entry: 0}, {entry: -1, above: end - 1}}, end, v.n)
	}
	from := at - rows + 4
	slots := appendSlots([]slot{{entry: 0}, {entry: -1, above: from - 1}}, from, at+1)
	return append(slots, slot{entry: -1, below: v.n - at - 1})
}

// tightSlots does the same as slotsAround for so few rows that no row only counts. at is the index of the question
// under the cursor.
func (v view) tightSlots(at, rows int) []slot {
	if rows < 1 {
		return nil
	}
	var slots []slot
	if rows > 1 {
		slots = append(slots, slot{entry: 0})
		at = max(at, 1)
	}
	rest := rows - len(slots)
	from := min(at, v.n-rest)
	slots = appendSlots(slots, from, from+rest)
	slots[len(slots)-rest].above = from - (rows - rest)
	slots[rows-1].below = v.n - from - rest
	return slots
}

// otherSlots gives the rows to the questions that are not on view, the one that ends first on top. If there are too few
// rows, the last one also says which place in the queue the question on view has.
func (v view) otherSlots(rows int) []slot {
	if v.n <= rows {
		return appendSlots(nil, 0, v.n)
	}
	var slots []slot
	for at := 0; at < v.n && len(slots) < rows; at++ {
		if at != v.cursor {
			slots = append(slots, slot{entry: at})
		}
	}
	switch last := len(slots) - 1; {
	case last < 0:
	case v.cursor < 0:
		slots[last].below = v.n - rows
	case v.n-1 > rows:
		slots[last].place, slots[last].of = v.cursor+1, v.n
	}
	return slots
}

// appendSlots appends a slot for each question between two indexes.
func appendSlots(slots []slot, from, to int) []slot {
	for at := from; at < to; at++ {
		slots = append(slots, slot{entry: at})
	}
	return slots
}

// words returns the words that count the questions that are not shown. long: the words have a row of their own.
func (s slot) words(g ink.Glyphs, long bool) string {
	if s.of > 0 {
		return fmt.Sprintf(" %d of %d", s.place, s.of)
	}
	words := ""
	for _, c := range []struct {
		sign string
		n    int
	}{{g.Up, s.above}, {g.Down, s.below}} {
		switch {
		case c.n == 0:
		case long:
			words += fmt.Sprintf(" %s %d more", c.sign, c.n)
		default:
			words += fmt.Sprintf(" %s%d", c.sign, c.n)
		}
	}
	return words
}

// stripSlots decides which questions have a row in the strip: those around the question on view, or, if there are few
// rows and the queue does not have the focus, the other questions.
func (v view) stripSlots(rows int) []slot {
	if v.focus || rows >= ownRow {
		return v.slotsAround(rows)
	}
	return v.otherSlots(rows)
}

// shows reports whether the question at an index has a row in an area of this height: in the strip, or in the list.
func (v view) shows(at, rows int, list bool) bool {
	slots := v.stripSlots
	if list {
		slots, rows = v.slotsAround, v.listSlots(rows)
	}
	for _, s := range slots(rows) {
		if s.entry == at && at >= 0 {
			return true
		}
	}
	return false
}
