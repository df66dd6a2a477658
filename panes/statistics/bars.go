package statistics

import (
	"fmt"
	"math"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
)

// bar returns one row: a label, a bar whose length shows n compared with most, and words in a column behind the bars.
func (d drawing) bar(label string, cells, n, most int, tail string, style ink.Style) ink.Line {
	room := d.barEnd(cells, tail) - cells
	drawn := across(d.g, float64(n)/float64(most)*float64(room), n > 0)
	return ink.Line{
		{Text: label + strings.Repeat(" ", max(cells-ink.Width(label), 0)), Style: ink.Plain},
		{Text: drawn, Style: style},
		{Text: strings.Repeat(" ", max(room-ink.Width(drawn), 0)) + " " + tail, Style: ink.Plain},
	}
}

// barEnd returns the column where the longest bar ends behind a label of this width.
func (d drawing) barEnd(cells int, tail string) int {
	return cells + min(max(d.w-cells-ink.Width(tail)-1, 3), longestBar)
}

// percent returns n of a number in whole percent, in five cells.
func percent(n, of int) string {
	if of == 0 {
		return alignRight("0 %", 5)
	}
	p := 100 * float64(n) / float64(of)
	if p > 0 && p < 1 {
		return alignRight("<1 %", 5)
	}
	return alignRight(fmt.Sprintf("%.0f %%", p), 5)
}

// share returns a part of 1 in percent, with the same precision as `choicetui log --stats`, so that the shares add up
// to 100.
func share(part float64) string { return alignRight(fmt.Sprintf("%.1f %%", 100*part), 7) }

// alignRight returns a text aligned to the right in w cells.
func alignRight(s string, w int) string { return strings.Repeat(" ", max(w-ink.Width(s), 0)) + s }

// upward returns the glyphs for a cell of a column that is filled from below, from empty to full.
func upward(g ink.Glyphs) []string {
	if g.Rule == ink.ASCII.Rule {
		return []string{" ", ".", ":", "#"}
	}
	return []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}

// across returns a bar of the given width, in eighths of a cell if the terminal has the glyphs for that. some: the bar
// is never empty.
func across(g ink.Glyphs, cells float64, some bool) string {
	if g.Rule == ink.ASCII.Rule {
		n := int(math.Round(cells))
		if some {
			n = max(n, 1)
		}
		return strings.Repeat("#", n)
	}
	eighths := int(math.Round(cells * 8))
	if some {
		eighths = max(eighths, 1)
	}
	return strings.Repeat("█", eighths/8) + []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}[eighths%8]
}
