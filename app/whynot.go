package app

import (
	"github.com/choicetui/choicetui/panes/keys"
)

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
