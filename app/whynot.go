package app

import "github.com/choicetui/choicetui/panes"

// elsewhere says why a key does nothing here that means something in another place; empty: it means nothing anywhere,
// which is more likely typing that was meant for another pane.
func (d *Dashboard) elsewhere(place panes.Place, key string) string {
	name := d.keys.Known(key)
	if name == "" {
		return ""
	}
	nothing := name + " does nothing here"
	switch place {
	case panes.PlaceOver:
		return "it is over: " + name + " does nothing, " + d.keys.KeyOf(place, panes.ActBack) + " leaves"
	case panes.PlaceEmpty:
		return "nothing waits: " + nothing
	case panes.PlaceConfirm:
		return nothing + ": " + d.keys.KeyOf(place, panes.ActDecline) + " goes back"
	case panes.PlaceQueue:
		return nothing + ": " + d.glyphs.Enter + " opens it"
	}
	return nothing
}

// disabled says why an action of this place's table has no effect now; empty: it has one.
func (d *Dashboard) disabled(place panes.Place, a panes.Action) string {
	if d.form == nil || d.page != nil || d.chat.open {
		return ""
	}
	s, pending := d.pending()
	switch a {
	case panes.ActCancel, panes.ActMore, panes.ActLess:
		switch {
		case !pending:
			return "it is over: there is nothing to cancel or to wait for"
		case a != panes.ActCancel && s.Deadline.IsZero():
			return "its clock stands still: it is with the team"
		}
	case panes.ActUp, panes.ActDown, panes.ActFirst, panes.ActLast:
		if place == panes.PlaceQueue && len(d.listed()) == 0 {
			return d.nothingFound()
		}
	}
	return ""
}
