package markdown

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blocks parses prompts and inlines descriptions. Each is created when first needed and then shared, because a parser
// keeps no state.
var (
	blocks = sync.OnceValue(func() parser.Parser {
		return parser.NewParser(
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(append(inlineParsers(),
				util.Prioritized(extension.NewTaskCheckBoxParser(), 0))...),
			parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
				util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
		)
	})
	inlines = sync.OnceValue(func() parser.Parser {
		return parser.NewParser(
			parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
			parser.WithInlineParsers(inlineParsers()...),
		)
	})
)

// Parse reads a prompt. It returns false if the text must be shown unchanged.
func Parse(text string) (*Sheet, bool) {
	return parse(text, blocks())
}

// ParseInline reads only emphasis, code and links. It returns false if the text must be shown unchanged.
func ParseInline(text string) (*Sheet, bool) {
	return parse(text, inlines())
}

// parse reads a text with a parser. It returns false if the text must be shown unchanged.
func parse(text string, p parser.Parser) (*Sheet, bool) {
	s := newSheet(text)
	return s, scan{s}.annotate(p)
}

// inlineParsers returns the parsers for the pieces of prose, such as emphasis and links, with goldmark's own
// priorities.
func inlineParsers() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(linkParser{parser.NewLinkParser()}, 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewRawHTMLParser(), 400),
		util.Prioritized(parser.NewEmphasisParser(), 500),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
	}
}

// linkParser notes where a link ends, which goldmark keeps to itself.
type linkParser struct{ parser.InlineParser }

// attrEnd is the attribute of a link node with the offset behind the link.
const attrEnd = "end"

// Parse implements parser.InlineParser.
func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	n := p.InlineParser.Parse(parent, block, pc)
	if n != nil && (n.Kind() == ast.KindLink || n.Kind() == ast.KindImage) {
		_, after := block.Position()
		n.SetAttributeString(attrEnd, after.Start)
	}
	return n
}

// CloseBlock implements parser.CloseBlocker.
func (p linkParser) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := p.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// A text beyond these limits is probably meant to keep the parser busy, and is shown unchanged.
const (
	mostNesting  = 40   // quote signs and bullets in front of one line
	mostBrackets = 3000 // brackets and other delimiters in the whole text
)

// tooDense reports whether a text is beyond the limits.
func tooDense(s string) bool {
	brackets := 0
	for l := range strings.SplitSeq(s, "\n") {
		body := strings.TrimLeft(l, " \t>-+*0123456789.)")
		front := l[:len(l)-len(body)]
		if len(strings.Fields(front)) > mostNesting || strings.Count(front, ">") > mostNesting {
			return true
		}
		for _, sign := range []string{"[", "*", "_", "`", "~", "<"} {
			brackets += strings.Count(l, sign)
		}
	}
	return brackets > mostBrackets
}

// scan goes once through the parser's result and marks each block and each piece of prose on the sheet.
type scan struct{ *Sheet }

// annotate parses the text and marks its lines. It returns false if they must be shown unchanged.
func (s scan) annotate(p parser.Parser) (ok bool) {
	diff := s.findDiffs()
	if tooDense(s.Source) {
		return false
	}
	defer func() { ok = recover() == nil }() // a text at which the parser panics must not end the program
	source := []byte(s.Source)
	for i, in := range diff { // the parser must not take lines of a diff for Markdown
		if in {
			for at := s.Lines[i].From; at < s.Lines[i].To; at++ {
				source[at] = ' '
			}
		}
	}
	root := p.Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return s.markBlock(n), nil
	})
	for i, in := range diff {
		if in {
			s.Lines[i].Code, s.Lines[i].Text, s.Lines[i].Signed = true, s.Lines[i].From, true
		}
	}
	return true
}

// markBlock marks the lines of one block, such as a heading or a table.
func (s scan) markBlock(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.Document, *ast.List, *ast.ListItem, *ast.Blockquote:
		return ast.WalkContinue
	case *ast.Heading:
		s.markProse(n)
		if i := s.lineAt(n.Pos()); i >= 0 {
			s.paint(n.Pos(), s.Lines[i].To, Bold)
			s.paint(n.Pos(), n.Pos()+s.countRun(n.Pos(), '#'), Dim)
		}
		for i := range n.Lines().Len() {
			s.paint(n.Lines().At(i).Start, n.Lines().At(i).Stop, Bold)
		}
	case *ast.Paragraph, *ast.TextBlock:
		s.markProse(n)
	case *ast.ThematicBreak:
		if i := s.lineAt(n.Pos()); i >= 0 {
			s.paint(n.Pos(), s.Lines[i].To, Dim)
		}
	case *ast.FencedCodeBlock:
		s.markFence(n)
	case *ast.CodeBlock:
		s.markCode(n)
	case *east.Table:
		s.markTable(n)
	}
	return ast.WalkSkipChildren
}

// markProse notes where the text of each line begins, and the marks within.
func (s scan) markProse(n ast.Node) {
	for i := range n.Lines().Len() {
		at := n.Lines().At(i).Start
		if l := s.lineAt(at); l >= 0 {
			s.Lines[l].Text = at
		}
	}
	if first := n.FirstChild(); first != nil && first.Kind() == east.KindTaskCheckBox {
		if l := s.lineAt(n.Lines().At(0).Start); l >= 0 {
			s.Lines[l].Text += len("[ ] ")
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.markInline(c)
	}
}

// markFence dims the signs of a fenced block of code. The name behind the first sign and the lines are left as they
// are.
func (s scan) markFence(n *ast.FencedCodeBlock) {
	open := s.lineAt(n.Pos())
	if open < 0 {
		return
	}
	sign := s.Source[n.Pos()]
	s.Lines[open].Code, s.Lines[open].Text = true, n.Pos()
	s.paint(n.Pos(), n.Pos()+s.countRun(n.Pos(), sign), Dim)
	s.markCode(n)
	end := open + 1
	if last := n.Lines().Len() - 1; last >= 0 {
		end = s.lineAt(n.Lines().At(last).Start) + 1
	}
	if end >= len(s.Lines) {
		return
	}
	l := &s.Lines[end]
	body := strings.TrimLeft(s.Source[l.From:l.To], " \t>")
	if signs := strings.TrimRight(body, " \t"); len(signs) >= 3 && strings.Trim(signs, string(sign)) == "" {
		l.Code, l.Text = true, l.To-len(body)
		s.paint(l.Text, l.To, Dim)
	}
}

// markCode marks the lines of a block of code, so that they use the whole width, and colours them if they are a diff.
func (s scan) markCode(n ast.Node) {
	var in []int
	var body []string
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		if l := s.lineAt(at.Start); l >= 0 && at.Start <= s.Lines[l].To {
			in = append(in, l)
			s.Lines[l].Code, s.Lines[l].Text = true, at.Start
			body = append(body, s.Source[at.Start:s.Lines[l].To])
		}
	}
	if !isDiff(body) {
		return
	}
	for i, l := range in {
		s.paint(s.Lines[l].Text, s.Lines[l].To, diffMark(body[i]))
		s.Lines[l].Signed = true
	}
}

// markTable marks a table's lines: its head is bold, its pipes are dim. They use the whole width, so that columns which
// the agent aligned stay aligned.
func (s scan) markTable(n *east.Table) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		i := s.lineAt(row.Pos())
		if i < 0 {
			continue
		}
		s.markRow(i, row)
		if row.Kind() == east.KindTableHeader {
			s.paint(row.Pos(), s.Lines[i].To, Bold)
			if i+1 < len(s.Lines) {
				s.markRow(i+1, nil)
			}
		}
	}
}

// markRow marks one line of a table; with a nil row the line of dashes below the head.
func (s scan) markRow(i int, row ast.Node) {
	l := &s.Lines[i]
	l.Code = true
	if row == nil {
		s.paint(l.Text, l.To, Dim)
		return
	}
	l.Text = row.Pos()
	for at := l.Text; at < l.To; at++ {
		escaped := at > 0 && s.Source[at-1] == '\\'
		if s.Source[at] == '|' && !escaped {
			s.paint(at, at+1, Dim)
		}
	}
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		for in := c.FirstChild(); in != nil; in = in.NextSibling() {
			s.markInline(in)
		}
	}
}
