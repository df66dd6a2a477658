package term

import "github.com/gdamore/tcell/v2"

// pen is what belongs to the one goroutine that draws.
type pen struct {
	size   func() (w, h int) // of the terminal
	back   grid              // what has been drawn since the last Clear
	row    []cell            // scratch: one row as the terminal shows it
	glyphs glyphs
	inks   inks
}

// draw puts a character into a cell.
func (p *pen) draw(c *cell, g glyph, style tcell.Style) {
	c.text, c.width, c.ink = g.text, g.width, p.inks.of(p.inherit(style, c.ink))
}

// Clear blanks the drawing; nothing is sent.
func (p *pen) Clear() { p.Fill(' ', tcell.StyleDefault) }

// Fill covers the drawing with one character.
func (p *pen) Fill(r rune, style tcell.Style) {
	p.back.fit(p.size())
	g := p.glyphs.of(r, nil)
	for i := range p.back.cells {
		p.draw(&p.back.cells[i], g, style)
	}
}

// SetContent draws one character; outside the screen it does nothing.
func (p *pen) SetContent(x, y int, r rune, marks []rune, style tcell.Style) {
	if c := p.back.at(x, y); c != nil {
		p.draw(c, p.glyphs.of(r, marks), style)
	}
}

// SetCell is SetContent with the characters in one list.
func (p *pen) SetCell(x, y int, style tcell.Style, text ...rune) {
	if len(text) == 0 {
		text = []rune{' '}
	}
	p.SetContent(x, y, text[0], text[1:], style)
}

// Put draws the first character of text and returns the rest and the character's width.
func (p *pen) Put(x, y int, text string, style tcell.Style) (string, int) {
	var one tcell.CellBuffer
	one.Resize(2, 1)
	rest, width := one.Put(0, 0, text, tcell.StyleDefault)
	first := []rune(text[:len(text)-len(rest)])
	if len(first) > 0 {
		p.SetContent(x, y, first[0], first[1:], style)
	}
	return rest, width
}

// PutStr draws text as far as the row goes. It is here because tcell's own would bypass the cells and send escape
// sequences raw.
func (p *pen) PutStr(x, y int, text string) { p.PutStrStyled(x, y, text, tcell.StyleDefault) }

// PutStrStyled is PutStr in a style.
func (p *pen) PutStrStyled(x, y int, text string, style tcell.Style) {
	for width := 0; text != "" && x < p.back.w; x += width {
		if text, width = p.Put(x, y, text, style); width == 0 {
			return
		}
	}
}

// Get returns what was drawn at a place, shown or not.
func (p *pen) Get(x, y int) (string, tcell.Style, int) {
	c := p.back.at(x, y)
	if c == nil {
		c = &blank
	}
	return c.text, p.inks.style(c.ink), int(c.width)
}

// GetContent is Get with the text split into character and marks.
func (p *pen) GetContent(x, y int) (rune, []rune, tcell.Style, int) {
	text, style, width := p.Get(x, y)
	if len(text) == 1 {
		return rune(text[0]), nil, style, width
	}
	all := []rune(text)
	return all[0], all[1:], style, width
}

// LockRegion does nothing: it is for pictures, and there are none.
func (*pen) LockRegion(int, int, int, int, bool) {}

// inherit resolves "no colour" to the colour that was there, and drops hyperlinks: text comes from agents, and a link
// that says one thing and opens another is theirs to plant.
func (p *pen) inherit(style tcell.Style, under ink) tcell.Style {
	fg, bg, _ := style.Decompose()
	if fg == tcell.ColorNone || bg == tcell.ColorNone {
		oldFg, oldBg, _ := p.inks.style(under).Decompose()
		if fg == tcell.ColorNone {
			style = style.Foreground(oldFg)
		}
		if bg == tcell.ColorNone {
			style = style.Background(oldBg)
		}
	}
	return style.Url("")
}
