package list

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
)

// ownRow is the number of rows from which the count of omitted questions has a row of its own; with fewer the counts
// are at the end of a question's row.
const ownRow = 4

// slot holds one row of the queue on screen: a question, or the count of omitted questions.
type slot struct {
	entry        int // the index of the question; -1 if the row only has a count
	above, below int // the questions omitted above this row, and below it
	place, of    int // in place of both counts, the place of the question on screen; of is 0 if it is not shown
}

// around shares out the rows so that the cursor is visible, and the soonest question too.
func (v view) around(rows int) []slot {
	at, end := max(v.cursor, 0), v.n-rows+2
	switch {
	case v.n <= rows:
		return run(nil, 0, v.n)
	case rows < ownRow:
		return v.tight(at, rows)
	case at <= rows-2:
		return append(run(nil, 0, rows-1), slot{entry: -1, below: v.n - rows + 1})
	case at >= end:
		return run([]slot{{entry: 0}, {entry: -1, above: end - 1}}, end, v.n)
	}
	from := at - rows + 4
	slots := run([]slot{{entry: 0}, {entry: -1, above: from - 1}}, from, at+1)
	return append(slots, slot{entry: -1, below: v.n - at - 1})
}

// tight shares out rows as around does, but without a row of its own for a count.
func (v view) tight(at, rows int) []slot {
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
	slots = run(slots, from, from+rest)
	slots[len(slots)-rest].above = from - (rows - rest)
	slots[rows-1].below = v.n - from - rest
	return slots
}

// others shares out rows, too few for all, among the questions that are not on screen, soonest first. The last row then
// shows the place in the queue of the question on screen, if it is in the queue.
func (v view) others(rows int) []slot {
	if v.n <= rows {
		return run(nil, 0, v.n)
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

func run(slots []slot, from, to int) []slot {
	for at := from; at < to; at++ {
		slots = append(slots, slot{entry: at})
	}
	return slots
}

// words counts the omitted questions. If long is set, the words have a row of their own.
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

// strip shares out the rows of the strip around the question on screen. A few rows go to the other questions instead,
// unless the person is moving in the strip.
func (v view) strip(rows int) []slot {
	if v.focus || rows >= ownRow {
		return v.around(rows)
	}
	return v.others(rows)
}

// shows reports whether the question at an index has a row in an area of this height: in the strip, or in the list.
func (v view) shows(at, rows int, list bool) bool {
	slots := v.strip
	if list {
		slots, rows = v.around, v.listSlots(rows)
	}
	for _, s := range slots(rows) {
		if s.entry == at && at >= 0 {
			return true
		}
	}
	return false
}
