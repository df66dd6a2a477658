package keys

import "slices"

// spot returns the position of the row's hint in the foot of a place.
func (b Binding) spot(place Place) Spot {
	if spot, own := b.Spots[place]; own {
		return spot
	}
	return Spot{Lead: b.Lead, Rank: b.Rank}
}

// ActsIn reports whether the row marks, submits, cancels or changes in a place.
func (b Binding) ActsIn(place Place) bool { return slices.Contains(b.Acts, place) }

// in reports whether the binding holds in a place.
func (b Binding) in(place Place) bool { return slices.Contains(b.Places, place) }

// In reports whether the binding holds in a place.
func (b Binding) In(place Place) bool { return b.in(place) }

// Shown returns the binding's keys as written in foot and help; empty: it is unbound.
func (b Binding) Shown() string {
	switch {
	case !b.bound():
		return ""
	case b.Show != "":
		return b.Show
	case b.Counted:
		return keyRange(b.Keys)
	}
	return pretty(b.Keys[0])
}

// Word returns the row's own word.
func (b Binding) Word() Word { return Word{b.Hint, b.Short} }

// stays reports whether a row cannot do without a key: x opens the cancel line, Enter carries it out.
func (b Binding) stays() bool { return b.Action == ActCancel || b.Action == ActEnter }

// bound reports whether a row has a key.
func (b Binding) bound() bool {
	return slices.ContainsFunc(b.Keys, func(k string) bool { return k != "" })
}
