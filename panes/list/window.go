package list

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
)

// ownRow is from how many rows on what is left out is counted in a row of its own; with fewer the counts stand at the
// end of a question's row.
const ownRow = 4

// slot is one row of the queue on screen: a question, or the count of questions left out.
type slot struct {
	entry        int // -1: it only counts
	above, below int // questions left out between the row above and this one, and from this one on
}

// around shares rows so that the cursor is seen, and the soonest question too, from wherever it has gone to.
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

// tight is around with rows too few to spare one for a count.
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

// others shares rows among the questions that are not on screen, soonest first: where not all fit, the one on screen
// is the first to go, and being on screen it is not counted as left out.
func (v view) others(rows int) []slot {
	if v.n <= rows {
		return run(nil, 0, v.n)
	}
	total := v.n
	if v.cursor >= 0 {
		total--
	}
	take := min(rows, total)
	if total > rows && rows >= ownRow {
		take--
	}
	var slots []slot
	for at := 0; len(slots) < take; at++ {
		if at != v.cursor {
			slots = append(slots, slot{entry: at})
		}
	}
	switch left := total - take; {
	case left == 0 || take < 1:
	case take < rows:
		slots = append(slots, slot{entry: -1, below: left})
	default:
		slots[take-1].below = left
	}
	return slots
}

func run(slots []slot, from, to int) []slot {
	for at := from; at < to; at++ {
		slots = append(slots, slot{entry: at})
	}
	return slots
}

// words say how many are left out; long: in a row of their own.
func (s slot) words(g ink.Glyphs, long bool) string {
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

// strip shares the rows of the strip: while the queue has the focus round its cursor, else among the others.
func (v view) strip(rows int) []slot {
	if v.focus {
		return v.around(rows)
	}
	return v.others(rows)
}

// shows reports whether the question at an index has a row in an area of so many: in the strip, or in the list.
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
