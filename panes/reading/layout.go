package reading

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading/markdown"
)

// ProseWidth is the most cells of prose; code, diffs and tables use all.
const ProseWidth = 88

// layout returns a text at w cells.
func layout(s *markdown.Sheet, w int) []ink.Line {
	var out []ink.Line
	for _, l := range s.Lines {
		t := s.Piece(l.From, l.To)
		switch blank := strings.TrimSpace(t.Text) == ""; {
		case l.Code:
			before, behind := hang(s, l, w)
			out = append(out, wrapCode(t, before, behind, w)...)
		case blank && (len(out) == 0 || len(out[len(out)-1]) == 0): // one blank line is as good as many
		default:
			out = append(out, wrap(t, prefix(s, l, w), min(w, ProseWidth))...)
		}
	}
	for len(out) > 0 && len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// prefix returns the text before the lines a source line wraps to: quote signs stay, the rest becomes space.
func prefix(s *markdown.Sheet, l markdown.Line, w int) string {
	var b strings.Builder
	rest := s.Source[l.From:max(min(l.Text, l.To), l.From)]
	for _, r := range rest {
		switch r {
		case '>':
			b.WriteByte('>')
		case '\t':
			b.WriteString(markdown.TabStop)
		default:
			b.WriteString(strings.Repeat(" ", ink.Width(string(r))))
		}
	}
	return ink.Cut(b.String(), w/3, "")
}

// hang returns the text before and after the sign of a row that continues a line of code. Its text begins deeper than
// the code above it, and a diff's sign column holds nothing but the sign: it can be taken for no other line.
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
	return len(strings.ReplaceAll(indent, "\t", markdown.TabStop))
}
