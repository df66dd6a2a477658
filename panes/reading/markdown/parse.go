package markdown

import (
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// blocks is the parser of prompts, inlines the one of descriptions; made when first needed, then shared: it keeps
// nothing of what it reads.
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

// Parse reads a prompt; false: it must be shown unchanged.
func Parse(text string) (*Sheet, bool) {
	return parse(text, blocks())
}

// ParseInline reads emphasis, code and links only; false: the text must be shown unchanged.
func ParseInline(text string) (*Sheet, bool) {
	return parse(text, inlines())
}

func parse(text string, p parser.Parser) (*Sheet, bool) {
	s := newSheet(text)
	ok := scan{s}.annotate(p)
	s.sortEdits()
	return s, ok
}

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

// linkParser notes where a link's text and the link end, which goldmark keeps to itself.
type linkParser struct{ parser.InlineParser }

const (
	attrBracket = "bracket" // offset of the bracket that closes the text
	attrEnd     = "end"     // offset behind the link
)

// Parse implements parser.InlineParser.
func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, before := block.Position()
	n := p.InlineParser.Parse(parent, block, pc)
	if n != nil && (n.Kind() == ast.KindLink || n.Kind() == ast.KindImage) {
		_, after := block.Position()
		n.SetAttributeString(attrBracket, before.Start)
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

// Beyond these a text is no prose but an attempt to keep the parser busy: it is shown as it is.
const (
	mostNesting  = 40   // quote signs and bullets in front of one line
	mostBrackets = 3000 // and delimiters, in all
)

func tooDense(s string) bool {
	n := 0
	for l := range strings.SplitSeq(s, "\n") {
		body := strings.TrimLeft(l, " \t>-+*0123456789.)")
		if front := l[:len(l)-len(body)]; len(strings.Fields(front)) > mostNesting || strings.Count(front,
			">") > mostNesting {
			return true
		}
		n += strings.Count(l, "[") + strings.Count(l, "*") + strings.Count(l, "_") + strings.Count(l,
			"`") + strings.Count(l, "~") + strings.Count(l, "<")
	}
	return n > mostBrackets
}

// scan goes once through the parser's result: each block and each piece of prose is put on the sheet.
type scan struct{ *Sheet }

// annotate lets the parser say what the lines are; false: they must be shown unchanged.
func (s scan) annotate(p parser.Parser) (ok bool) {
	diff := s.findDiffs()
	if tooDense(s.Source) {
		return false
	}
	defer func() { ok = recover() == nil }() // a text that breaks the parser must not take the screen with it
	source := []byte(s.Source)
	for i, in := range diff { // what is a diff is nothing else: the parser sees empty lines
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
		return s.block(n), nil
	})
	for i, in := range diff {
		if in {
			s.Lines[i].Kind, s.Lines[i].Text, s.Lines[i].Signed = KindCode, s.Lines[i].From, true
		}
	}
	return true
}

// block annotates the lines of one block.
func (s scan) block(n ast.Node) ast.WalkStatus {
	switch n := n.(type) {
	case *ast.Document, *ast.List, *ast.ListItem, *ast.Blockquote:
		return ast.WalkContinue
	case *ast.Heading:
		s.prose(n)
		if i := s.lineAt(n.Pos()); i >= 0 {
			s.paint(n.Pos(), s.Lines[i].To, Bold)
			s.paint(n.Pos(), n.Pos()+s.run(n.Pos(), '#'), Dim)
		}
		for i := range n.Lines().Len() {
			s.paint(n.Lines().At(i).Start, n.Lines().At(i).Stop, Bold)
		}
	case *ast.Paragraph, *ast.TextBlock:
		s.prose(n)
	case *ast.ThematicBreak:
		s.rule(n)
	case *ast.FencedCodeBlock:
		s.fence(n)
	case *ast.CodeBlock:
		s.code(n, 0)
	case *east.Table:
		s.table(n)
	}
	return ast.WalkSkipChildren
}

// prose notes where the text of each line begins, and the marks within.
func (s scan) prose(n ast.Node) {
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
		s.inline(c)
	}
}

func (s scan) rule(n ast.Node) {
	i := s.lineAt(n.Pos())
	if i < 0 {
		return
	}
	if l := &s.Lines[i]; strings.Trim(s.Source[n.Pos():l.To],
		" \t-*_") == "" && strings.Trim(s.Source[l.From:n.Pos()], " \t>") == "" {
		l.Kind, l.Text = KindRule, n.Pos()
	}
}

// fence shows a fenced block: its words as a caption, its lines indented.
func (s scan) fence(n *ast.FencedCodeBlock) {
	open := s.lineAt(n.Pos())
	if open < 0 {
		return
	}
	l := &s.Lines[open]
	sign := s.Source[n.Pos()]
	body := strings.TrimLeft(strings.TrimLeft(s.Source[n.Pos():l.To], string(sign)), " \t")
	if strings.TrimSpace(body) == "" && strings.Trim(s.Source[l.From:n.Pos()], " \t>") == "" {
		s.hide(l)
	} else {
		l.Text = n.Pos()
		s.replace(n.Pos(), l.To-len(body), "")
		s.replace(l.To, l.To, ":")
	}
	s.code(n, 2)
	s.fileName(n, open)
	last := open
	if n.Lines().Len() > 0 {
		last = s.lineAt(n.Lines().At(n.Lines().Len() - 1).Start)
	}
	if end := last + 1; end < len(s.Lines) {
		l := &s.Lines[end]
		if t := strings.TrimLeft(s.Source[l.From:l.To], " \t>"); len(t) >= 3 && strings.Trim(t,
			string(sign)+" \t") == "" && t[0] == sign {
			s.hide(l)
		}
	}
}

// hide leaves a line out that says nothing, the quote signs before it too.
func (s scan) hide(l *Line) {
	l.Kind = KindHidden
	s.Gone += s.Source[l.From:l.To]
}

// fileName puts the name of the file a diff is of in the place of the word diff, where its header names one file
// only, and nothing else.
func (s scan) fileName(n *ast.FencedCodeBlock, open int) {
	if n.Lines().Len() < 3 || n.Info == nil {
		return
	}
	if strings.TrimSpace(string(n.Info.Segment.Value([]byte(s.Source)))) != "diff" {
		return
	}
	first, second := s.lineAt(n.Lines().At(0).Start), s.lineAt(n.Lines().At(1).Start)
	was, ok := strings.CutPrefix(s.Source[n.Lines().At(0).Start:s.Lines[first].To], "--- ")
	now, ok2 := strings.CutPrefix(s.Source[n.Lines().At(1).Start:s.Lines[second].To], "+++ ")
	if a, b := strings.HasPrefix(was, "a/"), strings.HasPrefix(now, "b/"); a && b {
		was, now = was[2:], now[2:]
	}
	if !ok || !ok2 || was != now || strings.TrimSpace(was) == "" || strings.ContainsAny(was, "\t") {
		return
	}
	s.hide(&s.Lines[first])
	s.hide(&s.Lines[second])
	s.Gone += "diff"
	s.edits = slices.DeleteFunc(s.edits, func(e edit) bool { return e.from >= n.Pos() && e.to <= s.Lines[open].To })
	s.replace(n.Pos(), s.Lines[open].To, was)
}

// code gives the lines of a block of code all the width, the colours of a diff where it is one, and an indent.
func (s scan) code(n ast.Node, indent int) {
	var in []int
	var body []string
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		if l := s.lineAt(at.Start); l >= 0 && at.Start <= s.Lines[l].To {
			in = append(in, l)
			s.Lines[l].Kind, s.Lines[l].Text, s.Lines[l].Indent = KindCode, at.Start, indent
			s.replace(at.Start, at.Start, strings.Repeat(" ", indent))
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
