package say

import (
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// NothingHere says that a key does nothing here, whether or not it means something in another place. enter is how Enter
// is written; ends says of a question that is over that the screen ends with it.
func NothingHere(m keys.Map, place keys.Place, key, enter string, ends bool) string {
	name := OneLine(keys.Written(key))
	nothing := name + " does nothing here"
	switch place {
	case keys.PlaceOver:
		does, _ := ClosedBack(ends)
		return Closed + ": " + name + " does nothing, " + m.KeyOf(place, deed.Back) + " " + does
	case keys.PlaceEmpty:
		return "nothing is waiting: " + nothing
	case keys.PlaceConfirm:
		return nothing + ": " + m.KeyOf(place, deed.Decline) + " goes back"
	case keys.PlaceApproval:
		if m.Lookup(keys.PlaceQuestion, key) != nil {
			return nothing + ": an approval is decided as it stands"
		}
	case keys.PlaceQueue:
		return nothing + ": " + enter + " opens it"
	}
	return nothing
}
