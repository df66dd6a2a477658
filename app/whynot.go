package app

import (
	"github.com/choicetui/choicetui/panes/keys"
)

// elsewhere says why a key does nothing here that means something in another place; empty: it means nothing anywhere,
// which is more likely typing that was meant for another pane.
func (d *Dashboard) elsewhere(place keys.Place, key string) string {
	name := d.keys.Known(key)
	if name == "" {
		return ""
	}
	nothing := name + " does nothing here"
	switch place {
	case keys.PlaceOver:
		return "it is over: " + name + " does nothing, " + d.keys.KeyOf(place, keys.ActBack) + " leaves"
	case keys.PlaceEmpty:
		return "nothing waits: " + nothing
	case keys.PlaceConfirm:
		return nothing + ": " + d.keys.KeyOf(place, keys.ActDecline) + " goes back"
	case keys.PlaceQueue:
		return nothing + ": " + d.glyphs.Enter + " opens it"
	}
	return nothing
}

// disabled says why an action of this place's table has no effect now; empty: it has one.
func (d *Dashboard) disabled(place keys.Place, a keys.Action) string {
	if d.form == nil || d.page != nil || d.chat.open {
		return ""
	}
	s, pending := d.pending()
	switch a {
	case keys.ActCancel, keys.ActMore, keys.ActLess:
		switch {
		case !pending:
			return "it is over: there is nothing to cancel or to wait for"
		case a != keys.ActCancel && s.Deadline.IsZero():
			return "its clock stands still: it is with the team"
		}
	case keys.ActUp, keys.ActDown, keys.ActFirst, keys.ActLast:
		if place == keys.PlaceQueue && len(d.listed()) == 0 {
			return d.nothingFound()
		}
	}
	return ""
}
