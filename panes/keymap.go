package panes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Keymap is the key table with the person's own keys in it. Dispatch, foot and help read the same one.
type Keymap []Binding

// NewKeymap puts the setting `keys` (action to keys; none: unbound) over the table, and returns what it had to leave
// out: unknown actions, keys that cannot be pressed, keys taken twice in one place, and cancel without a key, which
// is always there.
func NewKeymap(own map[string][]string) (Keymap, []string) {
	m := Keymap(slices.Clone(Keys))
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		at := slices.IndexFunc(m, func(b Binding) bool { return string(b.Action) == name })
		keys := own[name]
		switch {
		case at < 0:
			problems = append(problems, fmt.Sprintf("keys.%s is no action", name))
		case len(keys) == 0 && m[at].Action == ActCancel:
			problems = append(problems, "keys.cancel cannot be unbound, only rebound")
		default:
			m[at].Keys, m[at].Show = slices.Clone(keys), ""
		}
	}
	// Judged when all are in their places, so that two can swap their keys. What does not fit goes back to the table's
	// key, which may then be in the way of another, until nothing is.
	for judged := false; !judged; {
		judged = true
		for _, name := range slices.Backward(slices.Sorted(maps.Keys(own))) {
			at := slices.IndexFunc(m, func(b Binding) bool { return string(b.Action) == name })
			if at < 0 || slices.Equal(m[at].Keys, Keys[at].Keys) {
				continue
			}
			if wrong := m.unfit(at, m[at].Keys); wrong != "" {
				problems = append(problems, fmt.Sprintf("keys.%s: %s", name, wrong))
				m[at], judged = Keys[at], false
			}
		}
	}
	slices.Sort(problems)
	return m, problems
}

// unfit says why these keys cannot be bound to a row.
func (m Keymap) unfit(at int, keys []string) string {
	for _, k := range keys {
		if printable(k) && slices.ContainsFunc(fields, m[at].in) {
			return fmt.Sprintf("%q is text where this is pressed while typing", k)
		}
		if !pressable(k) {
			return fmt.Sprintf("%q is no key: one character, or enter, esc, space, tab, up, down, pgup, pgdn, home, end, f1 to f12, ctrl+a, alt+a", k)
		}
		for i, b := range m {
			if i == at || !slices.Contains(b.Keys, k) {
				continue
			}
			if slices.ContainsFunc(b.Places, m[at].in) {
				return fmt.Sprintf("%q already is %s", k, b.Action)
			}
		}
	}
	return ""
}

var named = []string{"enter", "esc", "space", "tab", "backtab", "up", "down", "left", "right", "pgup", "pgdn", "home", "end", "delete", "insert", "backspace"}

// printable reports whether a key writes a character.
func printable(k string) bool { return k == "space" || len([]rune(k)) == 1 }

func pressable(k string) bool {
	if slices.Contains(named, k) {
		return true
	}
	if rest, ok := strings.CutPrefix(k, "f"); ok && len(rest) > 0 && len(rest) <= 2 && strings.Trim(rest, "0123456789") == "" {
		return true
	}
	rest, ctrl := strings.CutPrefix(k, "ctrl+")
	if ctrl {
		return len(rest) == 1 && rest[0] >= 'a' && rest[0] <= 'z'
	}
	rest = strings.TrimPrefix(k, "alt+")
	return len([]rune(rest)) == 1 && Width(rest) == 1 || rest == "enter"
}

// Lookup finds the binding of a key in a place; nil when the key means nothing there.
func (m Keymap) Lookup(place Place, key string) *Binding {
	for i, b := range m {
		if b.in(place) && slices.Contains(b.Keys, key) {
			return &m[i]
		}
	}
	return nil
}

// KeyOf is how an action's key is written in a place; empty: it has none.
func (m Keymap) KeyOf(place Place, a Action) string {
	for _, b := range m {
		if b.Action == a && b.in(place) {
			return b.Shown()
		}
	}
	return ""
}

// Hints lists the foot's keys of a place; word renames one ("" leaves it out), so that the foot says what a key
// does now.
func (m Keymap) Hints(place Place, word func(Binding) string) []Hint {
	var hints []Hint
	for _, b := range m {
		if b.Hint == "" || !b.in(place) || len(b.Keys) == 0 {
			continue
		}
		if w := word(b); w != "" {
			hints = append(hints, Hint{Action: b.Action, Keys: b.Shown(), Word: w, Rank: b.Rank})
		}
	}
	return hints
}

// Moved says where an action went whose key this is in the table but not in the person's own; empty: it is no such
// key.
func (m Keymap) Moved(place Place, key string) string {
	was := Keymap(Keys).Lookup(place, key)
	if was == nil {
		return ""
	}
	if now := m.KeyOf(place, was.Action); now != "" {
		return fmt.Sprintf("%s was %s, now %s: your own keys", pretty(key), was.Action, now)
	}
	return fmt.Sprintf("%s is unbound: %s has no key in the settings", pretty(key), was.Action)
}
