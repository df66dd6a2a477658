// Package markdown reads an agent's text: which lines are prose, code, a table or a diff, and which bytes are bold.
//
//	text made visible ─ findDiffs (unfenced ones) ─ goldmark ─ Sheet: the source's own lines, annotated
//
// It knows no width and no cells; package reading lays a Sheet out.
package markdown

import (
	"slices"
	"sort"
	"strings"
)

// Kind says how a source line is laid out.
type Kind uint8

// Kinds of lines.
const (
	KindProse  Kind = iota
	KindCode        // uses all the width; a continued row says so
	KindRule        // a thematic break
	KindHidden      // a fence without words, or a table's line below its first
	KindTable       // the first line of a table, see Sheet.Tables
)

// Line is one line of the text, as the parser annotated it.
type Line struct {
	From, To int // without the newline
	Kind     Kind
	Text     int // offset where its own text begins, behind indents, bullets and quote signs; lines wrap to there

	Indent int  // of code: cells put before it
	Signed bool // of code: its first character is a diff's sign
}

// edit replaces a piece of the source on screen.
type edit struct {
	from, to int
	put      string
}

// Sheet is a text with what the parser said about it, at no width yet.
type Sheet struct {
	Source string
	Lines  []Line
	marks  []Mark // of each byte
	edits  []edit
	Gone   string         // what was taken away knowingly: it said nothing, or is said elsewhere
	Tables map[int]*Table // by the index of their first line
}

func newSheet(text string) *Sheet {
	s := &Sheet{Source: text, marks: make([]Mark, len(text)), Tables: map[int]*Table{}}
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

// paint adds a mark to a piece of the source.
func (s *Sheet) paint(from, to int, k Mark) {
	for i := max(from, 0); i < min(to, len(s.marks)); i++ {
		s.marks[i] |= k
	}
}

func (s *Sheet) replace(from, to int, put string) { s.edits = append(s.edits, edit{from, to, put}) }

// drop takes a piece of the source away.
func (s *Sheet) drop(from, to int) {
	s.replace(from, to, "")
	s.Gone += s.Source[from:to]
}

// AsCode returns a text whose every line is shown unchanged.
func AsCode(text string) *Sheet {
	s := newSheet(text)
	for i := range s.Lines {
		s.Lines[i].Kind, s.Lines[i].Text = KindCode, s.Lines[i].From
	}
	return s
}

// AsDiff is AsCode of a diff.
func AsDiff(text string) *Sheet {
	s := AsCode(text)
	for i, l := range s.Lines {
		s.Lines[i].Signed = true
		s.paint(l.From, l.To, diffMark(text[l.From:l.To]))
	}
	return s
}

// sortEdits puts the edits in the order of the text, as Piece wants them.
func (s *Sheet) sortEdits() {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
}

// Piece returns a part of one line as it is shown: edits made, tabs as spaces.
func (s *Sheet) Piece(from, to int) Piece {
	var t Builder
	at := from
	first := sort.Search(len(s.edits), func(i int) bool { return s.edits[i].from >= from })
	for _, e := range s.edits[first:] {
		if e.from > to || e.to > to {
			break
		}
		if e.from < at {
			continue
		}
		t.Add(s.Source[at:e.from], s.marks[at:e.from])
		t.Put(e.put)
		at = e.to
	}
	t.Add(s.Source[at:to], s.marks[at:to])
	return t.Done()
}
