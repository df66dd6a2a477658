package ink

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// DrawPlainDivider draws a divider, which is a horizontal line across r, without words.
func DrawPlainDivider(c Canvas, r Rect) {
	c.Repeat(Rect{X: r.X, Y: r.Y, W: r.W, H: 1}, Plain, c.Glyphs.Divider)
}

// DrawNamedDivider draws a divider with a name at its left and words at its right end.
func DrawNamedDivider(c Canvas, r Rect, name, right string) {
	DrawDivider(c, r, PlainLine(name), PlainLine(right))
}

// DrawDivider draws a divider as DrawNamedDivider does, with words of several styles.
func DrawDivider(c Canvas, r Rect, name, right Line) {
	DrawPlainDivider(c, r)
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

// OutOfSight returns words that count the lines above and below the screen. It is empty if all lines are on screen.
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

// DrawMissed draws a row for each question that ended without the person: when, its title and its agent's directory.
// Questions that do not fit are left out.
func DrawMissed(c Canvas, r Rect, missed []queue.Session) {
	for n := range missed[:min(len(missed), max(r.H, 0))] {
		s, y := &missed[n], r.Y+n
		c.Put(r.X, y, 5, Plain, s.Outcome.At.Local().Format("15:04"))
		end := r.X + r.W - 1
		if dir := s.Origin.Place(); dir != "" {
			dir = Cut(dir, r.W/3, c.Glyphs.Ellipsis)
			end = c.PutRight(r.X, y, r.W-1, HueOf(s.Origin).Of(Plain), dir) - 1
		}
		room := end - r.X - 7
		c.Put(r.X+7, y, room, Plain, Cut(say.Title(s.Ask), room, c.Glyphs.Ellipsis))
	}
}

// DrawNotice draws a row for an agent that needs the person in its own terminal pane: since when, words, and the
// agent's name, or only its directory if there is little room.
func DrawNotice(c Canvas, r Rect, n queue.Presence, words, name string, style Style) {
	c.Put(r.X, r.Y, 5, style, n.Notice.At.Local().Format("15:04"))
	if dir := n.Origin.Place(); 7+Width(words)+1+Width(name)+1 > r.W && dir != "" {
		name = dir
	}
	name = Cut(name, r.W/3, c.Glyphs.Ellipsis)
	end := c.PutRight(r.X, r.Y, r.W-1, HueOf(*n.Origin).Of(style), name) - 1
	room := end - r.X - 7
	c.Put(r.X+7, r.Y, room, style, Cut(words, room, c.Glyphs.Ellipsis))
}
