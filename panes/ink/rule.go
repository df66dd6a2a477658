package ink

// DrawPlainRule draws a rule without words.
func DrawPlainRule(c Canvas, r Rect) {
	for x := range r.W {
		c.Put(r.X+x, r.Y, 1, Plain, c.Glyphs.Rule)
	}
}

// DrawNamedRule draws a rule with a name at its left and words at its right end.
func DrawNamedRule(c Canvas, r Rect, name, right string) {
	DrawPlainRule(c, r)
	used := 1
	if name != "" {
		name = Cut(name, r.W-4, c.Glyphs.Ellipsis)
		used = 4 + c.Put(r.X+2, r.Y, r.W-4, Plain, name)
		c.Put(r.X+1, r.Y, 1, Plain, " ")
		c.Put(r.X+used-2, r.Y, 1, Plain, " ")
	}
	if room := r.W - used - 4; right != "" && room >= 6 {
		right = Cut(right, room, c.Glyphs.Ellipsis)
		x := c.PutRight(r.X, r.Y, r.W-2, Plain, right)
		c.Put(x-1, r.Y, 1, Plain, " ")
		c.Put(r.X+r.W-2, r.Y, 1, Plain, " ")
	}
}
