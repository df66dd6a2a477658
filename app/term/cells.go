package term

import (
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// maxGlyphs limits the cache of measured characters.
const maxGlyphs = 4096

// cell is one position of the screen. A wide character has width 2; in a visible row the position that it also covers
// is the zero cell. There are two grids with many cells, so the types are small.
type cell struct {
	text  string
	ink   ink
	width uint8
}

// ink is the index of a style among the inks; 0 is the terminal's default style.
type ink uint32

// inks numbers the styles that have been used: there are few of them, and a style is larger than a whole cell.
type inks struct {
	known  map[tcell.Style]ink
	styles []tcell.Style
	last   ink // the last result, because neighbours mostly have the same style
}

// inkOf returns the index of a style, which it adds if it is new.
func (i *inks) inkOf(style tcell.Style) ink {
	if style == tcell.StyleDefault {
		return 0
	}
	if i.last > 0 && i.styles[i.last] == style {
		return i.last
	}
	found, ok := i.known[style]
	if !ok {
		if i.known == nil {
			i.known, i.styles = make(map[tcell.Style]ink), []tcell.Style{tcell.StyleDefault}
		}
		found = ink(len(i.styles))
		i.known[style], i.styles = found, append(i.styles, style)
	}
	i.last = found
	return found
}

// styleOf returns the style with an index.
func (i *inks) styleOf(of ink) tcell.Style {
	if of == 0 {
		return tcell.StyleDefault
	}
	return i.styles[of]
}

// blank is an empty cell.
var blank = cell{text: " ", width: 1}

// grid is a rectangle of cells.
type grid struct {
	w, h  int
	cells []cell
}

// fit sets the size of the grid and reports whether it changed. A change empties the grid, which does no harm: after a
// Clear everything is drawn again.
func (g *grid) fit(w, h int) bool {
	if g.w == w && g.h == h {
		return false
	}
	g.w, g.h, g.cells = w, h, make([]cell, max(0, w)*max(0, h))
	for i := range g.cells {
		g.cells[i] = blank
	}
	return true
}

// at returns a cell; nil: the position is outside of the grid.
func (g *grid) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return nil
	}
	return &g.cells[y*g.w+x]
}

// row returns the cells of a row.
func (g *grid) row(y int) []cell { return g.cells[y*g.w : (y+1)*g.w] }

// visibleRow copies a row into out as the terminal shows it: a wide character hides the cell behind it, and half a wide
// character at the right edge becomes a space. out has the length of row.
func visibleRow(row, out []cell) {
	for x := 0; x < len(row); x++ {
		c := row[x]
		switch {
		case c.width < 2:
			out[x] = c
		case x+int(c.width) > len(row):
			out[x] = cell{text: " ", width: 1, ink: c.ink}
		default:
			out[x] = c
			for range c.width - 1 {
				x++
				out[x] = cell{}
			}
		}
	}
}

// glyphs measures the text of a cell, as tcell does.
type glyphs struct {
	known map[rune]glyph
	one   tcell.CellBuffer
}

// glyph is the text of a cell and its width.
type glyph struct {
	text  string
	width uint8
}

// ascii holds the glyphs of the ASCII characters. A control character becomes a space.
var ascii = func() (table [0x7f]glyph) {
	for r := range table {
		table[r] = glyph{" ", 1}
		if r > ' ' {
			table[r].text = string(rune(r))
		}
	}
	return table
}()

// glyphOf returns the first character of r and its combining marks. It removes everything that a terminal would act on,
// because tcell sends a control character raw if a visible one follows it.
func (g *glyphs) glyphOf(r rune, marks []rune) glyph {
	if len(marks) > 0 {
		return g.measure(string(append([]rune{r}, marks...)))
	}
	if r >= 0 && int(r) < len(ascii) {
		return ascii[r]
	}
	if found, ok := g.known[r]; ok {
		return found
	}
	if g.known == nil || len(g.known) >= maxGlyphs {
		g.known = make(map[rune]glyph)
	}
	found := g.measure(string(r))
	g.known[r] = found
	return found
}

// measure returns the glyph of a text, without the characters that steer a terminal.
func (g *glyphs) measure(text string) glyph {
	kept := make([]rune, 0, 8)
	for _, r := range text {
		if !steersTerminal(r) {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 {
		return ascii[' ']
	}
	g.one.Resize(2, 1)
	g.one.Put(0, 0, string(kept), tcell.StyleDefault)
	shown, _, width := g.one.Get(0, 0)
	return glyph{shown, uint8(width)}
}

// steersTerminal reports whether a character moves the cursor, begins a sequence or changes the reading direction.
func steersTerminal(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
		return true
	case r == 0x061C, r == 0x200B, r == 0x200E, r == 0x200F, r == 0xFEFF:
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
}
