package app

import (
	"strings"

	"github.com/choicetui/choicetui/panes"
)

// Words on screen that name a key take it from the key table: it may have been rebound, or have none.

// escHint is the foot's word for the key that goes back, which is part of no row's hint, and a shorter one; empty: there is
// none.
func (d *Dashboard) escHint(place panes.Place, word, short string) panes.Hint {
	return panes.Hint{Action: panes.ActBack, Keys: d.keys.KeyOf(place, panes.ActBack), Word: word, Short: short}
}

func (d *Dashboard) quitKey() string { return d.keys.KeyOf(panes.PlaceQuestion, panes.ActQuit) }

func (d *Dashboard) cancelKey() string { return d.keys.KeyOf(panes.PlaceQuestion, panes.ActCancel) }

// pasteWords say which keys open a field that pasted text may go into.
func (d *Dashboard) pasteWords() string {
	var keys []string
	for _, a := range []panes.Action{panes.ActText, panes.ActNote, panes.ActComment} {
		if key := d.keys.KeyOf(panes.PlaceQuestion, a); key != "" && (a == panes.ActText || d.settings.AnnotationsEnabled) {
			keys = append(keys, key)
		}
	}
	switch n := len(keys); {
	case n == 0, d.form == nil:
		return "paste goes into text"
	case n > 1:
		keys = []string{strings.Join(keys[:n-1], ", "), keys[n-1]}
	}
	return "paste goes into text: press " + strings.Join(keys, " or ") + " first"
}

// scrollKeys are the keys that move in a list that is read.
func (d *Dashboard) scrollKeys(place panes.Place) string {
	key := func(a panes.Action) string { return d.keys.KeyOf(place, a) }
	return strings.TrimSpace(key(panes.ActUp) + key(panes.ActDown) + " " + key(panes.ActPageUp) + " " + key(panes.ActPageDown))
}

// enterGlyph is how Enter is written: its sign, unless the person has another key for it.
func (d *Dashboard) enterGlyph() string {
	key := d.keys.KeyOf(panes.PlaceQuestion, panes.ActEnter)
	if key == "" || key == "Enter" {
		return d.sign
	}
	return key
}

// The way back from a narrowed list.
const showAll, showAllShort = "show all again", "show all"
