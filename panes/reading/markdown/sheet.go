// Package markdown reads an agent's text: which lines are prose, code, a table or a diff, and which bytes are bold.
//
//	text made visible ─ findDiffs (unfenced ones) ─ goldmark ─ Sheet: the source's own lines, annotated
//
// It knows no width and no cells; package reading lays a Sheet out.
package markdown

import (
	"sort"
	"strings"

	"github.com/rivo/uniseg"
)

// Line is one line of the text, as the parser annotated it.
type Line struct {
	From, To int  // offsets of the line, without the newline
	Text     int  // offset of the text behind indents, bullets and quote signs; wrapped rows begin below it
	Code     bool // the line uses the whole width; a row that continues it begins with a sign
	Signed   bool // a line of code that begins with the + or - of a diff
}

// Sheet is a text as it was received, with the style of each byte, such as bold. It is not wrapped yet. Source keeps
// every character, also Markdown signs such as **.
type Sheet struct {
	Source string
	Lines  []Line
	marks  []Mark // the marks of each byte
}

// newSheet returns a sheet of a text that has no marks yet.
func newSheet(text string) *Sheet {
	s := &Sheet{Source: text, marks: make([]Mark, len(text))}
	from := 0
	for l := range strings.SplitSeq(text, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		s.Lines = append(s.Lines, Line{From: from, To: from + len(l), Text: from + indent})
		from += len(l) + 1
	}
	return s
}

// lineAt returns the index of the line that holds an offset, -1 for none.
func (s *Sheet) lineAt(offset int) int {
	if offset < 0 || offset > len(s.Source) {
		return -1
	}
	return sort.Search(len(s.Lines), func(i int) bool { return s.Lines[i].From > offset }) - 1
}

// paint adds a mark to the bytes of the source between two offsets.
func (s *Sheet) paint(from, to int, k Mark) {
	for i := max(from, 0); i < min(to, len(s.marks)); i++ {
		s.marks[i] |= k
	}
}

// AsCode returns a text whose every line is shown unchanged.
func AsCode(text string) *Sheet {
	s := newSheet(text)
	for i := range s.Lines {
		s.Lines[i].Code, s.Lines[i].Text = true, s.Lines[i].From
	}
	return s
}

// AsDiff returns a diff as AsCode does, with the marks of its lines. Most lines have a +, a - or a space before
// their text.
func AsDiff(text string) *Sheet {
	s := AsCode(text)
	for i, l := range s.Lines {
		s.Lines[i].Signed = true
		s.paint(l.From, l.To, diffMark(text[l.From:l.To]))
	}
	return s
}

// Piece returns a part of one line with its marks. In place of tabs it has spaces up to the next tab stop; see Untab.
func (s *Sheet) Piece(from, to int) (p Piece) {
	text, marks := s.Source[from:to], s.marks[from:to]
	if !strings.Contains(text, "\t") {
		return Piece{text, marks}
	}
	column := s.column(from)
	if signs := s.signAt(from); signs > 0 {
		p.Text, p.Marks, column = text[:signs], append(p.Marks, marks[:signs]...), 0
		text, marks = text[signs:], marks[signs:]
	}
	for rest := text; rest != ""; {
		before, behind, tab := strings.Cut(rest, "\t")
		if p.Marks = append(p.Marks, marks[:len(before)]...); !tab {
			p.Text += before
			return p
		}
		cells := Untab(before+"\t", column)
		for range len(cells) - len(before) {
			p.Marks = append(p.Marks, marks[len(before)])
		}
		p.Text += cells
		column += uniseg.StringWidth(cells)
		rest, marks = behind, marks[len(before)+1:]
	}
	return p
}

// Mark describes how one byte of a text is drawn.
type Mark uint8

// Marks; a byte may have several.
const (
	Bold Mark = 1 << iota
	Italic
	Strike
	Dim
	Good
	Danger
)

// Piece is a text of one line with the marks of each byte.
type Piece struct {
	Text  string
	Marks []Mark
}
