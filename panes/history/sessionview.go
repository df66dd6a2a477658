package history

import (
	"github.com/choicetui/choicetui/panes/ink"
)

// sessionView is the page that holds all of one session.
type sessionView struct {
	Title string
	ID    string
	Text  laid // for r.W-1 cells
	Top   int
}

// span returns the first line shown on a page h cells high, kept within the text, how many there are, and how many
// lines are below.
func (v sessionView) span(h int) (top, shown, below int) {
	if shown = max(h-1, 0); len(v.Text) > shown {
		shown = max(shown-1, 0)
	}
	top = min(max(v.Top, 0), max(len(v.Text)-shown, 0))
	return top, shown, max(len(v.Text)-top-shown, 0)
}

// draw draws the page into r, rule included.
func (v sessionView) draw(c ink.Canvas, r ink.Rect) {
	title := ink.Cut(v.Title, max(r.W-len(v.ID)-10, 8), c.Glyphs.Ellipsis)
	ink.DrawNamedRule(c, r.Row(0), title, v.ID)
	top, shown, below := v.span(r.H)
	lines := v.Text[top:min(top+shown, len(v.Text))]
	lines.draw(c, ink.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: shown})
	c.Put(r.X, r.Y+r.H-1, r.W, ink.Plain, ink.OutOfSight(c.Glyphs, top, below))
}

// draw draws the lines; where not all fit, the last row counts the rest.
func (lines laid) draw(c ink.Canvas, r ink.Rect) {
	for n := range min(r.H, len(lines)) {
		y := r.Y + n
		if rest := len(lines) - n; n == r.H-1 && rest > 1 {
			c.Put(r.X, y, r.W, ink.Plain, ink.OutOfSight(c.Glyphs, 0, rest))
			return
		}
		l := lines[n]
		c.PutLine(r.X, y, r.W, l.Line)
		if l.right != "" {
			c.PutRight(r.X, y, r.W-1, ink.Plain, l.right)
		}
	}
}
