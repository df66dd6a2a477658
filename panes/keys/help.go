package keys

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue/desk/deed"
)

// placeNames lists the places in the order of the help, with the heading of each.
var placeNames = []struct {
	Place Place
	Name  string
}{
	{PlaceQuestion, "a question"}, {PlaceApproval, "an approval"}, {PlaceConfirm, "the confirmation"},
	{PlaceReview, "the review"}, {PlaceRound, "approvals that are sent together"},
	{PlaceLetter, "asking the team: the message"}, {PlaceTeamChoice, "asking the team: in the meantime"},
	{PlaceTeamReview, "the team's review"}, {PlaceTeamLine, "the line about the team"},
	{PlaceTeamWait, "while the team is asked"}, {PlaceTyping, "typing"}, {PlaceChat, "chat"},
	{PlaceReason, "the cancel line"},
	{PlaceHeld, "an answer that is held back"}, {PlaceQueue, "the queue"},
	{PlaceOver, "a question that is closed or set aside"},
	{PlaceEmpty, "nothing is waiting"}, {PlaceFind, "the filter line"},
	{PlaceSettings, "the settings"}, {PlaceValue, "typing a value"}, {PlaceHistory, "history"},
	{PlaceStats, "statistics"}, {PlacePeek, "what the agent was doing"}, {PlaceHelp, "this list"},
}

// String returns the name of the place, as the help writes it in its headings.
func (p Place) String() string {
	for _, named := range placeNames {
		if named.Place == p {
			return named.Name
		}
	}
	return "an unnamed place"
}

// HelpRow holds one line of the help: a heading, keys with their effect, or a note on a place.
type HelpRow struct {
	Heading, Keys, Words string
	Also                 bool // Words lists keys that were explained above and work here too
}

// HelpRows returns the key table as the help shows it: the given place first, and each row explained once, except that
// a place has its own words where the key does something else. README has the same rows.
func (m Map) HelpRows(first Place) []HelpRow {
	var rows []HelpRow
	said := make([]bool, len(m))
	order := m.orderByUse()
	add := func(place Place, name string) {
		heading := len(rows)
		rows = append(rows, HelpRow{Heading: name})
		var also []string
		before := slices.Clone(said)
		for _, i := range order {
			b := m[i]
			switch {
			case !b.In(place):
			case b.HelpAt[place] != "":
				rows = append(rows, HelpRow{Keys: b.allKeys(), Words: b.HelpAt[place]})
			case !said[i]:
				rows = append(rows, m.helpRow(place, i, said))
			case before[i] && b.bound():
				also = append(also, b.short())
			}
		}
		if len(also) > 0 {
			rows = append(rows, HelpRow{Keys: "also", Words: strings.Join(also, "  "), Also: true})
		}
		if len(rows) == heading+1 { // no key is bound there
			rows = rows[:heading]
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

// helpRow returns the row of the help for a binding, together with the bindings that are shown with it in this place.
// said notes which were explained.
func (m Map) helpRow(place Place, at int, said []bool) HelpRow {
	said[at] = true
	var together []string
	if m[at].bound() {
		together = append(together, Written(m[at].Keys[0]))
	}
	row := HelpRow{Keys: m[at].allKeys(), Words: m[at].Help}
	for i, b := range m {
		if b.With == m[at].Action && b.In(place) && !said[i] {
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

// orderByUse returns the indexes of the rows, those of the most used actions first.
func (m Map) orderByUse() []int {
	order := make([]int, len(m))
	for i := range m {
		order[i] = i
	}
	use := func(i int) int {
		leads := m[i].Action
		if m[i].With != "" {
			leads = m[i].With
		}
		if at := slices.Index(mostUsed, leads); at >= 0 {
			return at
		}
		return len(mostUsed)
	}
	slices.SortStableFunc(order, func(a, b int) int { return use(a) - use(b) })
	return order
}

// mostUsed lists the actions that come first in the help of each place. The others follow in the order of the table.
var mostUsed = []Action{deed.Enter, deed.Digit, ActOpenOne, deed.ChangeOne, deed.Up, deed.Confirm, deed.Allow,
	deed.Refuse, deed.Mark, deed.Note, deed.Comment, deed.Text, deed.Cancel, deed.Detail, deed.Later, deed.Next,
	deed.TabNext, deed.Recommended, deed.Back, ActPeek, ActPane, ActFull, deed.More, deed.UndoLast, deed.Hidden,
	deed.Find, ActSettings, ActHistory, ActHelp, ActChat, ActBrowser}

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

// short returns one key or a range, for a list of keys.
func (b Binding) short() string {
	if len(b.Keys) > 3 || b.Counted {
		return b.Shown()
	}
	return Written(b.Keys[0])
}

// allKeys returns all keys of a binding as the help writes them; a dash stands for none.
func (b Binding) allKeys() string {
	if !b.bound() {
		return "–"
	}
	if len(b.Keys) > 3 || b.Counted {
		return b.Shown()
	}
	return strings.Join(writtenAll(b.Keys), " ")
}

// Written returns a key as it is written in the foot and the help: `enter` as `Enter`, `ctrl+c` as `^C`.
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
