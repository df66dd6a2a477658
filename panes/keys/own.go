package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue/desk/deed"
)

// New puts the setting `keys` (action to keys; none: unbound) over the table, and returns the settings that it left
// out: unknown actions, keys that cannot be pressed, keys taken twice in one place, and cancelling without a key, as x
// and the Enter that carries it out always exist. Every possible key is kept; an action without any gets those of the
// table back that are free. cells measures a character: a character of two cells is not a key.
func New[K ~[]string](own map[string]K, cells func(string) int) (Map, []string) {
	r := rebinding{rows: slices.Clone(Table), cells: cells}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		r.bind(name, own[name])
	}
	r.judge()
	r.keepNeeded()
	for _, at := range r.failed {
		r.restore(at)
	}
	slices.Sort(r.problems)
	return r.rows, r.problems
}

// removed lists the actions that had a key in an earlier version, with what takes their place.
var removed = map[Action]string{
	"half_up": "PgUp moves up", "half_down": "PgDn moves down", deed.All: "space or a digit marks each option",
	deed.AllRec:    "r and Enter on each question do the same",
	deed.StartOver: "a digit goes back to each answer in the review",
	"tell":         "keys.chat also binds this in the history",
	"write":        "choicetui show ID > FILE writes an answer to a file",
	"connect":      "keys.open_one also binds this on the empty screen",
	"change":       "keys.next_tab also binds this in the settings",
	"change_back":  "keys.previous_tab also binds this in the settings",
	"undo":         "keys.undo_last also binds this in the settings",
	"statistics":   "keys.area also binds this in the history",
	"next_agent":   "keys.area also binds this in the line to an agent",
}

// Removed returns why parts of the setting `keys` no longer have an effect. Such a setting is not an error.
func Removed[K ~[]string](own map[string]K) (said []string) {
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if instead := removed[Action(name)]; instead != "" {
			said = append(said, fmt.Sprintf("keys.%s has no effect any more: %s", name, instead))
		}
	}
	return said
}

// rebinding puts the person's own keys into the table.
type rebinding struct {
	rows     Map
	cells    func(string) int
	ours     []int    // indexes of the rows with the person's keys
	failed   []int    // indexes of the rows for which none of the person's keys was left
	problems []string // why a part of the setting was left out
}

// bind puts the person's keys into the row of an action, and leaves out those that cannot be keys.
func (r *rebinding) bind(name string, own []string) {
	at := slices.IndexFunc(r.rows, func(b Binding) bool { return string(b.Action) == name })
	switch {
	case at < 0 && removed[Action(name)] != "": // Removed reports it to whoever asks
		return
	case at < 0:
		r.leaveOut("keys.%s is no action", name)
		return
	case len(own) == 0 && r.rows[at].stays():
		r.leaveOut("keys.%s cannot be unbound, only rebound", name)
		return
	}
	wanted := r.wanted(at, own)
	switch {
	case wanted.bound() || len(own) == 0:
		r.rows[at], r.ours = wanted, append(r.ours, at)
	case !wanted.stays(): // which keeps the table's, whoever wants them
		r.rows[at], r.failed = wanted, append(r.failed, at)
	}
}

func (r *rebinding) leaveOut(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// judge takes the keys away that two rows of one place have. It does so when all are in their places, so that two can
// swap their keys.
func (r *rebinding) judge() {
	byName := func(a, b int) int { return strings.Compare(string(r.rows[b].Action), string(r.rows[a].Action)) }
	slices.SortFunc(r.ours, byName)
	for _, at := range r.ours {
		was := r.rows[at].bound()
		r.problems = append(r.problems, r.giveUp(at)...)
		if was && !r.rows[at].bound() {
			r.failed = append(r.failed, at)
		}
	}
}

// keepNeeded gives the rows that cannot do without a key the table's back, even if other rows have them.
func (r *rebinding) keepNeeded() {
	for _, at := range r.failed {
		if !r.rows[at].stays() {
			continue
		}
		r.rows[at] = Table[at]
		for _, other := range r.ours {
			if said := r.giveUp(other); other != at && len(said) > 0 {
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

// wanted returns a row with the person's keys for it that can be keys. A key left out of a counted row leaves its place
// empty: the ones behind it mean what they did.
func (r *rebinding) wanted(at int, own []string) Binding {
	b := r.rows[at]
	b.Keys, b.Show = nil, ""
	for n, k := range own {
		k = spelled(k)
		wrong := r.unfit(at, k)
		if wrong == "" && b.Counted && n >= mostKeys {
			wrong = fmt.Sprintf("%q is one too many, %d keys at most", k, mostKeys)
		}
		switch {
		case wrong == "":
			b.Keys = append(b.Keys, k)
		default:
			r.leaveOut("keys.%s: %s", b.Action, wrong)
			if b.Counted && n < mostKeys {
				b.Keys = append(b.Keys, "")
			}
		}
	}
	return b
}

// giveUp takes the keys from a row that another row has in the same place, and reports them.
func (r *rebinding) giveUp(at int) (problems []string) {
	row := &r.rows[at]
	var kept []string
	for _, k := range row.Keys {
		by := r.taken(at, k)
		if by != "" {
			problems = append(problems, fmt.Sprintf("keys.%s: %q already is %s", row.Action, k, by))
			if k = ""; !row.Counted {
				continue
			}
		}
		kept = append(kept, k)
	}
	row.Keys = kept
	return problems
}

// restore gives a row the table's keys back, as far as they are free.
func (r *rebinding) restore(at int) {
	row, was := &r.rows[at], Table[at]
	row.Keys, row.Show = slices.Clone(was.Keys), was.Show
	r.giveUp(at)
	if !slices.Equal(row.Keys, was.Keys) {
		row.Show = ""
	}
	if !row.bound() && was.bound() {
		r.leaveOut("keys.%s: it has no key now", row.Action)
	}
}

// unfit says why a key cannot be bound to a row, whatever else is bound.
func (r *rebinding) unfit(at int, k string) string {
	switch {
	case printable(k) && slices.ContainsFunc(fields, r.rows[at].In):
		return fmt.Sprintf("%q is text where this is pressed while typing", k)
	case !pressable(k, r.cells):
		return fmt.Sprintf("%q is no key: one character, or enter, esc, space, tab, up, down, pgup, pgdn, home, end, "+
			"f1 to f12, ctrl+a, alt+a", k)
	}
	return ""
}

// taken returns the action that already has a key in one of the places of a row; empty: none has.
func (r *rebinding) taken(at int, k string) Action {
	for i, b := range r.rows {
		if i != at && k != "" && slices.Contains(b.Keys, k) && slices.ContainsFunc(b.Places, r.rows[at].In) {
			return b.Action
		}
	}
	return ""
}

// spelled returns a key as the table spells it: the case of a name does not matter, the case of a character does.
func spelled(k string) string {
	if len([]rune(k)) == 1 {
		return k
	}
	low := strings.ToLower(k)
	if rest := k[strings.LastIndexByte(k, '+')+1:]; strings.HasPrefix(low, "alt+") && len([]rune(rest)) == 1 {
		return "alt+" + rest
	}
	return low
}

var named = []string{"enter", "esc", "space", "tab", "backtab", "up", "down", "left", "right", "pgup", "pgdn", "home",
	"end", "delete", "insert", "backspace"}

// printable reports whether a key writes a character.
func printable(k string) bool { return k == "space" || len([]rune(k)) == 1 }

func pressable(k string, cells func(string) int) bool {
	if slices.Contains(named, k) {
		return true
	}
	if rest, ok := strings.CutPrefix(k, "f"); ok && len(rest) > 0 && len(rest) <= 2 && strings.Trim(rest,
		"0123456789") == "" {
		return true
	}
	rest, ctrl := strings.CutPrefix(k, "ctrl+")
	if ctrl {
		return len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z'
	}
	rest = strings.TrimPrefix(k, "alt+")
	return len([]rune(rest)) == 1 && cells(rest) == 1 || rest == "enter"
}
