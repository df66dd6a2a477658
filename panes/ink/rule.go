package ink

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/say"
)

// DrawPlainRule draws a rule without words.
func DrawPlainRule(c Canvas, r Rect) {
	c.Repeat(Rect{X: r.X, Y: r.Y, W: r.W, H: 1}, Plain, c.Glyphs.Rule)
}

// DrawNamedRule draws a rule with a name at its left and words at its right end.
func DrawNamedRule(c Canvas, r Rect, name, right string) {
	DrawRule(c, r, PlainLine(name), PlainLine(right))
}

// DrawRule is DrawNamedRule with words of several styles.
func DrawRule(c Canvas, r Rect, name, right Line) {
	DrawPlainRule(c, r)
	used := 1
	if name.Width() > 0 {
		used = 4 + c.PutLine(r.X+2, r.Y, r.W-4, name.Cut(r.W-4, c.Glyphs.Ellipsis))
		c.Put(r.X+1, r.Y, 1, Plain, " ")
		c.Put(r.X+used-2, r.Y, 1, Plain, " ")
	}
	if room := r.W - used - 4; right.Width() > 0 && room >= 6 {
		right = right.Cut(room, c.Glyphs.Ellipsis)
		x := c.PutLineRight(r.X, r.Y, r.W-2, right)
		c.Put(x-1, r.Y, 1, Plain, " ")
		c.Put(r.X+r.W-2, r.Y, 1, Plain, " ")
	}
}

// OutOfSight counts the lines above and below those on screen; empty: all of them are.
func OutOfSight(g Glyphs, above, below int) string {
	switch {
	case above > 0 && below > 0:
		return fmt.Sprintf(" %s %d %s %s below", g.Up, above, g.Down, say.Count(below, "line"))
	case above > 0:
		return fmt.Sprintf(" %s %s above", g.Up, say.Count(above, "line"))
	case below > 0:
		return fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
	}
	return ""
}
