package panes

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// Rules are the person's settings that every form goes by, also one that came before they changed. The zero Rules
// are the defaults.
type Rules struct {
	Keys          keys.Map   // how the words on screen name keys; nil: the table's
	Glyphs        ink.Glyphs // of the screen, which the layout goes by; none: Unicode
	NoNotes       bool       // neither notes nor a comment are offered
	NoPlaceholder bool
}

// Follow puts the rules in force. What was typed is kept; a note being typed ends when notes go off.
func (f *Form) Follow(r Rules) {
	f.rules = r
	if r.NoNotes && (f.field == FieldNote || f.field == FieldComment) {
		f.EndTyping()
	}
}

// annotates reports whether the whole takes a comment now.
func (f *Form) annotates() bool { return f.Session.Ask.Annotates() && !f.rules.NoNotes }

// ruled is the question as the settings let it be.
func (f *Form) ruled(q queue.Question) queue.Question {
	q.Annotate = q.Annotate && !f.rules.NoNotes
	if f.rules.NoPlaceholder {
		q.Placeholder = ""
	}
	return q
}

// notesOff says why there are no notes, or comments, here.
func (f *Form) notesOff(what string) string {
	if f.rules.NoNotes && f.Session.Ask.Annotates() {
		words := what + " are off in the settings"
		if key := f.rules.Keys.KeyOf(keys.PlaceQuestion, keys.ActSettings); key != "" {
			words += ": " + key
		}
		return words
	}
	return what + " are off for this question"
}

// withoutNotes leaves the person's notes and comment behind, while they are off; what the caller attached goes along.
func (f *Form) withoutNotes(a queue.Answer) queue.Answer {
	if !f.rules.NoNotes {
		return a
	}
	a.Comment = f.Session.Ask.Comment
	for i := range a.Replies {
		for id := range a.Replies[i].Notes {
			if o := f.optionOf(i, id); o.Note != "" {
				a.Replies[i].Notes[id] = o.Note
			} else {
				delete(a.Replies[i].Notes, id)
			}
		}
	}
	return a
}

// leavesNotes reports whether notes or a comment stay behind.
func (f *Form) leavesNotes() bool {
	if !f.rules.NoNotes {
		return false
	}
	if f.comment != f.Session.Ask.Comment && !queue.Blank(f.comment) {
		return true
	}
	for i, r := range f.replies() {
		for id, note := range r.Notes {
			if o := f.optionOf(i, id); o.Note != note && !queue.Blank(note) {
				return true
			}
		}
	}
	return false
}

// optionOf is an option of question i, an empty one if there is none.
func (f *Form) optionOf(i int, id string) queue.Option {
	if i >= len(f.Session.Ask.Questions) {
		return queue.Option{}
	}
	o, _ := f.Session.Ask.Questions[i].Option(id)
	return o
}

// key is how an action's key is written on a question; empty: it has none.
func (f *Form) key(a keys.Action) string { return f.rules.Keys.KeyOf(keys.PlaceQuestion, a) }

// readingKeys names the keys for reading on; only full height needs a word.
func (f *Form) readingKeys(actions ...keys.Action) string {
	var shown []string
	for _, a := range actions {
		key := f.key(a)
		switch {
		case a != keys.ActFull || key == "":
		case f.full:
			key += " back"
		default:
			key += " full height"
		}
		if key != "" {
			shown = append(shown, key)
		}
	}
	return strings.Join(shown, "  ")
}

// keyCell is a key as it stands before a row, in at most two cells; empty: it is longer.
func keyCell(key string) string {
	if ink.Width(key) > 2 {
		return ""
	}
	return key
}
