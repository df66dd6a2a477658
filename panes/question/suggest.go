package question

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/form"
)

// suggested draws the suggested reasons, which the person can take instead of typing: below the line for a cancel, for
// more detail, or for a refusal.
type suggested struct{ v *display }

// ready returns the suggestions for the text being typed, the person's own last ones first; nil: there are none.
func (s suggested) ready() []string {
	field := s.v.form.Typing()
	if field == form.FieldReason && s.v.form.Approves() { // words refuse what an agent wants to be allowed
		field = form.FieldRefusal
	}
	return s.v.phrases.For(field, say.Suggested(field))
}

// taken returns the index of the suggestion that is in the line unchanged; -1: no suggestion is.
func (s suggested) taken() int {
	if n := s.v.suggestion; n >= 0 && n < len(s.ready()) && s.v.field.Text() == s.ready()[n] {
		return n
	}
	return -1
}

// rows returns how many suggestions are listed below the line that is typed, on a screen of the given number of rows:
// all of them, but at most about a third of the rows, and at least one.
func (s suggested) rows(of int) int { return min(len(s.ready()), max((of-4)/3, 1)) }

// takes returns how many rows the typed line and the suggestions take from the question and the strip of the queue
// below it, which have total rows together; 0: nothing is suggested. If the question is not wide, the typed line itself
// is drawn in place of the line that separates question and strip.
func (s suggested) takes(total int, wide bool) int {
	switch {
	case len(s.ready()) == 0:
		return 0
	case wide:
		return s.rows(total) + 1
	}
	return s.rows(total + 2) // with the rules above and below
}

// draw draws the line behind its label, and the suggestions below it, over the last rows of r.
func (s suggested) draw(c ink.Canvas, r ink.Rect, label string) {
	n := s.rows(r.H)
	r = ink.Rect{X: r.X, Y: r.Y + r.H - n - 1, W: r.W, H: n + 1}
	c.Fill(r, ink.Plain)
	s.v.field.DrawBehind(c, r.Row(0), label)
	taken := s.taken()
	top := max(taken-n+1, 0)
	for i := range n {
		row, more := r.Row(1+i), ""
		if above := top; i == 0 && above > 0 {
			more = fmt.Sprintf(" %s %d", c.Glyphs.Up, above)
		}
		if below := len(s.ready()) - top - n; i == n-1 && below > 0 {
			more += fmt.Sprintf(" %s %d", c.Glyphs.Down, below)
		}
		s.drawOne(c, row, s.ready()[top+i], more, top+i == taken)
	}
}

// drawOne draws a suggestion, and at the end of its row how many more there are.
func (s suggested) drawOne(c ink.Canvas, r ink.Rect, text, more string, taken bool) {
	const in = 3
	style := ink.Plain
	if taken {
		c = c.CursorRow(r)
		c.Put(r.X+1, r.Y, 1, style, c.Glyphs.Cursor)
	}
	room := r.W - in - 1 - ink.Width(more)
	c.Put(r.X+in, r.Y, room, style, ink.Cut(text, room, c.Glyphs.Ellipsis))
	c.PutRight(r.X, r.Y, r.W-1, ink.Plain, more)
}
