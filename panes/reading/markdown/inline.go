package markdown

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// inline annotates one piece of prose and what is in it.
func (s scan) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Emphasis:
		mark := Italic
		if n.Level == 2 {
			mark = Bold
		}
		s.signed(s.start(n), s.end(n), n.Level, mark)
	case *east.Strikethrough:
		from, to := s.start(n.FirstChild()), s.end(n.LastChild())
		signs := min(s.run(to, '~'), 2)
		s.signed(from-signs, to+signs, signs, Strike)
	case *ast.Text:
		s.escapes(n.Segment.Start, n.Segment.Stop)
		s.hardBreak(n)
	case *ast.CodeSpan:
		s.codeSpan(n)
		return
	case *ast.Link:
		s.link(n, n.Destination, n.Reference != nil, false)
	case *ast.Image:
		s.link(n, n.Destination, n.Reference != nil, true)
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s.inline(c)
	}
}

// signed marks the text between so many signs, which stay, quiet: they might be a shell's.
func (s scan) signed(from, to, signs int, k Mark) {
	s.paint(from, from+signs, Dim)
	s.paint(from+signs, to-signs, k)
	s.paint(to-signs, to, Dim)
}

// escapedWords are words between escaped signs of emphasis: several of them, with no sign that a path or a pattern has.
// Compiling takes a millisecond, which would be every command's.
var escapedWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s("'])(\\[*_])` +
		`[\pL\pN][\pL\pN ,;'-]* [\pL\pN ,;'-]*[\pL\pN]` +
		`(\\[*_])(?:$|[\s)"'.,;:!?])`)
})

// escapes takes the backslashes away that keep words in asterisks from being emphasis. Every other one stays: it
// might be a shell's.
func (s scan) escapes(from, to int) {
	if !strings.Contains(s.Source[from:to], `\`) {
		return
	}
	for _, m := range escapedWords().FindAllStringSubmatchIndex(s.Source[from:to], -1) {
		if s.Source[from+m[2]+1] == s.Source[from+m[4]+1] {
			s.drop(from+m[2], from+m[2]+1)
			s.drop(from+m[4], from+m[4]+1)
		}
	}
}

// hardBreak takes the backslash away that ends a line of a sentence. Behind a space, or before what is no sentence, it
// stays: there it may continue a shell's command.
func (s scan) hardBreak(n *ast.Text) {
	at := n.Segment.Stop
	if !n.HardLineBreak() || at+2 >= len(s.Source) || s.Source[at:at+2] != "\\\n" {
		return
	}
	before, _ := utf8.DecodeLastRuneInString(s.Source[:at])
	after, _ := utf8.DecodeRuneInString(strings.TrimLeft(s.Source[at+2:], " >"))
	ends := wordy(before) || strings.ContainsRune(".,;:!?)…`", before) || strings.HasSuffix(s.Source[:at], "**")
	if ends && wordy(after) {
		s.drop(at, at+1)
	}
}

// codeSpan draws code bold.
func (s scan) codeSpan(n *ast.CodeSpan) {
	from := s.start(n)
	s.signed(from, s.end(n), s.run(from, '`'), Bold)
}

// run counts how often a sign is repeated from an offset on.
func (s scan) run(at int, sign byte) int {
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
		return to + min(s.run(to, '~'), 2)
	case *ast.CodeSpan:
		to := s.start(n) + s.run(s.start(n), '`')
		if last, ok := n.LastChild().(*ast.Text); ok {
			to = last.Segment.Stop
		}
		if to < len(s.Source) && s.Source[to] == ' ' || to < len(s.Source) && s.Source[to] == '\n' {
			to++
		}
		return to + s.run(s.start(n), '`')
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

// foreign reports a letter no shell pattern is made of, such as 日.
func foreign(r rune) bool { return r > unicode.MaxLatin1 && unicode.IsLetter(r) }

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// linkTarget matches the targets of links whose brackets are removed: code like `list[i](x)` keeps them.
var linkTarget = regexp.MustCompile(`^<?(?:[A-Za-z][A-Za-z0-9+.-]+:|www\.|\.{0,2}/|#|[\w.-]+/|[\w-]+\.\w)`)

// link shows `[text](target)` as `text <target>`, and behind the name of a reference what it leads to.
func (s scan) link(n ast.Node, target []byte, reference, image bool) {
	bracket, ok := n.AttributeString(attrBracket)
	end, ok2 := n.AttributeString(attrEnd)
	if !ok || !ok2 {
		return
	}
	from, mid, to := n.Pos(), bracket.(int), end.(int)
	if reference {
		s.replace(to, to, " <"+shownLine(string(target))+">")
		return
	}
	open := from + 1
	if image {
		open++
	}
	before, _ := utf8.DecodeLastRuneInString(s.Source[:from])
	if from > 0 && (wordy(before) && !foreign(before) || strings.ContainsRune("_)]",
		before)) || !linkTarget.Match(target) ||
		mid <= from || mid+2 > to || to > len(s.Source) || s.Source[mid:mid+2] != "](" || s.Source[to-1] != ')' {
		return
	}
	said := ""
	if image {
		said = "image: "
	}
	s.replace(from, open, said)
	if strings.HasPrefix(strings.TrimLeft(s.Source[mid+2:to], " \n"), "<") {
		s.replace(mid, mid+2, " ")
		s.replace(to-1, to, "")
	} else {
		s.replace(mid, mid+2, " <")
		s.replace(to-1, to, ">")
	}
}

// shownLine returns a target on one line; it was made visible with the text around it.
func shownLine(s string) string { return strings.Join(strings.Fields(s), " ") }
