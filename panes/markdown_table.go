package panes

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	cellGap   = "  "
	leastCell = 6 // cells a column keeps; below, a table falls back to one line per cell
)

// sourceTable is a table of the text: offsets of its cells, the header first.
type sourceTable struct {
	rows  [][][2]int
	align []east.Alignment
}

// table takes over the lines of a table, unless some of its text is in no cell.
func (s *sheet) table(n *east.Table) {
	t := &sourceTable{align: n.Alignments}
	var at []int
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		i := s.lineAt(row.Pos())
		if i < 0 {
			return
		}
		at = append(at, i)
		var cells [][2]int
		seen := ""
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			cell := [2]int{}
			if c.Lines().Len() > 0 {
				cell = [2]int{c.Lines().At(0).Start, c.Lines().At(0).Stop}
			}
			seen += s.source[cell[0]:cell[1]]
			cells = append(cells, cell)
		}
		if bare(seen) != bare(s.source[min(row.Pos(), s.lines[i].to):s.lines[i].to]) {
			return
		}
		t.rows = append(t.rows, cells)
	}
	if len(at) == 0 || at[0]+1 >= len(s.lines) || strings.Trim(s.source[s.lines[at[0]].from:n.FirstChild().Pos()], " \t>") != "" {
		return
	}
	s.tables[at[0]] = t
	s.lines[at[0]+1].kind = kindHidden // the line of dashes
	for _, i := range at {
		s.lines[i].kind = kindHidden
	}
	s.lines[at[0]].kind, s.lines[at[0]].text = kindTable, n.FirstChild().Pos()
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			s.inlines(c)
			if c.Lines().Len() > 0 {
				s.pipes(c.Lines().At(0).Start, c.Lines().At(0).Stop)
			}
		}
	}
}

// pipes takes the backslash before a pipe away: in a cell it can be nothing but the table's own.
func (s *sheet) pipes(from, to int) {
	for i := from; i+1 < to; i++ {
		if s.source[i:i+2] == `\|` && (i == from || s.source[i-1] != '\\') {
			s.drop(i, i+1)
		}
	}
}

func (s *sheet) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.inline(c)
	}
}

// bare is a row without what only separates its cells.
func bare(s string) string { return separators.Replace(s) }

var separators = strings.NewReplacer("|", "", " ", "", "\t", "")

// layout draws aligned columns whose cells wrap, or a line per cell where they would be too narrow.
func (t *sourceTable) layout(s *sheet, prefix string, w int) []Line {
	cells := make([][]inked, len(t.rows))
	for i, row := range t.rows {
		for _, c := range row {
			p := s.piece(c[0], c[1])
			if i == 0 {
				for n := range p.ink {
					p.ink[n] |= inkBold
				}
			}
			cells[i] = append(cells[i], p)
		}
	}
	widths := t.widths(cells, w-Width(prefix))
	if widths == nil {
		return t.list(cells, prefix, w)
	}
	var out []Line
	for i, row := range cells {
		out = append(out, t.row(row, widths, prefix)...)
		if i == 0 {
			l := Line{{prefix, Plain}}
			for n, w := range widths {
				if n > 0 {
					l = append(l, Span{cellGap, Plain})
				}
				l = append(l, Span{strings.Repeat("-", w), Plain})
			}
			out = append(out, l)
		}
	}
	return out
}

// widths shares the room among the columns: what each needs, else its longest word and then by need; nil: too narrow.
func (t *sourceTable) widths(cells [][]inked, room int) []int {
	n := len(t.align)
	room -= len(cellGap) * (n - 1)
	need, least := make([]int, n), make([]int, n)
	for _, row := range cells {
		for i, c := range row {
			need[i] = max(need[i], Width(c.text), 1)
			for word := range strings.FieldsSeq(c.text) {
				least[i] = max(least[i], min(Width(word), 2*leastCell))
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

func (t *sourceTable) row(row []inked, widths []int, prefix string) []Line {
	cols := make([][]Line, len(row))
	rows := 1
	for i, c := range row {
		cols[i] = c.wrap("", widths[i])
		rows = max(rows, len(cols[i]))
	}
	out := make([]Line, rows)
	for y := range out {
		l := Line{{prefix, Plain}}
		behind := 0 // spaces owed before the next ink
		for i := range row {
			var cell Line
			if y < len(cols[i]) {
				cell = cols[i][y]
			}
			left, right := t.pad(i, widths[i]-cell.Width())
			if len(cell) > 0 {
				l = append(append(l, Span{strings.Repeat(" ", behind+left), Plain}), cell...)
				behind = right + len(cellGap)
			} else {
				behind += widths[i] + len(cellGap)
			}
		}
		out[y] = l
	}
	return out
}

func (t *sourceTable) pad(col, spare int) (left, right int) {
	switch t.align[col] {
	case east.AlignRight:
		left = spare
	case east.AlignCenter:
		left = spare / 2
	}
	left = max(left, 0)
	return left, max(spare-left, 0)
}

// list is the table with one `name: value` line per cell and a blank line between rows.
func (t *sourceTable) list(cells [][]inked, prefix string, w int) []Line {
	var out []Line
	if len(cells) == 1 {
		for _, c := range cells[0] {
			out = append(out, c.wrap("", w)...)
		}
	}
	for i, row := range cells[1:] {
		if i > 0 {
			out = append(out, nil)
		}
		for n, c := range row {
			var b inker
			b.put(prefix)
			if n < len(cells[0]) {
				b.add(cells[0][n].text, cells[0][n].ink)
			}
			b.put(": ")
			b.add(c.text, c.ink)
			out = append(out, b.done().wrap(prefix+"  ", w)...)
		}
	}
	return out
}
