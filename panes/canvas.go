package panes

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"
)

// Rect is a part of the screen in cells.
type Rect struct{ X, Y, W, H int }

// Row is the r-th row of the rectangle, one cell high.
func (r Rect) Row(n int) Rect { return Rect{r.X, r.Y + n, r.W, 1} }

// Empty reports whether nothing can be drawn in it.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Styles of the dashboard: the terminal's own colours, and of the palette green and red only. Colour is never the
// only signal.
var (
	Plain  = tcell.StyleDefault
	Bold   = tcell.StyleDefault.Bold(true)
	Dim    = tcell.StyleDefault.Dim(true)
	Good   = tcell.StyleDefault.Foreground(tcell.ColorGreen)
	Danger = tcell.StyleDefault.Foreground(tcell.ColorRed)
)

// Canvas draws cleaned text into a screen, clipped to a rectangle. Everything goes through Put, which refuses
// what has no ink, so that no text can move anything on screen.
type Canvas struct {
	Screen tcell.Screen
	Glyphs Glyphs
	Theme  Theme
}

// Fill paints the rectangle with spaces.
func (c Canvas) Fill(r Rect, style tcell.Style) {
	for y := r.Y; y < r.Y+r.H; y++ {
		for x := r.X; x < r.X+r.W; x++ {
			c.Screen.SetContent(x, y, ' ', nil, c.Theme.of(style))
		}
	}
}

// Put writes one line of text into at most w cells and returns the cells used. A wide character that fits half
// is left out. The text must have been made visible; what was not is dropped here.
func (c Canvas) Put(x, y, w int, style tcell.Style, text string) int {
	style = c.Theme.of(style)
	used, state := 0, -1
	for len(text) > 0 {
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

// Width is the number of cells the text takes.
func Width(s string) int { return uniseg.StringWidth(s) }

// Cut shortens the text to w cells, ending in the ellipsis where something was left out.
func Cut(s string, w int, ellipsis string) string {
	if Width(s) <= w {
		return s
	}
	if w <= 0 {
		return ""
	}
	room := w - Width(ellipsis)
	if room < 0 {
		room, ellipsis = w, ""
	}
	var b strings.Builder
	used, state := 0, -1
	for rest := s; len(rest) > 0; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+width > room {
			break
		}
		b.WriteString(cluster)
		used += width
	}
	return b.String() + ellipsis
}

// Wrap breaks visible text into lines of at most w cells, at line breaks and between words, within a word only
// where it is longer than a line. Tabs become four spaces. Leading space of a line of the text is kept, so that
// code and diffs keep their shape.
func Wrap(text string, w int) []string {
	if w < 1 {
		w = 1
	}
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		para = strings.TrimRight(strings.ReplaceAll(para, "\t", "    "), " ")
		lines = append(lines, wrapLine(para, w)...)
	}
	return lines
}

func wrapLine(para string, w int) []string {
	if len(para) <= w && isASCII(para) {
		return []string{para}
	}
	var lines []string
	var line strings.Builder
	used, state := 0, -1
	flush := func() {
		lines = append(lines, strings.TrimRight(line.String(), " "))
		line.Reset()
		used = 0
	}
	for len(para) > 0 {
		var segment string
		segment, para, _, state = uniseg.FirstLineSegmentInString(para, state)
		width := Width(strings.TrimRight(segment, " "))
		if used > 0 && used+width > w {
			flush()
		}
		for width > w { // a word longer than a line
			head := Cut(segment, w-used, "")
			if head == "" {
				head = Cut(segment, w, "")
				if head == "" { // a wide character in a one-cell line
					head = segment
				}
			}
			line.WriteString(head)
			segment = segment[len(head):]
			if segment == "" {
				break
			}
			flush()
			width = Width(strings.TrimRight(segment, " "))
		}
		line.WriteString(segment)
		used = Width(line.String())
	}
	if line.Len() > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
