// Package ink turns text into cells, and is the only place that measures it: styles and themes, glyphs, cutting and
// wrapping, rules and the lines of the foot. Everything that is drawn passes Canvas.Put.
package ink

import (
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// Rect is a part of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Row returns the r-th row of the rectangle, one cell high.
func (r Rect) Row(n int) Rect { return Rect{r.X, r.Y + n, r.W, 1} }

// Empty reports whether the rectangle has no cells.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Canvas draws cleaned text into a screen, clipped to a rectangle. Everything goes through Put, which refuses
// what has no ink, so that no text can move anything on screen.
type Canvas struct {
	Screen tcell.Screen
	Glyphs Glyphs
	Theme  Theme
	band   bool // what is written belongs to the band of the cursor's row
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

// Put writes one line of text into at most w cells and returns the cells used. A wide character that fits half
// is left out. The caller has made the text visible; control characters are dropped here.
func (c Canvas) Put(x, y, w int, style tcell.Style, text string) int {
	style = c.styled(style)
	used, state := 0, -1
	for len(text) > 0 {
		if startsPlain(text) { // most text is plain, and needs no search for clusters
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

// Repeat draws a glyph into each cell of a rectangle. The glyph is measured once, and not again in each cell: rules and
// fuses are drawn at each tick of the clock.
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

// Band draws the band of the cursor over r, and returns a canvas that writes text on it.
func (c Canvas) Band(r Rect) Canvas {
	c.band = true
	c.Fill(r, Plain)
	return c
}

// styled returns a style as the terminal gets it.
func (c Canvas) styled(style tcell.Style) tcell.Style {
	style = c.Theme.Of(style)
	if c.band {
		style = c.Theme.Of(c.Theme.OnBand(style))
	}
	return style
}

// startsPlain reports whether the text begins with a printable character of one byte to which nothing behind it can
// belong.
func startsPlain(text string) bool {
	return isPrintable(text[:1]) && (len(text) == 1 || text[1] < utf8.RuneSelf)
}

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
