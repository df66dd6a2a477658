package panes

import "slices"

// Known is how a key is written that means something somewhere; empty: it is in no row of the table.
func (m Keymap) Known(key string) string {
	if slices.ContainsFunc(m, func(b Binding) bool { return slices.Contains(b.Keys, key) }) {
		return pretty(key)
	}
	return ""
}
