package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// NotesOn returns the notes on a question's options on one line; a note on an option that is not chosen names the
// option.
func NotesOn(q *form.Question) string {
	var notes []string
	for _, o := range q.Options {
		n := q.NoteOn(o.ID)
		switch {
		case queue.Blank(n):
		case q.Marked(o.ID):
			notes = append(notes, OneLine(n))
		default:
			notes = append(notes, "on "+OneLine(o.Label)+": "+OneLine(n))
		}
	}
	return strings.Join(notes, "; ")
}
