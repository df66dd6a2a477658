// Package ink draws text into the cells of the terminal, and is the only place that measures text in cells. It has the
// styles and themes, the glyphs, cutting and wrapping, the horizontal lines with words in them (called rules), and the
// two lines of the footer. Everything that is drawn goes through Canvas.Put.
package ink

import (
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// Rect is a part of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Row returns the n-th row of the rectangle, one cell high.
func (r Rect) Row(n int) Rect { return Rect{r.X, r.Y + n, r.W, 1} }

// Empty reports whether the rectangle has no cells.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Canvas draws text into a screen. All text goes through Put, which drops characters that take no cell of their own,
// such as control characters, so that no text can move anything else on screen.
type Canvas struct {
	Screen    tcell.Screen
	Glyphs    Glyphs
	Theme     Theme
	AtCursor  func(Rect) // is told where a cursor row is drawn; nil: nobody is
	cursorRow bool       // text is written on the highlighted row of the cursor
}

// Fill paints the rectangle with spaces.
func (c Canvas) Fill(r Rect, style tcell.Style) {
	style = c.styled(style)
	for y := r.Y; y < r.Y+r.H; y++ {
		for x := r.X; x < r.X+r.W; x++ {
			c.Screen.SetContent(x, y, ' ', nil, style)
		}
	}
}

// Put writes one line of text into at most w cells and returns the cells used. A wide character of which only half
// would fit is left out. The caller has replaced hidden characters (queue.Visible); control characters are dropped
// here.
func (c Canvas) Put(x, y, w int, style tcell.Style, text string) int {
	style = c.styled(style)
	used, state := 0, -1
	for len(text) > 0 {
		if startsPlain(text) { // most characters are plain ASCII, for which the search for clusters is not needed
			if used >= w {
				break
			}
			c.Screen.SetContent(x+used, y, rune(text[0]), nil, style)
			text, state = text[1:], -1
			used++
			continue
		}
		var cluster string
		var width int
		cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		if width <= 0 || unseen(cluster) {
			continue
		}
		if used+width > w {
			break
		}
		runes := []rune(cluster)
		if plain, ok := plainOf[runes[0]]; ok && c.Glyphs.ASCII {
			runes[0] = plain
		}
		c.Screen.SetContent(x+used, y, runes[0], runes[1:], style)
		for i := 1; i < width; i++ {
			c.Screen.SetContent(x+used+i, y, ' ', nil, style)
		}
		used += width
	}
	return used
}

// Repeat draws a glyph into each cell of a rectangle. It measures the glyph once and not for each cell, because the
// lines on screen are drawn again at each tick of the clock.
func (c Canvas) Repeat(r Rect, style tcell.Style, glyph string) {
	runes := []rune(glyph)
	if Width(glyph) != 1 || unseen(glyph) {
		return
	}
	style = c.styled(style)
	for y := r.Y; y < r.Y+r.H; y++ {
		for x := r.X; x < r.X+r.W; x++ {
			c.Screen.SetContent(x, y, runes[0], runes[1:], style)
		}
	}
}

// CursorRow highlights r as the row of the cursor, and returns a canvas that writes text on it.
func (c Canvas) CursorRow(r Rect) Canvas {
	c.cursorRow = true
	c.Fill(r, Plain)
	if c.AtCursor != nil {
		c.AtCursor(r)
	}
	return c
}

// styled returns a style in the colours of the theme. On the highlighted row of the cursor the cursor row's colours
// replace them.
func (c Canvas) styled(style tcell.Style) tcell.Style {
	style = c.Theme.Of(style)
	if c.cursorRow {
		// Of is applied once more: OnCursorRow may return the terminal's default colours, for which a theme has its
		// own.
		style = c.Theme.Of(c.Theme.OnCursorRow(style))
	}
	return style
}

// startsPlain reports whether the text begins with a printable ASCII character, and the next character is ASCII too and
// so cannot combine with it.
func startsPlain(text string) bool {
	return isPrintable(text[:1]) && (len(text) == 1 || text[1] < utf8.RuneSelf)
}

// unseen reports whether a cluster of characters is a control character, which shows nothing.
func unseen(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsControl(r)
}

// PutRight writes the text so that it ends before x+w, and returns the column where it starts.
func (c Canvas) PutRight(x, y, w int, style tcell.Style, text string) int {
	text = Cut(text, w, c.Glyphs.Ellipsis)
	start := x + w - Width(text)
	c.Put(start, y, Width(text), style, text)
	return start
}
