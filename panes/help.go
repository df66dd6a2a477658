package panes

import (
	"fmt"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// HelpView is the page of keys.
type HelpView struct {
	Keys  keys.Map
	From  keys.Place
	Top   int
	Find  string // narrows the list
	Right string // such as `1 waits 4:12`
}

// Rows are what the page lists, and how many of them Find has found.
func (v HelpView) Rows() (rows []keys.HelpRow, found int) {
	return keys.Narrowed(v.Keys.HelpRows(v.From), v.Find)
}

// Draw draws the page into r, rule included, and returns the first line shown, kept within the list.
func (v HelpView) Draw(c ink.Canvas, r ink.Rect) (top int) {
	ink.DrawNamedRule(c, r.Row(0), "keys", v.Right)
	rows, _ := v.Rows()
	if len(rows) == 0 {
		c.Put(r.X+2, r.Y+1, r.W-2, ink.Plain, "no key has these words")
		return 0
	}
	lines := helpLines(rows, r.W)
	room := r.H - 1
	top = min(max(v.Top, 0), max(len(lines)-room, 0))
	for n := range room {
		if top+n >= len(lines) {
			return top
		}
		l := lines[top+n]
		y := r.Y + 1 + n
		if n == room-1 && top+room < len(lines) {
			c.Put(r.X, y, r.W, ink.Plain, fmt.Sprintf(" %s %d lines below", c.Glyphs.Down, len(lines)-top-room+1))
			return top
		}
		if l.Heading != "" {
			c.Put(r.X, y, r.W, ink.Bold, l.Heading)
			continue
		}
		c.Put(r.X+2, y, helpKeys, keysStyle(l), l.Keys)
		c.Put(r.X+2+helpKeys, y, r.W-2-helpKeys, ink.Plain, l.Words)
	}
	return top
}

func keysStyle(l keys.HelpRow) tcell.Style {
	if l.Also {
		return ink.Plain
	}
	return ink.Bold
}

const helpKeys = 12 // cells of the keys column

func helpLines(rows []keys.HelpRow, w int) []keys.HelpRow {
	var lines []keys.HelpRow
	for i, row := range rows {
		if row.Heading != "" {
			if i > 0 {
				lines = append(lines, keys.HelpRow{})
			}
			lines = append(lines, row)
			continue
		}
		for n, words := range ink.Wrap(row.Words, max(w-3-helpKeys, 10)) {
			shown := row.Keys
			if n > 0 {
				shown = ""
			}
			lines = append(lines, keys.HelpRow{Keys: shown, Words: words, Also: row.Also})
		}
	}
	return lines
}
