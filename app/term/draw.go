package term

import (
	"time"

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

// mostFrames is the time between two frames while keys wait, or come faster than anybody types; see flood. A frame that
// is left out is drawn later, with all that has come since.
const mostFrames = 40 * time.Millisecond

// Clear begins a frame. While a key waits, or many come, most frames are left out: Skips reports whether this one is.
func (s *Screen) Clear() {
	since := time.Since(s.drawn)
	switch {
	case since >= mostFrames, !s.keyWaits() && (s.redraw == nil || !s.floods()):
		s.skips = false
		s.pen.Clear()
	default:
		s.skips = true
		s.drawLater(mostFrames - since)
	}
}

// drawLater has the frame drawn later that is left out now.
func (s *Screen) drawLater(after time.Duration) {
	if s.redraw != nil && !s.late.Swap(true) {
		time.AfterFunc(after, func() {
			s.late.Store(false)
			s.redraw()
		})
	}
}

// Skips reports whether the frame that Clear began is left out: nothing need be drawn, and Show sends nothing. Each of
// the keys that wait draws a frame later.
func (s *Screen) Skips() bool { return s.skips }

// Show sends the cells and the cursor that changed since the last Show. If nothing changed it sends no byte.
func (s *Screen) Show() {
	if s.skips {
		s.skips = false
		return
	}
	s.drawn = time.Now()
	s.noteFrame()
	s.whileRunning(func() {
		cells, cursor := s.forwardCells(), s.forwardCursor()
		switch {
		case s.unsent:
			s.unsent = false
			s.Screen.Sync()
		case cells || cursor:
			s.Screen.Show()
		}
	})
	if s.Shown != nil && s.Running() {
		s.Shown()
	}
}

// Sync sends everything again, because something else has written to the terminal.
func (s *Screen) Sync() {
	s.whileRunning(func() {
		s.forwardCells()
		s.forwardCursor()
		s.unsent = false
		s.Screen.Sync()
	})
}

// forwardCells copies the cells that differ to the inner screen, and reports whether there were any.
func (s *Screen) forwardCells() (changed bool) {
	back := &s.pen.back
	w, h := s.Size()
	all := s.stale.Swap(false)
	if s.front.fit(w, h) {
		all = true
	}
	if back.w != w || back.h != h {
		// The terminal was resized between Clear and Show. tview draws everything again when it receives the resize
		// event, and the Show after that sends all of it.
		s.stale.Store(true)
	}
	if len(s.pen.row) != back.w {
		s.pen.row = make([]cell, back.w)
	}
	for y := range min(h, back.h) {
		visibleRow(back.row(y), s.pen.row)
		if s.forwardRow(y, all) {
			changed = true
		}
	}
	return changed || all
}

// forwardRow copies the cells of one row that differ. The cell behind a wide character is never sent. When it becomes
// visible it differs from the zero cell, so both halves of a former wide character are written.
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
			s.Screen.Put(x, y, c.text, s.pen.inks.styleOf(c.ink))
		}
	}
	return changed
}

// forwardCursor passes the requested cursor to the inner screen, and reports whether it has changed.
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

// pen is the drawing in progress. Only the goroutine that draws may use it.
type pen struct {
	size   func() (w, h int) // returns the size of the terminal
	back   grid              // the drawing since the last Clear
	row    []cell            // scratch: one row as the terminal shows it
	glyphs glyphs
	inks   inks
}

// drawCell puts a character into a cell.
func (p *pen) drawCell(c *cell, g glyph, style tcell.Style) {
	c.text, c.width, c.ink = g.text, g.width, p.inks.inkOf(p.inherit(style, c.ink))
}

// Clear blanks the drawing; nothing is sent.
func (p *pen) Clear() { p.Fill(' ', tcell.StyleDefault) }

// Fill covers the drawing with one character.
func (p *pen) Fill(r rune, style tcell.Style) {
	p.back.fit(p.size())
	g := p.glyphs.glyphOf(r, nil)
	for i := range p.back.cells {
		p.drawCell(&p.back.cells[i], g, style)
	}
}

// SetContent draws one character; outside the screen it does nothing.
func (p *pen) SetContent(x, y int, r rune, marks []rune, style tcell.Style) {
	if c := p.back.at(x, y); c != nil {
		p.drawCell(c, p.glyphs.glyphOf(r, marks), style)
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

// PutStr draws text up to the end of the row. It replaces tcell's own method, which would bypass the cells and send
// escape sequences raw.
func (p *pen) PutStr(x, y int, text string) { p.PutStrStyled(x, y, text, tcell.StyleDefault) }

// PutStrStyled draws text in a style, as PutStr does.
func (p *pen) PutStrStyled(x, y int, text string, style tcell.Style) {
	for width := 0; text != "" && x < p.back.w; x += width {
		if text, width = p.Put(x, y, text, style); width == 0 {
			return
		}
	}
}

// Get returns the cell that was drawn at a place, shown or not.
func (p *pen) Get(x, y int) (string, tcell.Style, int) {
	c := p.back.at(x, y)
	if c == nil {
		c = &blank
	}
	return c.text, p.inks.styleOf(c.ink), int(c.width)
}

// GetContent returns the same as Get, with the text split into character and marks.
func (p *pen) GetContent(x, y int) (rune, []rune, tcell.Style, int) {
	text, style, width := p.Get(x, y)
	if len(text) == 1 {
		return rune(text[0]), nil, style, width
	}
	all := []rune(text)
	return all[0], all[1:], style, width
}

// LockRegion does nothing: it is for images, which this program does not draw.
func (*pen) LockRegion(int, int, int, int, bool) {}

// inherit replaces "no colour" by the colour of the cell below, and removes hyperlinks: an agent's text could contain a
// link that says one thing and opens another.
func (p *pen) inherit(style tcell.Style, under ink) tcell.Style {
	fg, bg, _ := style.Decompose()
	if fg == tcell.ColorNone || bg == tcell.ColorNone {
		oldFg, oldBg, _ := p.inks.styleOf(under).Decompose()
		if fg == tcell.ColorNone {
			style = style.Foreground(oldFg)
		}
		if bg == tcell.ColorNone {
			style = style.Background(oldBg)
		}
	}
	return style.Url("")
}
