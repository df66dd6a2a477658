package app

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// troubles are what goes wrong without a key of the person, each until its cause is gone. They stand in the lower rule
// and never in the Enter line: Enter still does there what it did, and must say so.
type troubles struct {
	queue string // it cannot be read
	draft string // what is typed cannot be saved
	disk  string // the worker is stuck
	alert string // the person cannot be told
}

// trouble is the worst of what is wrong, longest form first; nil: nothing is.
func (d *Dashboard) trouble() []string {
	for _, words := range []string{d.troubles.queue, d.problem, d.troubles.disk, d.troubles.draft} {
		if words != "" {
			return []string{say.OneLine(words)}
		}
	}
	for _, words := range []string{d.set.problem, d.set.keys} {
		if words != "" {
			key := d.keys.KeyOf(keys.PlaceQuestion, keys.ActSettings)
			return []string{"settings: " + say.OneLine(words), "wrong settings: " + key, "settings: " + key}
		}
	}
	if d.troubles.alert != "" {
		return []string{say.OneLine(d.troubles.alert)}
	}
	return nil
}

const whole = 1 << 10 // more cells than a rule has

// troubleIn is what is wrong as a part of a rule, in about w cells; empty: nothing is.
func (d *Dashboard) troubleIn(w int) string {
	forms := d.trouble()
	if len(forms) == 0 {
		return ""
	}
	for _, words := range forms {
		if ink.Width(words)+2 <= w {
			return "! " + words
		}
	}
	return "! " + forms[len(forms)-1]
}
