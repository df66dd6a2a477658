package panes

import "fmt"

// placeNames head the groups of the help, the place it was opened from first.
var placeNames = []struct {
	Place Place
	Name  string
}{
	{PlaceQuestion, "a question"}, {PlaceConfirm, "the confirmation"}, {PlaceReview, "the review"}, {PlaceTyping, "typing"}, {PlaceChat, "chat"}, {PlaceReason, "the cancel line"}, {PlaceQueue, "the queue"},
	{PlaceOver, "a question that is over"}, {PlaceEmpty, "nothing waits"}, {PlaceFind, "the find line"}, {PlaceSettings, "the settings"}, {PlaceValue, "typing a value"}, {PlaceHistory, "history"}, {PlaceStats, "statistics"}, {PlaceHelp, "this list"},
}

// HelpRow is one line of the help: a heading, or keys and what they do.
type HelpRow struct{ Heading, Keys, Words string }

// HelpRows is the key table as help shows it, the given place first. README holds the same rows.
func (m Keymap) HelpRows(first Place) []HelpRow {
	var rows []HelpRow
	add := func(place Place, name string) {
		rows = append(rows, HelpRow{Heading: name})
		for _, b := range m {
			if b.in(place) {
				rows = append(rows, HelpRow{Keys: b.allKeys(), Words: b.Help})
			}
		}
	}
	for _, p := range placeNames {
		if p.Place == first {
			add(p.Place, p.Name)
		}
	}
	for _, p := range placeNames {
		if p.Place != first {
			add(p.Place, p.Name)
		}
	}
	return rows
}

func (b Binding) allKeys() string {
	if len(b.Keys) == 0 {
		return "–"
	}
	if b.Show != "" && b.Show != "J/K" {
		return b.Show
	}
	out := ""
	for i, k := range b.Keys {
		if i > 0 {
			out += " "
		}
		out += pretty(k)
	}
	return out
}

// pretty writes a key as people say it.
func pretty(k string) string {
	switch k {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "backtab":
		return "Shift-Tab"
	case "pgup":
		return "PgUp"
	case "pgdn":
		return "PgDn"
	case "home":
		return "Home"
	case "end":
		return "End"
	case "enter":
		return "Enter"
	}
	if len(k) == 6 && k[:5] == "ctrl+" {
		return "^" + string(k[5]-32)
	}
	return k
}

// HelpView is the page of keys.
type HelpView struct {
	Keys  Keymap
	From  Place
	Top   int
	Right string // such as `1 waits 4:12`
}

// Draw draws the page into r, rule included, and returns the first line shown, kept within the list.
func (v HelpView) Draw(c Canvas, r Rect) (top int) {
	DrawNamedRule(c, r.Row(0), "keys", v.Right)
	lines := helpLines(v.Keys.HelpRows(v.From), r.W)
	room := r.H - 1
	top = min(max(v.Top, 0), max(len(lines)-room, 0))
	for n := range room {
		if top+n >= len(lines) {
			return top
		}
		l := lines[top+n]
		y := r.Y + 1 + n
		if n == room-1 && top+room < len(lines) {
			c.Put(r.X, y, r.W, Plain, fmt.Sprintf(" %s %d lines below", c.Glyphs.Down, len(lines)-top-room+1))
			return top
		}
		if l.Heading != "" {
			c.Put(r.X, y, r.W, Bold, l.Heading)
			continue
		}
		c.Put(r.X+2, y, helpKeys, Bold, l.Keys)
		c.Put(r.X+2+helpKeys, y, r.W-2-helpKeys, Plain, l.Words)
	}
	return top
}

const helpKeys = 12 // cells of the keys column

func helpLines(rows []HelpRow, w int) []HelpRow {
	var lines []HelpRow
	for i, row := range rows {
		if row.Heading != "" {
			if i > 0 {
				lines = append(lines, HelpRow{})
			}
			lines = append(lines, row)
			continue
		}
		for n, words := range Wrap(row.Words, max(w-3-helpKeys, 10)) {
			keys := row.Keys
			if n > 0 {
				keys = ""
			}
			lines = append(lines, HelpRow{Keys: keys, Words: words})
		}
	}
	return lines
}
