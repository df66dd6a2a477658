package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// Align says how the cells of a column are aligned.
type Align uint8

// Alignments; a column without one is aligned left.
const (
	AlignLeft Align = iota
	AlignCenter
	AlignRight
)

func alignments(list []east.Alignment) []Align {
	out := make([]Align, len(list))
	for i, a := range list {
		switch a {
		case east.AlignCenter:
			out[i] = AlignCenter
		case east.AlignRight:
			out[i] = AlignRight
		default:
			out[i] = AlignLeft
		}
	}
	return out
}

// Table is a table of the text: offsets of its cells, the header first.
type Table struct {
	Rows  [][][2]int
	Align []Align
}

// table takes over the lines of a table, unless some of its text is in no cell.
func (s scan) table(n *east.Table) {
	t, at := s.tableOf(n)
	if len(at) == 0 || at[0]+1 >= len(s.Lines) {
		return
	}
	head, start := &s.Lines[at[0]], n.FirstChild().Pos()
	if strings.Trim(s.Source[head.From:start], " \t>") != "" {
		return
	}
	s.Tables[at[0]] = t
	s.Lines[at[0]+1].Kind = KindHidden // the line of dashes
	for _, i := range at {
		s.Lines[i].Kind = KindHidden
	}
	head.Kind, head.Text = KindTable, start
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			s.inlines(c)
			if c.Lines().Len() > 0 {
				s.pipes(c.Lines().At(0).Start, c.Lines().At(0).Stop)
			}
		}
	}
}

// tableOf reads a table's rows and tells the line of each; no lines: some of its text is in no cell.
func (s scan) tableOf(n *east.Table) (t *Table, at []int) {
	t = &Table{Align: alignments(n.Alignments)}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		i := s.lineAt(row.Pos())
		if i < 0 {
			return nil, nil
		}
		cells := cellsOf(row)
		seen := ""
		for _, c := range cells {
			seen += s.Source[c[0]:c[1]]
		}
		if bare(seen) != bare(s.Source[min(row.Pos(), s.Lines[i].To):s.Lines[i].To]) {
			return nil, nil
		}
		t.Rows, at = append(t.Rows, cells), append(at, i)
	}
	return t, at
}

// cellsOf returns the offsets of a row's cells; an empty one has none.
func cellsOf(row ast.Node) (cells [][2]int) {
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cell := [2]int{}
		if c.Lines().Len() > 0 {
			cell = [2]int{c.Lines().At(0).Start, c.Lines().At(0).Stop}
		}
		cells = append(cells, cell)
	}
	return cells
}

// pipes takes the backslash before a pipe away: in a cell it can be nothing but the table's own.
func (s scan) pipes(from, to int) {
	for i := from; i+1 < to; i++ {
		if s.Source[i:i+2] == `\|` && (i == from || s.Source[i-1] != '\\') {
			s.drop(i, i+1)
		}
	}
}

func (s scan) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.inline(c)
	}
}

// bare returns a row without what only separates its cells.
func bare(s string) string { return separators.Replace(s) }

var separators = strings.NewReplacer("|", "", " ", "", "\t", "")
