package term

import (
	"github.com/gdamore/tcell/v2"
)

// ShowCursor requests the cursor at a place; the next Show puts it there.
func (s *Screen) ShowCursor(x, y int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursor.x, s.cursor.y = x, y
}

// HideCursor requests that no cursor is shown.
func (s *Screen) HideCursor() { s.ShowCursor(-1, -1) }

// SetCursorStyle requests a cursor shape and, optionally, its colour.
func (s *Screen) SetCursorStyle(style tcell.CursorStyle, colors ...tcell.Color) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursor.style, s.cursor.color = style, tcell.ColorDefault
	if len(colors) > 0 {
		s.cursor.color = colors[0]
	}
}

// Show sends the cells and the cursor that changed since the last Show. If nothing changed it sends not one byte.
func (s *Screen) Show() {
	s.ours(func() {
		cells, cursor := s.forward(), s.forwardCursor()
		if cells || cursor {
			s.Screen.Show()
		}
	})
	if s.Shown != nil && s.Running() {
		s.Shown()
	}
}

// Sync sends everything again, for a terminal that something else has written to.
func (s *Screen) Sync() {
	s.ours(func() {
		s.forward()
		s.forwardCursor()
		s.Screen.Sync()
	})
}

// forward puts the differing cells on the inner screen and reports whether there were any.
func (s *Screen) forward() (changed bool) {
	back := &s.pen.back
	w, h := s.Size()
	all := s.stale.Swap(false)
	if s.front.fit(w, h) {
		all = true
	}
	if back.w != w || back.h != h {
		// The terminal was resized between Clear and Show: tview draws again when it hears of it, and then whole.
		s.stale.Store(true)
	}
	if len(s.pen.row) != back.w {
		s.pen.row = make([]cell, back.w)
	}
	for y := range min(h, back.h) {
		visible(back.row(y), s.pen.row)
		if s.forwardRow(y, all) {
			changed = true
		}
	}
	return changed || all
}

// forwardRow sends what differs in one row. A cell behind a wide character is never sent; when it comes to light it
// differs from the nothing that was there, so both halves of a former wide character are always written.
func (s *Screen) forwardRow(y int, all bool) (changed bool) {
	front := s.front.row(y)
	for x := range min(len(front), len(s.pen.row)) {
		c := s.pen.row[x]
		if !all && c == front[x] {
			continue
		}
		front[x] = c
		changed = true
		if c.width > 0 {
			s.Screen.Put(x, y, c.text, s.pen.inks.style(c.ink))
		}
	}
	return changed
}

func (s *Screen) forwardCursor() bool {
	if s.cursor == s.shown {
		return false
	}
	if s.cursor.style != s.shown.style || s.cursor.color != s.shown.color {
		s.Screen.SetCursorStyle(s.cursor.style, s.cursor.color)
	}
	s.Screen.ShowCursor(s.cursor.x, s.cursor.y)
	s.shown = s.cursor
	return true
}

// pen holds the state of the one goroutine that draws.
type pen struct {
	size   func() (w, h int) // of the terminal
	back   grid              // the drawing since the last Clear
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

// SetCell draws one character, as SetContent does, with the characters in one list.
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

// PutStrStyled draws text in a style, as PutStr does.
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

// GetContent returns what Get does, with the text split into character and marks.
func (p *pen) GetContent(x, y int) (rune, []rune, tcell.Style, int) {
	text, style, width := p.Get(x, y)
	if len(text) == 1 {
		return rune(text[0]), nil, style, width
	}
	all := []rune(text)
	return all[0], all[1:], style, width
}

// LockRegion does nothing: it is for pictures, and we draw no pictures.
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
