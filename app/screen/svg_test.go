package screen

import (
	"bytes"
	_ "embed" // the style sheet
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/stretchr/testify/require"
)

// The size of a cell, and the empty margin around the picture, in pixels.
const (
	cellWidth  = 8.4
	cellHeight = 18
	air        = 8
)

// sheet is the style sheet of every picture. Each colour of the terminal is a class named after its number. On a light
// page the picture is light too.
//
//go:embed svg.css
var sheet string

// svg returns a picture of w×h cells, in the terminal's sixteen colours and those of the cursor's row. The same cells
// give the same bytes.
func svg(cells []tcell.SimCell, w, h int) []byte {
	var out bytes.Buffer
	wide, high := float64(w)*cellWidth+2*air, h*cellHeight+2*air
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 %s %d\" "+
		"width=\"%s\" height=\"%d\">\n", pixels(wide), high, pixels(wide), high)
	out.WriteString("<style>\n" + sheet + "</style>\n<rect width=\"100%\" height=\"100%\" class=\"g\"/>\n")
	for y := range h {
		drawRow(&out, runsOf(cells[y*w:(y+1)*w]), y)
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// run is a piece of a row in one style.
type run struct {
	text     string
	at, wide int // in cells
	style    tcell.Style
}

// runsOf divides a row into pieces of one style. Spaces that show no style belong to the piece before them.
func runsOf(row []tcell.SimCell) (runs []run) {
	for x, c := range row {
		if len(c.Runes) == 0 { // the right half of a wide character
			if len(runs) > 0 {
				runs[len(runs)-1].wide++
			}
			continue
		}
		last := len(runs) - 1
		blank := c.Runes[0] == ' ' && !shown(c.Style)
		if last < 0 || runs[last].style != c.Style && !(blank && !shown(runs[last].style)) {
			runs, last = append(runs, run{at: x, style: c.Style}), last+1
		}
		runs[last].text += string(c.Runes)
		runs[last].wide++
	}
	return runs
}

// shown reports whether a style is visible on a space.
func shown(s tcell.Style) bool {
	_, bg, attrs := s.Decompose()
	return bg != tcell.ColorDefault || attrs&(tcell.AttrReverse|tcell.AttrUnderline|tcell.AttrStrikeThrough) != 0
}

// drawRow draws the backgrounds of a row and its text.
func drawRow(out *bytes.Buffer, runs []run, y int) {
	top := air + y*cellHeight
	var text bytes.Buffer
	for _, r := range runs {
		classes := classesOf(r.style)
		if fg, _, attrs := r.style.Decompose(); attrs&tcell.AttrReverse != 0 {
			ground := "r"
			if fg != tcell.ColorDefault {
				ground = colourClass(fg)
				classes = strings.TrimSuffix(classes, " "+ground)
			}
			fmt.Fprintf(out, "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" class=\"%s\"/>\n", column(r.at), top,
				pixels(float64(r.wide)*cellWidth), cellHeight, ground)
		}
		if _, bg, _ := r.style.Decompose(); bg != tcell.ColorDefault {
			fmt.Fprintf(out, "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" class=\"k\"/>\n", column(r.at), top,
				pixels(float64(r.wide)*cellWidth), cellHeight)
		}
		words := strings.TrimRight(r.text, " ")
		if words == "" {
			continue
		}
		wide := r.wide - (len(r.text) - len(words))
		fmt.Fprintf(&text, "<tspan x=\"%s\" textLength=\"%s\"", column(r.at), pixels(float64(wide)*cellWidth))
		if classes != "" {
			fmt.Fprintf(&text, " class=\"%s\"", classes)
		}
		text.WriteString(">")
		_ = xml.EscapeText(&text, []byte(words))
		text.WriteString("</tspan>")
	}
	if text.Len() > 0 {
		fmt.Fprintf(out, "<text y=\"%d\">%s</text>\n", top+cellHeight-5, text.String())
	}
}

// colourClass returns the class of one of the terminal's colours.
func colourClass(c tcell.Color) string { return fmt.Sprintf("c%d", c&^tcell.ColorValid) }

// classesOf returns the CSS classes of a style. The class of its colour comes last.
func classesOf(s tcell.Style) string {
	fg, bg, attrs := s.Decompose()
	var classes []string
	for _, a := range []struct {
		mask  tcell.AttrMask
		class string
	}{{tcell.AttrReverse, "r"}, {tcell.AttrBold, "b"}, {tcell.AttrDim, "d"}, {tcell.AttrItalic, "i"},
		{tcell.AttrUnderline, "u"}, {tcell.AttrStrikeThrough, "s"}} {
		if attrs&a.mask != 0 {
			classes = append(classes, a.class)
		}
	}
	if bg != tcell.ColorDefault {
		classes = append(classes, "t")
	} else if fg != tcell.ColorDefault {
		classes = append(classes, colourClass(fg))
	}
	return strings.Join(classes, " ")
}

func column(x int) string { return pixels(air + float64(x)*cellWidth) }

// pixels writes a length with one digit behind the point, or as a whole number if that digit is 0.
func pixels(n float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", n), ".0") }

func TestReversedTextHasAGroundInTheColourOfText(t *testing.T) {
	cell := func(style tcell.Style) []tcell.SimCell { return []tcell.SimCell{{Runes: []rune("x"), Style: style}} }
	reversed := tcell.StyleDefault.Reverse(true)
	button := string(svg(cell(reversed.Bold(true)), 1, 1))
	require.Contains(t, button, `height="18" class="r"/>`)
	require.Contains(t, button, `class="r b">x<`)
	red := string(svg(cell(reversed.Foreground(tcell.ColorRed)), 1, 1))
	require.Contains(t, red, `height="18" class="c9"/>`)
	require.Contains(t, red, `class="r">x<`)
}
