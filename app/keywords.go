package app

import (
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
)

// Words on screen that name a key take it from the key table: it may have been rebound, or have none.

// escHint is the foot's word for the key that goes back, which is part of no row's hint. short is said where room is
// short; empty: there is no shorter word.
func (d *Dashboard) escHint(place keys.Place, word, short string) keys.Hint {
	return keys.Hint{Action: keys.ActBack, Keys: d.keys.KeyOf(place, keys.ActBack), Word: word, Short: short}
}

func (d *Dashboard) quitKey() string { return d.keys.KeyOf(keys.PlaceQuestion, keys.ActQuit) }

func (d *Dashboard) cancelKey() string { return d.keys.KeyOf(keys.PlaceQuestion, keys.ActCancel) }

// pasteWords say which keys open a field that pasted text may go into.
func (d *Dashboard) pasteWords() string {
	var fields []string
	for _, a := range []keys.Action{keys.ActText, keys.ActNote, keys.ActComment} {
		if key := d.keys.KeyOf(keys.PlaceQuestion, a); key != "" && (a == keys.ActText || d.settings.AnnotationsEnabled) {
			fields = append(fields, key)
		}
	}
	switch n := len(fields); {
	case n == 0, d.form == nil:
		return "paste goes into text"
	case n > 1:
		fields = []string{strings.Join(fields[:n-1], ", "), fields[n-1]}
	}
	return "paste goes into text: press " + strings.Join(fields, " or ") + " first"
}

// scrollKeys are the keys that move in a list that is read.
func (d *Dashboard) scrollKeys(place keys.Place) string {
	key := func(a keys.Action) string { return d.keys.KeyOf(place, a) }
	return strings.TrimSpace(key(keys.ActUp) + key(keys.ActDown) + " " + key(keys.ActPageUp) + " " + key(keys.ActPageDown))
}

// enterGlyph is how Enter is written: its sign, unless the person has another key for it.
func (d *Dashboard) enterGlyph() string {
	key := d.keys.KeyOf(keys.PlaceQuestion, keys.ActEnter)
	if key == "" || key == "Enter" {
		return d.sign
	}
	return key
}

// The way back from a narrowed list.
const showAll, showAllShort = "show all again", "show all"
