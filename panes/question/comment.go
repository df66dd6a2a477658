package question

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	mostComment = 3 // rows of a comment
	mostTyped   = 6 // rows of a comment that is being typed
)

// comment draws the person's comment on the whole answer, below the options.
type comment struct{ v *display }

// rows returns the height of the comment, 0 without one.
func (m comment) rows(w int) int {
	room := max(w-m.v.indent()-1, 8)
	switch {
	case m.v.types(form.FieldComment):
		return min(max(m.v.field.Rows(room), 1), mostTyped)
	case queue.Blank(m.v.form.CommentText()):
		return 0
	}
	return len(wrapHead(say.Text(m.v.form.CommentText()), room, mostComment))
}

// fitRows returns how many of the given rows the comment takes. leastOptions of them stay for the options, and two more
// while another text is typed. The comment has at least two rows while it is typed, else one.
func (m comment) fitRows(w, rows int) int {
	room, least := rows-leastOptions, 1
	switch m.v.form.Typing() {
	case form.FieldComment:
		least = 2
	case form.FieldText, form.FieldNote:
		room, least = room-2, 0
	}
	return max(min(m.rows(w), max(room, least), rows), 0)
}

// draw draws the comment, or the field in which it is typed.
func (m comment) draw(c ink.Canvas, r ink.Rect) {
	in := m.v.indent()
	c.Put(r.X+1, r.Y, 2, ink.Plain, m.v.key(action.Comment))
	for n := range r.H {
		c.Put(r.X+3, r.Y+n, 1, ink.Plain, c.Glyphs.Bar)
	}
	if m.v.types(form.FieldComment) {
		m.v.field.Draw(c, ink.Rect{X: r.X + in, Y: r.Y, W: r.W - in - 1, H: r.H})
		return
	}
	lines := wrapHead(say.Text(m.v.form.CommentText()), max(r.W-in-1, 8), r.H+1)
	for n, l := range lines[:min(len(lines), r.H)] {
		if n == r.H-1 && n < len(lines)-1 {
			l = ink.Cut(l, r.W-in-2, "") + c.Glyphs.Ellipsis
		}
		c.Put(r.X+in, r.Y+n, r.W-in-1, ink.Plain, l)
	}
}
