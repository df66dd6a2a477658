package term

import (
	"unicode"

	"github.com/gdamore/tcell/v2"
)

// maxGlyphs bounds the cache of measured characters.
const maxGlyphs = 4096

// cell holds one position of the screen. A wide character has width 2; where it covers a neighbour on the terminal,
// that neighbour is the zero cell in a visible row. A large screen has many cells, twice: hence the small types.
type cell struct {
	text  string
	ink   ink
	width uint8
}

// ink is a style's number among the inks; 0 is the terminal's own.
type ink uint32

// inks number the styles that have been drawn with: a theme has few, and each weighs more than a whole cell.
type inks struct {
	known  map[tcell.Style]ink
	styles []tcell.Style
	last   ink // neighbours mostly look alike
}

func (i *inks) of(style tcell.Style) ink {
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

func (i *inks) style(of ink) tcell.Style {
	if of == 0 {
		return tcell.StyleDefault
	}
	return i.styles[of]
}

// blank is a cell on which nobody has drawn.
var blank = cell{text: " ", width: 1}

// grid is a rectangle of cells.
type grid struct {
	w, h  int
	cells []cell
}

// fit makes the grid w by h and reports whether that was a change. A change loses the content, which is no harm: all
// who draw clear first.
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

func (g *grid) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= g.w || y >= g.h {
		return nil
	}
	return &g.cells[y*g.w+x]
}

func (g *grid) row(y int) []cell { return g.cells[y*g.w : (y+1)*g.w] }

// visible writes the row into out as a terminal shows it: a wide character hides what was drawn behind it, and half of
// one at the right edge is a space. out has the row's length.
func visible(row, out []cell) {
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

// glyphs measures what is put into a cell, as tcell does.
type glyphs struct {
	known map[rune]glyph
	one   tcell.CellBuffer
}

type glyph struct {
	text  string
	width uint8
}

var ascii = func() (table [0x7f]glyph) {
	for r := range table {
		table[r] = glyph{" ", 1}
		if r > ' ' {
			table[r].text = string(rune(r))
		}
	}
	return table
}()

// of returns the first character of r and its combining marks. Nothing a terminal would act on gets through: tcell
// sends a control character raw when it is followed by a visible one.
func (g *glyphs) of(r rune, marks []rune) glyph {
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

func (g *glyphs) measure(text string) glyph {
	kept := make([]rune, 0, 8)
	for _, r := range text {
		if !steers(r) {
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

// steers reports characters that move the cursor, start a sequence or turn the reading order.
func steers(r rune) bool {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
		return true
	case r == 0x061C, r == 0x200B, r == 0x200E, r == 0x200F, r == 0xFEFF:
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
}
