package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Map is the key table with the person's own keys in it. Dispatch, foot and help read the same one.
type Map []Binding

// New puts the setting `keys` (action to keys; none: unbound) over the table, and returns what it had to leave
// out: unknown actions, keys that cannot be pressed, keys taken twice in one place, and a way to cancel without a key:
// x and the Enter that carries it out are always there. Every key that can be stays; an action left with none has the
// table's back, as far as they are free. cells measures a character: one that takes two cells is no key.
func New[K ~[]string](own map[string]K, cells func(string) int) (Map, []string) {
	m := slices.Clone(Table)
	names := slices.Sorted(maps.Keys(own))
	var problems []string
	var ours, failed []int // rows with the person's keys, and those none was left of
	for _, name := range names {
		at := slices.IndexFunc(m, func(b Binding) bool { return string(b.Action) == name })
		switch {
		case at < 0:
			problems = append(problems, fmt.Sprintf("keys.%s is no action", name))
			continue
		case len(own[name]) == 0 && m[at].stays():
			problems = append(problems, fmt.Sprintf("keys.%s cannot be unbound, only rebound", name))
			continue
		}
		wanted, wrong := m.wanted(at, own[name], cells)
		problems = append(problems, wrong...)
		switch {
		case wanted.bound() || len(own[name]) == 0:
			m[at], ours = wanted, append(ours, at)
		case !wanted.stays(): // which keeps the table's, whoever wants them
			m[at], failed = wanted, append(failed, at)
		}
	}
	// Judged when all are in their places, so that two can swap their keys.
	byName := func(a, b int) int { return strings.Compare(string(m[b].Action), string(m[a].Action)) }
	slices.SortFunc(ours, byName)
	for _, at := range ours {
		was := m[at].bound()
		problems = append(problems, m.giveUp(at)...)
		if was && !m[at].bound() {
			failed = append(failed, at)
		}
	}
	for _, at := range failed { // what stays has the table's, whoever else has them
		if !m[at].stays() {
			continue
		}
		m[at] = Table[at]
		for _, other := range ours {
			if said := m.giveUp(other); other != at && len(said) > 0 {
				problems = append(problems, said...)
				if !m[other].bound() {
					failed = append(failed, other)
				}
			}
		}
	}
	for _, at := range failed {
		problems = append(problems, m.restore(at)...)
	}
	slices.Sort(problems)
	return m, problems
}

// mostKeys is how many keys an action may have whose keys are counted.
const mostKeys = 9

// wanted is a row with the person's keys for it, and what is wrong with the others. A key left out of a counted row
// leaves its place empty: the ones behind it mean what they did.
func (m Map) wanted(at int, own []string, cells func(string) int) (b Binding, problems []string) {
	b = m[at]
	b.Keys, b.Show = nil, ""
	for n, k := range own {
		k = spelled(k)
		wrong := m.unfit(at, k, cells)
		if wrong == "" && b.Counted && n >= mostKeys {
			wrong = fmt.Sprintf("%q is one too many, %d keys at most", k, mostKeys)
		}
		switch {
		case wrong == "":
			b.Keys = append(b.Keys, k)
		default:
			problems = append(problems, fmt.Sprintf("keys.%s: %s", b.Action, wrong))
			if b.Counted && n < mostKeys {
				b.Keys = append(b.Keys, "")
			}
		}
	}
	return b, problems
}

// giveUp takes the keys from a row that another one has in the same place, and says so.
func (m Map) giveUp(at int) (problems []string) {
	var kept []string
	for _, k := range m[at].Keys {
		by := m.taken(at, k)
		if by != "" {
			problems = append(problems, fmt.Sprintf("keys.%s: %q already is %s", m[at].Action, k, by))
			if k = ""; !m[at].Counted {
				continue
			}
		}
		kept = append(kept, k)
	}
	m[at].Keys = kept
	return problems
}

// restore gives a row the table's keys back, as far as they are free.
func (m Map) restore(at int) (problems []string) {
	m[at].Keys, m[at].Show = slices.Clone(Table[at].Keys), Table[at].Show
	m.giveUp(at)
	if !slices.Equal(m[at].Keys, Table[at].Keys) {
		m[at].Show = ""
	}
	if !m[at].bound() && Table[at].bound() {
		problems = append(problems, fmt.Sprintf("keys.%s: it has no key now", m[at].Action))
	}
	return problems
}

// stays reports whether a row cannot do without a key: x opens the cancel line, Enter carries it out.
func (b Binding) stays() bool { return b.Action == ActCancel || b.Action == ActEnter }

// bound reports whether a row has a key.
func (b Binding) bound() bool {
	return slices.ContainsFunc(b.Keys, func(k string) bool { return k != "" })
}

// spelled is a key as the table names it: the case of a name does not matter, that of a character does.
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

// unfit says why a key cannot be bound to a row, whatever else is bound.
func (m Map) unfit(at int, k string, cells func(string) int) string {
	switch {
	case printable(k) && slices.ContainsFunc(fields, m[at].in):
		return fmt.Sprintf("%q is text where this is pressed while typing", k)
	case !pressable(k, cells):
		return fmt.Sprintf("%q is no key: one character, or enter, esc, space, tab, up, down, pgup, pgdn, home, end, "+
			"f1 to f12, ctrl+a, alt+a", k)
	}
	return ""
}

// taken is the action that has a key already in a place of a row; empty: none.
func (m Map) taken(at int, k string) Action {
	for i, b := range m {
		if i != at && k != "" && slices.Contains(b.Keys, k) && slices.ContainsFunc(b.Places, m[at].in) {
			return b.Action
		}
	}
	return ""
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

// Lookup finds the binding of a key in a place; nil when the key means nothing there.
func (m Map) Lookup(place Place, key string) *Binding {
	for i, b := range m {
		if b.in(place) && slices.Contains(b.Keys, key) {
			return &m[i]
		}
	}
	return nil
}

// KeyOf is how an action's key is written in a place; empty: it has none.
func (m Map) KeyOf(place Place, a Action) string { return m.row(place, a).Shown() }

// Nth is which of an action's keys in a place was pressed, counted from 1: the option, question or line it means. 0:
// none of them.
func (m Map) Nth(place Place, a Action, key string) int {
	b := m.row(place, a)
	return slices.Index(b.Keys, key) + 1
}

// KeyFor is how the n-th of an action's keys is written in a place; empty: there is none.
func (m Map) KeyFor(place Place, a Action, n int) string {
	b := m.row(place, a)
	if n < 1 || n > len(b.Keys) {
		return ""
	}
	return pretty(b.Keys[n-1])
}

// FirstKeys is how the first n of an action's keys are written in a place: `1-4`, `! @ # $`; empty: there are none.
func (m Map) FirstKeys(place Place, a Action, n int) string {
	b := m.row(place, a)
	return keyRange(b.Keys[:min(n, len(b.Keys))])
}

// row is an action's binding in a place, of the table where there are no keys yet.
func (m Map) row(place Place, a Action) Binding {
	if m == nil {
		m = Table
	}
	for _, b := range m {
		if b.Action == a && b.in(place) {
			return b
		}
	}
	return Binding{}
}

// keyRange writes keys that are counted: ends only, where they follow each other as 1 to 9 and a to z do.
func keyRange(keys []string) string {
	var names []string
	run := len(keys) > 2
	for i, k := range keys {
		if k != "" {
			names = append(names, pretty(k))
		}
		run = run && len(k) == 1 && alphanumeric(k[0]) && (i == 0 || k[0] == keys[i-1][0]+1)
	}
	if run || len(keys) == 2 && keys[0] == "1" && keys[1] == "2" {
		return names[0] + "-" + names[len(names)-1]
	}
	return strings.Join(names, " ")
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Hints lists the foot's keys of a place; word renames one (an empty one leaves it out), so that the foot says what a
// key does now.
func (m Map) Hints(place Place, word func(Binding) Word) []Hint {
	var hints []Hint
	for _, b := range m {
		if b.Hint == "" || !b.in(place) || !b.bound() {
			continue
		}
		if w := word(b); w.Long != "" {
			hints = append(hints, Hint{b.Action, b.Shown(), w.Long, w.Short, b.Bare, b.Lead, b.Rank})
		}
	}
	return hints
}

// Moved says where an action went whose key this is in the table but not in the person's own; empty: it is no such
// key.
func (m Map) Moved(place Place, key string) string {
	was := Table.Lookup(place, key)
	if was == nil {
		return ""
	}
	if now := m.KeyOf(place, was.Action); now != "" {
		return fmt.Sprintf("%s was %s, now %s: your own keys", pretty(key), was.Action, now)
	}
	return fmt.Sprintf("%s is unbound: %s has no key in the settings", pretty(key), was.Action)
}

// Known is how a key is written that means something somewhere; empty: it is in no row of the table.
func (m Map) Known(key string) string {
	if slices.ContainsFunc(m, func(b Binding) bool { return slices.Contains(b.Keys, key) }) {
		return pretty(key)
	}
	return ""
}
