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
	for i, l := range s.Lines {
		prose := min(w, ProseWidth)
		switch l.Kind {
		case markdown.KindHidden:
		case markdown.KindTable:
			out = append(out, layoutTable(s, s.Tables[i], prefix(s, l, w), w)...)
		case markdown.KindRule:
			before := prefix(s, l, w)
			out = append(out, ink.PlainLine(before+strings.Repeat("-", max(prose-ink.Width(before), 1))))
		case markdown.KindCode:
			before, behind := hang(s, l, w)
			out = append(out, wrapCode(s.Piece(l.From, l.To), before, behind, w)...)
		default:
			t := s.Piece(l.From, l.To)
			if strings.TrimSpace(t.Text) == "" && (len(out) == 0 || len(out[len(out)-1]) == 0) {
				continue // one blank line is as good as many
			}
			out = append(out, wrap(t, prefix(s, l, w), prose)...)
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
	before = prefix(s, l, w) + strings.Repeat(" ", l.Indent)
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
