package action

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// New returns the key table with the person's own keys from the setting `keys`, which maps an action to its keys;
// without keys the action is unbound. It also returns a sentence for each part of the setting that it left out: an
// unknown action, a key that cannot be pressed, a key that two actions would have in one place, and unbinding cancel or
// Enter, because nobody could do without them. All other keys of the setting count. An action for which no key is left
// gets its default keys back, if they are free. cells measures a character, because a character of two cells cannot be
// a key.
func New[K ~[]string](own map[string]K, cells func(string) int) (Map, []string) {
	r := rebinding{rows: slices.Clone(Keys), cells: cells}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		r.bind(name, own[name])
	}
	r.dropSharedKeys()
	r.keepNeeded()
	for _, at := range r.failed {
		r.restore(at)
	}
	slices.Sort(r.problems)
	return r.rows, r.problems
}

// removed lists the actions that had a key in an earlier version, with what replaces them.
var removed = map[Name]string{
	"half_up": "PgUp moves up", "half_down": "PgDn moves down", All: "space or a digit marks each option",
	"tell":        "keys.chat also binds this in the history",
	"write":       "choicetui show ID > FILE writes an answer to a file",
	"connect":     "keys.open_one also binds this on the empty screen",
	"change":      "keys.next_tab also binds this in the settings",
	"change_back": "keys.previous_tab also binds this in the settings",
	"undo":        "keys.undo_last also binds this in the settings",
	"statistics":  "choicetui log --stats prints them",
	"next_agent":  "keys.area also binds this in the line to an agent",
}

// Removed returns why parts of the setting `keys` no longer have an effect. Such a setting is not an error.
func Removed[K ~[]string](own map[string]K) (said []string) {
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if instead := removed[Name(name)]; instead != "" {
			said = append(said, fmt.Sprintf("keys.%s has no effect any more: %s", name, instead))
		}
	}
	return said
}

// rebinding is the state of New while it puts the person's keys into the table.
type rebinding struct {
	rows     Map
	cells    func(string) int
	rebound  []int    // the indexes of the rows that have the person's keys
	failed   []int    // the indexes of the rows for which no key of the person's is left
	problems []string // why a part of the setting was left out
}

// bind puts the person's keys into the row of an action, without those that cannot be keys.
func (r *rebinding) bind(name string, own []string) {
	at := slices.IndexFunc(r.rows, func(b Row) bool { return string(b.Name) == name })
	switch {
	case at < 0 && removed[Name(name)] != "": // Removed reports such a setting
		return
	case at < 0:
		r.leaveOut("keys.%s is not an action", name)
		return
	case len(own) == 0 && r.rows[at].mustKeepKey():
		r.leaveOut("keys.%s cannot be unbound, only rebound", name)
		return
	}
	wanted := r.rowWith(at, own)
	switch {
	case wanted.bound() || len(own) == 0:
		r.rows[at], r.rebound = wanted, append(r.rebound, at)
	case !wanted.mustKeepKey(): // a row that must have a key keeps those of the table
		r.rows[at], r.failed = wanted, append(r.failed, at)
	}
}

// leaveOut notes why a part of the setting has no effect.
func (r *rebinding) leaveOut(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// dropSharedKeys removes keys that another row has in the same place. It is called after all rows have the person's
// keys, so that two actions can swap keys.
func (r *rebinding) dropSharedKeys() {
	byName := func(a, b int) int { return strings.Compare(string(r.rows[b].Name), string(r.rows[a].Name)) }
	slices.SortFunc(r.rebound, byName)
	for _, at := range r.rebound {
		was := r.rows[at].bound()
		r.problems = append(r.problems, r.dropTaken(at)...)
		if was && !r.rows[at].bound() {
			r.failed = append(r.failed, at)
		}
	}
}

// keepNeeded gives the rows that must have a key their default keys back, and takes these keys from other rows.
func (r *rebinding) keepNeeded() {
	for _, at := range r.failed {
		if !r.rows[at].mustKeepKey() {
			continue
		}
		r.rows[at] = Keys[at]
		for _, other := range r.rebound {
			if said := r.dropTaken(other); other != at && len(said) > 0 {
				r.problems = append(r.problems, said...)
				if !r.rows[other].bound() {
					r.failed = append(r.failed, other)
				}
			}
		}
	}
}

// mostKeys limits the keys of an action whose keys are counted.
const mostKeys = 9

// rowWith returns a row of the key table with the person's own keys, without those that no terminal can send or that
// are not allowed. If the keys of the row stand for numbers, a key that is left out leaves its place empty, so that the
// keys behind it keep their numbers.
func (r *rebinding) rowWith(at int, own []string) Row {
	b := r.rows[at]
	b.Keys, b.Show = nil, ""
	for n, k := range own {
		k = normalized(k)
		wrong := r.unfitReason(at, k)
		if wrong == "" && b.Counted && n >= mostKeys {
			wrong = fmt.Sprintf("%q is one too many: at most %d keys are possible", k, mostKeys)
		}
		switch {
		case wrong == "":
			b.Keys = append(b.Keys, k)
		default:
			r.leaveOut("keys.%s: %s", b.Name, wrong)
			if b.Counted && n < mostKeys {
				b.Keys = append(b.Keys, "")
			}
		}
	}
	return b
}

// dropTaken removes the keys from a row that another row has in the same place, and returns a sentence for each.
func (r *rebinding) dropTaken(at int) (problems []string) {
	row := &r.rows[at]
	var kept []string
	for _, k := range row.Keys {
		by := r.takenBy(at, k)
		if by != "" {
			problems = append(problems, fmt.Sprintf("keys.%s: %q is already used for %s", row.Name, k, by))
			if k = ""; !row.Counted { // where keys stand for numbers, the empty place stays; see rowWith
				continue
			}
		}
		kept = append(kept, k)
	}
	row.Keys = kept
	return problems
}

// restore gives a row its default keys back, as far as they are free.
func (r *rebinding) restore(at int) {
	row, was := &r.rows[at], Keys[at]
	row.Keys, row.Show = slices.Clone(was.Keys), was.Show
	r.dropTaken(at)
	if !slices.Equal(row.Keys, was.Keys) {
		row.Show = ""
	}
	if !row.bound() && was.bound() {
		r.leaveOut("keys.%s: it has no key now", row.Name)
	}
}

// unfitReason says why a key can never be bound to a row, even if no other row has it; empty: it can.
func (r *rebinding) unfitReason(at int, k string) string {
	switch {
	case printable(k) && slices.ContainsFunc(inField, r.rows[at].IsIn):
		return fmt.Sprintf("%q is text where this is pressed while typing", k)
	case !usable(k, r.cells):
		return fmt.Sprintf("%q is not a key: give one character, or enter, esc, space, tab, up, down, pgup, pgdn, "+
			"home, end, f1 to f12, ctrl+a, alt+a", k)
	}
	return ""
}

// takenBy returns the action that has a key in one of the places of a row already; empty: the key is free.
func (r *rebinding) takenBy(at int, k string) Name {
	for i, b := range r.rows {
		if i != at && k != "" && slices.Contains(b.Keys, k) && slices.ContainsFunc(b.In, r.rows[at].IsIn) {
			return b.Name
		}
	}
	return ""
}

// normalized returns a key as the table spells it. Upper and lower case matter for a single character, but not for a
// name such as Enter.
func normalized(k string) string {
	if len([]rune(k)) == 1 {
		return k
	}
	low := strings.ToLower(k)
	if rest := k[strings.LastIndexByte(k, '+')+1:]; strings.HasPrefix(low, "alt+") && len([]rune(rest)) == 1 {
		return "alt+" + rest
	}
	return low
}

// namedKeys lists the keys that have a name in the key table.
var namedKeys = []string{"enter", "esc", "space", "tab", "backtab", "up", "down", "left", "right", "pgup", "pgdn",
	"home", "end", "delete", "insert", "backspace"}

// printable reports whether a key types a character.
func printable(k string) bool { return k == "space" || len([]rune(k)) == 1 }

// functionKey matches the names of the function keys.
var functionKey = regexp.MustCompile(`^f[0-9]{1,2}$`)

// usable reports whether a key can be in the key table: a terminal can report it, and if it is a character, it takes
// one cell on the screen. cells measures a character.
func usable(k string, cells func(string) int) bool {
	if slices.Contains(namedKeys, k) || functionKey.MatchString(k) {
		return true
	}
	if letter, ctrl := strings.CutPrefix(k, "ctrl+"); ctrl {
		return len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' || letter == "_"
	}
	k = strings.TrimPrefix(k, "alt+")
	return k == "enter" || len([]rune(k)) == 1 && cells(k) == 1
}
