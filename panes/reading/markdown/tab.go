package markdown

import (
	"strings"

	"github.com/rivo/uniseg"
)

// tabStop is the number of cells between two tab stops: eight, as in every terminal, because that is where what agents
// copy from their tools lines up.
const tabStop = 8

// Untab returns a line with spaces in place of each tab, up to the next tab stop. The line begins in a column.
func Untab(line string, column int) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	for text := range strings.SplitAfterSeq(line, "\t") {
		before, tab := strings.CutSuffix(text, "\t")
		b.WriteString(before)
		column += uniseg.StringWidth(before)
		if tab {
			n := tabStop - column%tabStop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		}
	}
	return b.String()
}

// column returns the column in which an offset of the text is. Behind the sign of a diff the columns begin again, so
// that code has those of its file.
func (s *Sheet) column(offset int) int {
	at := s.lineAt(offset)
	if at < 0 {
		return 0
	}
	from := min(s.Lines[at].From+s.signAt(s.Lines[at].From), offset)
	return uniseg.StringWidth(Untab(s.Source[from:offset], 0))
}

// signAt returns the length of the sign of a diff that is at an offset: one or none.
func (s *Sheet) signAt(offset int) int {
	at := s.lineAt(offset)
	if at >= 0 && s.Lines[at].Signed && s.Lines[at].From == offset && offset < s.Lines[at].To &&
		strings.IndexByte("+- ", s.Source[offset]) >= 0 {
		return 1
	}
	return 0
}
