package say

import (
	"github.com/choicetui/choicetui/panes/keys"
)

// NothingHere says why a key does nothing here that means something in another place; empty: it means nothing anywhere,
// which is more likely typing that was meant for another pane. enter is how Enter is written.
func NothingHere(m keys.Map, place keys.Place, key, enter string) string {
	name := m.Known(key)
	if name == "" {
		return ""
	}
	nothing := name + " does nothing here"
	switch place {
	case keys.PlaceOver:
		return Closed + ": " + name + " does nothing, " + m.KeyOf(place, keys.ActBack) + " goes on"
	case keys.PlaceEmpty:
		return "nothing is waiting: " + nothing
	case keys.PlaceConfirm:
		return nothing + ": " + m.KeyOf(place, keys.ActDecline) + " goes back"
	case keys.PlaceQueue:
		return nothing + ": " + enter + " opens it"
	}
	return nothing
}
