package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// markInline marks one piece of prose, such as bold text or a link, and the pieces within it.
func (s scan) markInline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Emphasis:
		mark := Italic
		if n.Level == 2 {
			mark = Bold
		}
		s.markSigned(s.start(n), s.end(n), n.Level, mark)
	case *east.Strikethrough:
		from, to := s.start(n.FirstChild()), s.end(n.LastChild())
		signs := min(s.countRun(to, '~'), 2)
		s.markSigned(from-signs, to+signs, signs, Strike)
	case *ast.CodeSpan:
		s.markCodeSpan(n)
		return
	case *ast.Link, *ast.Image:
		s.markLink(n)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.markInline(c)
	}
}

// markSigned marks the text between signs, such as the two stars of bold. The signs are shown too, dimmed, because they
// may be part of a shell command.
func (s scan) markSigned(from, to, signs int, k Mark) {
	s.paint(from, from+signs, Dim)
	s.paint(from+signs, to-signs, k)
	s.paint(to-signs, to, Dim)
}

// markCodeSpan marks a piece of code as bold.
func (s scan) markCodeSpan(n *ast.CodeSpan) {
	from := s.start(n)
	s.markSigned(from, s.end(n), s.countRun(from, '`'), Bold)
}

// countRun counts how often a sign is repeated at an offset.
func (s scan) countRun(at int, sign byte) int {
	n := 0
	for at+n < len(s.Source) && s.Source[at+n] == sign {
		n++
	}
	return n
}

// start returns the offset where an inline node begins, its signs included.
func (s scan) start(n ast.Node) int {
	switch n := n.(type) {
	case nil:
		return 0
	case *ast.Text:
		return n.Segment.Start
	case *ast.Emphasis:
		return s.start(n.FirstChild()) - n.Level
	}
	return n.Pos()
}

// end returns the offset behind an inline node, its signs included.
func (s scan) end(n ast.Node) int {
	switch n := n.(type) {
	case nil:
		return 0
	case *ast.Text:
		return n.Segment.Stop
	case *ast.Emphasis:
		return s.end(n.LastChild()) + n.Level
	case *east.Strikethrough:
		to := s.end(n.LastChild())
		return to + min(s.countRun(to, '~'), 2)
	case *ast.CodeSpan:
		to := s.start(n) + s.countRun(s.start(n), '`')
		if last, ok := n.LastChild().(*ast.Text); ok {
			to = last.Segment.Stop
		}
		if to < len(s.Source) && s.Source[to] == ' ' || to < len(s.Source) && s.Source[to] == '\n' {
			to++
		}
		return to + s.countRun(s.start(n), '`')
	case *ast.AutoLink:
		return n.Pos() + strings.IndexByte(s.Source[n.Pos():], '>') + 1
	case *ast.RawHTML:
		if n.Segments.Len() > 0 {
			return n.Segments.At(n.Segments.Len() - 1).Stop
		}
	case *ast.Link, *ast.Image:
		if end, ok := n.AttributeString(attrEnd); ok {
			return end.(int)
		}
	case *east.TaskCheckBox:
		return n.Pos() + len("[ ]")
	}
	return n.Pos()
}

// markLink dims the signs around a link's words and its target. A reference link, whose target is elsewhere in the
// text, is left as it is.
func (s scan) markLink(n ast.Node) {
	mid, to := n.Pos()+1, s.end(n)
	if last := n.LastChild(); last != nil {
		mid = s.end(last)
	}
	if from := n.Pos(); from < mid && mid+2 < to && to <= len(s.Source) && s.Source[mid:mid+2] == "](" {
		s.paint(from, from+1+strings.IndexByte(s.Source[from:mid], '['), Dim)
		s.paint(mid, mid+2, Dim)
		s.paint(to-1, to, Dim)
	}
}
