package reading

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading/markdown"
)

const (
	cellGap   = "  "
	leastCell = 6 // cells a column keeps; below, a table falls back to one line per cell
)

// layoutTable draws aligned columns whose cells wrap, or a line per cell where they would be too narrow.
func layoutTable(s *markdown.Sheet, t *markdown.Table, prefix string, w int) []ink.Line {
	cells := make([][]markdown.Piece, len(t.Rows))
	for i, row := range t.Rows {
		for _, c := range row {
			p := s.Piece(c[0], c[1])
			if i == 0 {
				for n := range p.Marks {
					p.Marks[n] |= markdown.Bold
				}
			}
			cells[i] = append(cells[i], p)
		}
	}
	widths := widthsOf(t, cells, w-ink.Width(prefix))
	if widths == nil {
		return listTable(cells, prefix, w)
	}
	var out []ink.Line
	for i, row := range cells {
		out = append(out, layoutRow(t, row, widths, prefix)...)
		if i == 0 {
			l := ink.Line{{Text: prefix, Style: ink.Plain}}
			for n, w := range widths {
				if n > 0 {
					l = append(l, ink.Span{Text: cellGap, Style: ink.Plain})
				}
				l = append(l, ink.Span{Text: strings.Repeat("-", w), Style: ink.Plain})
			}
			out = append(out, l)
		}
	}
	return out
}

// widthsOf shares the room among the columns: what each needs, else its longest word and then by need; nil: too narrow.
func widthsOf(t *markdown.Table, cells [][]markdown.Piece, room int) []int {
	n := len(t.Align)
	room -= len(cellGap) * (n - 1)
	need, least := make([]int, n), make([]int, n)
	for _, row := range cells {
		for i, c := range row {
			need[i] = max(need[i], ink.Width(c.Text), 1)
			for word := range strings.FieldsSeq(c.Text) {
				least[i] = max(least[i], min(ink.Width(word), 2*leastCell))
			}
		}
	}
	all, floor := 0, 0
	for i := range need {
		least[i] = min(max(least[i], leastCell), need[i])
		all, floor = all+need[i], floor+least[i]
	}
	switch {
	case all <= room:
		return need
	case floor > room:
		return nil
	}
	spare, wish := room-floor, all-floor
	for i := range least {
		more := (need[i] - least[i]) * spare / max(wish, 1)
		wish, spare = wish-(need[i]-least[i]), spare-more
		least[i] += more
	}
	return least
}

func layoutRow(t *markdown.Table, row []markdown.Piece, widths []int, prefix string) []ink.Line {
	cols := make([][]ink.Line, len(row))
	rows := 1
	for i, c := range row {
		cols[i] = wrap(c, "", widths[i])
		rows = max(rows, len(cols[i]))
	}
	out := make([]ink.Line, rows)
	for y := range out {
		l := ink.Line{{Text: prefix, Style: ink.Plain}}
		behind := 0 // spaces owed before the next ink
		for i := range row {
			var cell ink.Line
			if y < len(cols[i]) {
				cell = cols[i][y]
			}
			left, right := pad(t, i, widths[i]-cell.Width())
			if len(cell) > 0 {
				l = append(append(l, ink.Span{Text: strings.Repeat(" ", behind+left), Style: ink.Plain}), cell...)
				behind = right + len(cellGap)
			} else {
				behind += widths[i] + len(cellGap)
			}
		}
		out[y] = l
	}
	return out
}

func pad(t *markdown.Table, col, spare int) (left, right int) {
	switch t.Align[col] {
	case markdown.AlignRight:
		left = spare
	case markdown.AlignCenter:
		left = spare / 2
	case markdown.AlignLeft: // all of the space goes behind
	}
	left = max(left, 0)
	return left, max(spare-left, 0)
}

// listTable returns the table with one `name: value` line per cell and a blank line between rows.
func listTable(cells [][]markdown.Piece, prefix string, w int) []ink.Line {
	var out []ink.Line
	if len(cells) == 1 {
		for _, c := range cells[0] {
			out = append(out, wrap(c, "", w)...)
		}
	}
	for i, row := range cells[1:] {
		if i > 0 {
			out = append(out, nil)
		}
		for n, c := range row {
			var b markdown.Builder
			b.Put(prefix)
			if n < len(cells[0]) {
				b.Add(cells[0][n].Text, cells[0][n].Marks)
			}
			b.Put(": ")
			b.Add(c.Text, c.Marks)
			out = append(out, wrap(b.Done(), prefix+"  ", w)...)
		}
	}
	return out
}
