package keys

import (
	"slices"
	"strings"
)

// placeNames head the groups of the help, the place it was opened from first.
var placeNames = []struct {
	Place Place
	Name  string
}{
	{PlaceQuestion, "a question"}, {PlaceApproval, "an approval"}, {PlaceConfirm, "the confirmation"},
	{PlaceReview, "the review"}, {PlaceRound, "approvals that are sent together"},
	{PlaceLetter, "asking the team: what they read"}, {PlaceTeamChoice, "until they reply"},
	{PlaceTeamReview, "the team's review"}, {PlaceTeamLine, "the line about the team"},
	{PlaceTeamWait, "while the team is asked"}, {PlaceTyping, "typing"}, {PlaceChat, "chat"},
	{PlaceReason, "the cancel line"},
	{PlaceHeld, "an answer that is held back"}, {PlaceQueue, "the queue"},
	{PlaceOver, "a closed question"}, {PlaceEmpty, "nothing is waiting"}, {PlaceFind, "the filter line"},
	{PlaceSettings, "the settings"}, {PlaceValue, "typing a value"}, {PlaceHistory, "history"},
	{PlaceStats, "statistics"}, {PlacePeek, "the peek"}, {PlaceHelp, "this list"},
}

// HelpRow holds one line of the help: a heading, keys with their effect, or a note on a place.
type HelpRow struct {
	Heading, Keys, Words string
	Also                 bool // the keys in Words were explained above and hold here too
}

// HelpRows returns the key table as help shows it, the given place first and each row explained once. README holds the
// same rows.
func (m Map) HelpRows(first Place) []HelpRow {
	var rows []HelpRow
	said := make([]bool, len(m))
	add := func(place Place, name string) {
		rows = append(rows, HelpRow{Heading: name})
		var also []string
		for i, b := range m {
			switch {
			case !b.In(place):
			case !said[i]:
				said[i] = true
				rows = append(rows, HelpRow{Keys: b.allKeys(), Words: b.Help})
			case b.bound():
				also = append(also, b.short())
			}
		}
		if len(also) > 0 {
			rows = append(rows, HelpRow{Keys: "also", Words: strings.Join(also, "  "), Also: true})
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

// Narrowed keeps the rows that hold every word, in any case, in their heading, keys or text, and the headings of these
// rows.
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

// short returns one name for the binding's keys.
func (b Binding) short() string {
	if len(b.Keys) > 3 || b.Counted {
		return b.Shown()
	}
	return Written(b.Keys[0])
}

func (b Binding) allKeys() string {
	if !b.bound() {
		return "–"
	}
	if len(b.Keys) > 3 || b.Counted {
		return b.Shown()
	}
	out := ""
	for i, k := range b.Keys {
		if i > 0 {
			out += " "
		}
		out += Written(k)
	}
	return out
}

// Written returns how a key is written in foot and help.
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
		return "Alt-" + Written(rest)
	}
	if len(k) == 6 && k[:5] == "ctrl+" {
		return "^" + string(k[5]-32)
	}
	return k
}
