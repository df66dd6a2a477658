package term

import "github.com/gdamore/tcell/v2"

// ShowCursor wants the cursor at a place; the next Show puts it there.
func (s *Screen) ShowCursor(x, y int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursor.x, s.cursor.y = x, y
}

// HideCursor wants no cursor.
func (s *Screen) HideCursor() { s.ShowCursor(-1, -1) }

// SetCursorStyle wants a cursor shape and, optionally, its colour.
func (s *Screen) SetCursorStyle(style tcell.CursorStyle, colors ...tcell.Color) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cursor.style, s.cursor.color = style, tcell.ColorDefault
	if len(colors) > 0 {
		s.cursor.color = colors[0]
	}
}

// Show sends the cells and the cursor that changed since the last Show, and not one byte when none did.
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
