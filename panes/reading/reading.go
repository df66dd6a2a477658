// Package reading lays an agent's Markdown out in cells.
//
//	text ─ queue.Visible ─ markdown.Parse ─ Sheet: the source's own lines, annotated ─ layout ─ []ink.Line
//
// The person approves commands by reading this text, so it is styled but never rewritten: every line and every
// character of it is shown, and Markdown's signs are only dimmed. Only the rows are this package's choice: a long line
// continues in further rows, and several blank lines become one.
package reading

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading/markdown"
	"github.com/choicetui/choicetui/panes/say"
)

// leastMarkdown is the least width for which text is laid out, because a wide character must fit.
const leastMarkdown = 2

// Markdown lays an agent's text out in lines of at most w cells: prose at a readable width; code and tables use the
// whole width.
func Markdown(text string, w int) []ink.Line { return read(text, w, markdown.Parse) }

// Inline lays out a description, in which only emphasis, code and links have a meaning.
func Inline(text string, w int) []ink.Line { return read(text, w, markdown.ParseInline) }

// Code lays an agent's text out unchanged and in full: a long line continues in further rows, which begin with a sign.
func Code(text string, w int) []ink.Line { return asCode(text, w, markdown.AsCode) }

// Diff lays a diff out as Code does, with each line in the colour of its sign.
func Diff(text string, w int) []ink.Line { return asCode(text, w, markdown.AsDiff) }

// asCode lays out a text as lines of code. parse returns the sheet of the text.
func asCode(text string, w int, parse func(string) *markdown.Sheet) []ink.Line {
	return layout(parse(strings.TrimRight(say.Text(text), "\n \t")), max(w, leastMarkdown))
}

// read lays out a text that parse reads as Markdown. If parse fails, the text is shown unchanged.
func read(text string, w int, parse func(string) (*markdown.Sheet, bool)) []ink.Line {
	w = max(w, leastMarkdown)
	text = strings.TrimRight(say.Text(text), "\n \t")
	if text == "" {
		return nil
	}
	if s, ok := parse(text); ok {
		return layout(s, w)
	}
	return layout(markdown.AsCode(text), w)
}

// ProseWidth is the most cells of a row of prose; code, diffs and tables use the whole width.
const ProseWidth = 88

// layout wraps a text at w cells.
func layout(s *markdown.Sheet, w int) []ink.Line {
	var out []ink.Line
	for _, l := range s.Lines {
		t := s.Piece(l.From, l.To)
		switch blank := strings.TrimSpace(t.Text) == ""; {
		case l.Code:
			before, behind := hang(s, l, w)
			out = append(out, wrapCode(t, before, behind, w)...)
		case blank && (len(out) == 0 || len(out[len(out)-1]) == 0): // several blank lines become one
		default:
			out = append(out, wrap(t, prefix(s, l, w), min(w, ProseWidth))...)
		}
	}
	for len(out) > 0 && len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// prefix returns the text before each row of a wrapped source line: quote signs stay, everything else becomes space.
func prefix(s *markdown.Sheet, l markdown.Line, w int) string {
	var b strings.Builder
	rest := s.Source[l.From:max(min(l.Text, l.To), l.From)]
	for _, r := range rest {
		switch r {
		case '>':
			b.WriteByte('>')
		case '\t':
			at := ink.Width(b.String())
			b.WriteString(markdown.Untab("\t", at))
		default:
			b.WriteString(strings.Repeat(" ", ink.Width(string(r))))
		}
	}
	return ink.Cut(b.String(), w/3, "")
}

// hang returns the text before and after the sign of a row that continues a line of code. The row is indented deeper
// than the code above it, and has nothing in the column of a diff's signs, so that nobody takes it for a line of its
// own.
func hang(s *markdown.Sheet, l markdown.Line, w int) (before, behind string) {
	before = prefix(s, l, w)
	code := s.Source[min(l.Text, l.To):l.To]
	if l.Signed && code != "" {
		return before, strings.Repeat(" ", min(ownIndent(code[1:]), w/3)+2)
	}
	return before + strings.Repeat(" ", min(ownIndent(code), w/3)), " "
}

// ownIndent returns the cells a line's own indent takes.
func ownIndent(l string) int {
	indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
	return len(markdown.Untab(indent, 0))
}
