package help

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// display draws the list of keys.
type display struct {
	keys  action.Map
	from  action.Place
	all   bool // all keys are listed, not only those of the place
	top   int
	find  string   // the words that narrow the list
	right ink.Line // the words at the right end of the first row: `1 waits 4:12`
}

// listing holds the lines of a display, and the first one that is on screen.
type listing struct {
	lines []action.HelpRow
	top   int
}

// rows returns the page's rows, and how many of them match the words.
func (v display) rows() (rows []action.HelpRow, found int) {
	if !v.all {
		return v.keys.HelpOf(v.from), 0
	}
	return action.Narrowed(v.keys.HelpRows(), v.find)
}

// layOut wraps the rows at the width of r, and keeps the first line on screen within the list.
func (v display) layOut(r ink.Rect) listing {
	rows, _ := v.rows()
	lines := helpLines(rows, r.W)
	return listing{lines, min(max(v.top, 0), max(len(lines)-(r.H-1), 0))}
}

// draw draws the page into r, with the line at its top.
func (v display) draw(c ink.Canvas, r ink.Rect) {
	ink.DrawDivider(c, r.Row(0), ink.PlainLine("keys"), v.right)
	on := v.layOut(r)
	if len(on.lines) == 0 {
		c.Put(r.X+2, r.Y+1, r.W-2, ink.Plain, "no key matches these words")
		return
	}
	room := r.H - 1
	for n := range min(room, len(on.lines)-on.top) {
		l := on.lines[on.top+n]
		y := r.Y + 1 + n
		switch rest := len(on.lines) - on.top - n; {
		case n == room-1 && rest > 1:
			c.Put(r.X, y, r.W, ink.Plain, fmt.Sprintf(" %s %d lines below", c.Glyphs.Down, rest))
		case l.Heading != "":
			c.Put(r.X, y, r.W, ink.Bold, l.Heading)
		default:
			c.Put(r.X+2, y, keyCells, ink.Key, l.Keys)
			c.Put(r.X+2+keyCells, y, r.W-2-keyCells, ink.Plain, l.Words)
		}
	}
}

const keyCells = 15 // the width of the column of keys

// helpLines wraps rows into lines of w cells.
func helpLines(rows []action.HelpRow, w int) []action.HelpRow {
	var lines []action.HelpRow
	for i, row := range rows {
		if row.Heading != "" {
			if i > 0 {
				lines = append(lines, action.HelpRow{})
			}
			lines = append(lines, row)
			continue
		}
		cells := max(w-3-keyCells, 10)
		for n, words := range ink.Wrap(row.Words, cells) {
			shown := row.Keys
			if n > 0 {
				shown = ""
			}
			lines = append(lines, action.HelpRow{Keys: shown, Words: words})
		}
	}
	return lines
}
