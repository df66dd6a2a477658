package panes

import (
	"fmt"
	"unicode/utf8"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// most is how much of a field is taken, in characters or bytes; 0 for a field that is not sent.
func (field Field) most() (n int, unit string) {
	switch field {
	case FieldText:
		return queue.MaxPromptBytes, "byte"
	case FieldNote, FieldComment, FieldReason:
		return queue.MaxNote, "character"
	}
	return 0, ""
}

// size is how much of what most counts a text has.
func (field Field) size(text string) int {
	if _, unit := field.most(); unit == "byte" {
		return len(text)
	}
	return utf8.RuneCountInString(text)
}

// overLong says how much too long a text is for its field; empty: it fits.
func (field Field) overLong(text string) string {
	most, unit := field.most()
	if over := field.size(text) - most; most > 0 && over > 0 {
		return fmt.Sprintf("%s too many: at most %d", say.Count(over, unit), most)
	}
	return ""
}

// measured adds to a plan how the text being typed stands to the most that is taken: from nine tenths on what is
// left, and beyond it that it cannot be sent.
func (f *Form) measured(p Plan) Plan {
	most, unit := f.field.most()
	text := f.editor.Text()
	size := f.field.size(text)
	switch long := f.field.overLong(text); {
	case long != "" && f.field == FieldReason:
		return Plan{Words: long}
	case long != "":
		p.Words += " · " + long
		p = p.nice(": at most "+fmt.Sprint(most), "")
	case most > 0 && size >= most-most/10:
		p.Tails = append([]ink.Tail{{say.Count(most-size, unit) + " left", fmt.Sprintf("%d left", most-size)}},
			p.Tails...)
	}
	return p
}

// tooLong says which text of a reply cannot be sent; empty: none.
func tooLong(r queue.Reply, comment string) string {
	if long := FieldText.overLong(r.Text); long != "" {
		return "your words: " + long
	}
	for _, note := range r.Notes {
		if long := FieldNote.overLong(note); long != "" {
			return "a note: " + long
		}
	}
	if long := FieldComment.overLong(comment); long != "" {
		return "the comment: " + long
	}
	return ""
}
