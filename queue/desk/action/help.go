package action

import (
	"slices"
	"strings"
)

// HelpRow holds one line of the help: a heading, or keys with their effect.
type HelpRow struct{ Heading, Keys, Words string }

// HelpOf returns the keys of one place as the help shows them there. What only few people need there is left out; see
// Row.Seldom.
func (m Map) HelpOf(place Place) []HelpRow {
	rows := []HelpRow{{Heading: place.String()}}
	said := make([]bool, len(m))
	for i := range m {
		said[i] = slices.Contains(m[i].Seldom, place)
	}
	return append(rows, m.helpRows(place, said)...)
}

// HelpRows returns the whole key table as the help, README and docs show it: each row is explained once, in the first
// place that has it, and again where the key does something else.
func (m Map) HelpRows() (rows []HelpRow) {
	said := make([]bool, len(m))
	for _, p := range placeNames {
		if of := m.helpRows(p.Place, said); len(of) > 0 {
			rows = append(append(rows, HelpRow{Heading: p.Name}), of...)
		}
	}
	return rows
}

// helpRows returns the rows of one place that were not explained yet, or mean something else there. said notes which
// were explained.
func (m Map) helpRows(place Place, said []bool) (rows []HelpRow) {
	for i := range m {
		b := &m[i]
		switch words := b.HelpAt[place]; {
		case !b.IsIn(place):
		case words != "":
			rows = append(rows, HelpRow{Keys: b.allKeys(), Words: words})
		case !said[i]:
			rows = append(rows, m.helpRow(place, i, said))
		}
	}
	return rows
}

// helpRow returns the row of the help for a row of the table, together with the rows that are shown with it in this
// place. said notes which were explained.
func (m Map) helpRow(place Place, at int, said []bool) HelpRow {
	said[at] = true
	var together []string
	if m[at].bound() {
		together = append(together, Written(m[at].Keys[0]))
	}
	row := HelpRow{Keys: m[at].allKeys(), Words: m[at].Help}
	for i, b := range m {
		if b.With == m[at].Name && b.IsIn(place) && !said[i] {
			said[i] = true
			if b.bound() {
				together = append(together, Written(b.Keys[0]))
			}
			row = HelpRow{Keys: strings.Join(together, " "), Words: m[at].Group}
		}
	}
	if row.Keys == "" {
		row.Keys = "–"
	}
	return row
}

// writtenAll returns each of the keys as the help writes it.
func writtenAll(keys []string) (names []string) {
	for _, k := range keys {
		names = append(names, Written(k))
	}
	return names
}

// Narrowed returns the rows that have every word of find in their heading, keys or text, upper or lower case alike, and
// the headings of these rows. found is the number of these rows without the headings, and 0 if find is empty, when all
// rows are returned.
func Narrowed(rows []HelpRow, find string) (kept []HelpRow, found int) {
	words := strings.Fields(strings.ToLower(find))
	if len(words) == 0 {
		return rows, 0
	}
	heading, headed := HelpRow{}, false
	for _, row := range rows {
		if row.Heading != "" {
			heading, headed = row, false
			continue
		}
		text := strings.ToLower(heading.Heading + " " + row.Keys + " " + row.Words)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if !headed {
			kept, headed = append(kept, heading), true
		}
		kept, found = append(kept, row), found+1
	}
	return kept, found
}

// allKeys returns all keys of a row as the help writes them; a dash stands for none.
func (r Row) allKeys() string {
	if !r.bound() {
		return "–"
	}
	if len(r.Keys) > 3 || r.Counted {
		return r.Shown()
	}
	return strings.Join(writtenAll(r.Keys), " ")
}

// Written returns a key as it is written in the footerer and the help: `enter` as `Enter`, `ctrl+c` as `^C`.
func Written(k string) string {
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
	case "enter", "esc", "tab", "delete", "insert", "backspace":
		return strings.ToUpper(k[:1]) + k[1:]
	}
	if len(k) > 1 && k[0] == 'f' && k[1] <= '9' {
		return "F" + k[1:]
	}
	if rest, ok := strings.CutPrefix(k, "alt+"); ok {
		return writtenAlt(rest)
	}
	if letter, ok := strings.CutPrefix(k, "ctrl+"); ok && len(letter) == 1 {
		return "^" + strings.ToUpper(letter)
	}
	return k
}

// writtenAlt returns how a key with Alt is written.
func writtenAlt(k string) string {
	switch {
	case len(k) != 1:
		return "Alt-" + Written(k)
	case k[0] >= 'A' && k[0] <= 'Z':
		return "Alt-Shift-" + k
	}
	return "Alt-" + strings.ToUpper(k)
}
