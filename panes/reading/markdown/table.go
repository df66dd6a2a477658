package markdown

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// table shows a table's own lines, with its head bold and its pipes dim. They take all the width: columns that the
// agent aligned stay aligned.
func (s scan) table(n *east.Table) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		i := s.lineAt(row.Pos())
		if i < 0 {
			continue
		}
		s.row(i, row)
		if row.Kind() == east.KindTableHeader {
			s.paint(row.Pos(), s.Lines[i].To, Bold)
			if i+1 < len(s.Lines) {
				s.row(i+1, nil)
			}
		}
	}
}

// row annotates one line of a table; without a row it is the line of dashes.
func (s scan) row(i int, row ast.Node) {
	l := &s.Lines[i]
	l.Code = true
	if row == nil {
		s.paint(l.Text, l.To, Dim)
		return
	}
	l.Text = row.Pos()
	for at := l.Text; at < l.To; at++ {
		if s.Source[at] == '|' && s.Source[at-min(at, 1)] != '\\' {
			s.paint(at, at+1, Dim)
		}
	}
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		for in := c.FirstChild(); in != nil; in = in.NextSibling() {
			s.inline(in)
		}
	}
}
