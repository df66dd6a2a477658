package ink

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// Span holds a piece of a line in one style.
type Span struct {
	Text  string
	Style tcell.Style
}

// Line holds the spans of one screen line.
type Line []Span

// String returns the line's text.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Width returns the number of cells the line takes.
func (l Line) Width() int {
	w := 0
	for _, s := range l {
		w += Width(s.Text)
	}
	return w
}

// Cut shortens the line to w cells, ending in the ellipsis where something was left out.
func (l Line) Cut(w int, ellipsis string) Line {
	if l.Width() <= w {
		return l
	}
	room := max(w-Width(ellipsis), 0)
	var out Line
	for _, s := range l {
		if n := Width(s.Text); n > room {
			s.Text = Cut(s.Text, room, "")
			return append(out, s, Span{Cut(ellipsis, w, ""), Plain})
		}
		room -= Width(s.Text)
		out = append(out, s)
	}
	return out
}

// Short shortens the line to w cells like Cut, but the ellipsis has the style of the text that it replaces.
func (l Line) Short(w int, ellipsis string) Line {
	if l.Width() <= w {
		return l
	}
	room := w - Width(ellipsis)
	if room < 0 {
		room, ellipsis = max(w, 0), ""
	}
	var out Line
	for _, s := range l {
		if n := Width(s.Text); n > room {
			s.Text = Cut(s.Text, room, "") + ellipsis
			return append(out, s)
		}
		room -= Width(s.Text)
		out = append(out, s)
	}
	return out
}

// JoinLines returns the lines that are not empty, one behind the other with a sign between them.
func JoinLines(sign string, lines ...Line) Line {
	var out Line
	for _, l := range lines {
		if l.Width() == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, Span{sign, Plain})
		}
		out = append(out, l...)
	}
	return out
}

// PlainLine returns a line of words in the style Plain.
func PlainLine(s string) Line { return Line{{s, Plain}} }

// PutLine writes a line into at most w cells and returns the cells used.
func (c Canvas) PutLine(x, y, w int, l Line) int {
	used := 0
	for _, s := range l {
		used += c.Put(x+used, y, w-used, s.Style, s.Text)
	}
	return used
}

// PutLineRight writes the line so that it ends before x+w, and returns the column where it starts.
func (c Canvas) PutLineRight(x, y, w int, l Line) int {
	l = l.Cut(w, c.Glyphs.Ellipsis)
	start := x + w - l.Width()
	c.PutLine(start, y, l.Width(), l)
	return start
}
