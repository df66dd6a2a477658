package panes

import (
	"slices"
	"sort"
	"strings"
)

// lineKind says how a source line is laid out.
type lineKind uint8

const (
	kindProse  lineKind = iota
	kindCode            // uses all the width; a row that goes on says so
	kindRule            // a thematic break
	kindHidden          // a fence without words, or a table's line below its first
	kindTable           // the first line of a table, see sheet.tables
)

// sourceLine is one line of the text, as the parser annotated it.
type sourceLine struct {
	from, to int // without the newline
	kind     lineKind
	text     int // offset where its own text begins, behind indents, bullets and quote signs; lines wrap to there

	indent int  // of code: cells put before it
	signed bool // of code: its first character is a diff's sign
}

// edit replaces a piece of the source on screen.
type edit struct {
	from, to int
	put      string
}

// sheet is a text with what the parser said about it, at no width yet.
type sheet struct {
	source string
	lines  []sourceLine
	ink    []ink // of each byte
	edits  []edit
	gone   string               // what was taken away knowingly: it said nothing, or is said elsewhere
	tables map[int]*sourceTable // by the index of their first line
}

func newSheet(text string) *sheet {
	s := &sheet{source: text, ink: make([]ink, len(text)), tables: map[int]*sourceTable{}}
	from := 0
	for l := range strings.SplitSeq(text, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		s.lines = append(s.lines, sourceLine{from: from, to: from + len(l), text: from + indent})
		from += len(l) + 1
	}
	return s
}

// lineAt is the index of the line that holds an offset, -1 for none.
func (s *sheet) lineAt(offset int) int {
	if offset < 0 || offset > len(s.source) {
		return -1
	}
	return sort.Search(len(s.lines), func(i int) bool { return s.lines[i].from > offset }) - 1
}

// paint adds ink to a piece of the source.
func (s *sheet) paint(from, to int, k ink) {
	for i := max(from, 0); i < min(to, len(s.ink)); i++ {
		s.ink[i] |= k
	}
}

func (s *sheet) replace(from, to int, put string) { s.edits = append(s.edits, edit{from, to, put}) }

// drop takes a piece of the source away.
func (s *sheet) drop(from, to int) {
	s.replace(from, to, "")
	s.gone += s.source[from:to]
}

// asCode shows every line as it stands.
func (s *sheet) asCode() *sheet {
	for i := range s.lines {
		s.lines[i].kind, s.lines[i].text = kindCode, s.lines[i].from
	}
	return s
}

// layout is the sheet at w cells.
func (s *sheet) layout(w int) []Line {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return a.from - b.from })
	var out []Line
	for i, l := range s.lines {
		prose := min(w, proseWidth)
		switch l.kind {
		case kindHidden:
		case kindTable:
			out = append(out, s.tables[i].layout(s, s.prefix(l, w), w)...)
		case kindRule:
			before := s.prefix(l, w)
			out = append(out, plainLine(before+strings.Repeat("-", max(prose-Width(before), 1))))
		case kindCode:
			before, behind := s.hang(l, w)
			out = append(out, s.piece(l.from, l.to).wrapCode(before, behind, w)...)
		default:
			t := s.piece(l.from, l.to)
			if strings.TrimSpace(t.text) == "" && (len(out) == 0 || len(out[len(out)-1]) == 0) {
				continue // one blank line is as good as many
			}
			out = append(out, t.wrap(s.prefix(l, w), prose)...)
		}
	}
	for len(out) > 0 && len(out[len(out)-1]) == 0 {
		out = out[:len(out)-1]
	}
	return out
}

// prefix stands before the lines a source line wraps to: quote signs stay, the rest becomes space.
func (s *sheet) prefix(l sourceLine, w int) string {
	var b strings.Builder
	rest := s.source[l.from:max(min(l.text, l.to), l.from)]
	for _, r := range rest {
		switch r {
		case '>':
			b.WriteByte('>')
		case '\t':
			b.WriteString(tabStop)
		default:
			b.WriteString(strings.Repeat(" ", Width(string(r))))
		}
	}
	return Cut(b.String(), w/3, "")
}

// hang is what stands before and behind the sign of a row that goes on with a line of code. Its text begins deeper
// than the code above it, and a diff's sign column holds nothing but the sign: it can be taken for no other line.
func (s *sheet) hang(l sourceLine, w int) (before, behind string) {
	before = s.prefix(l, w) + strings.Repeat(" ", l.indent)
	code := s.source[min(l.text, l.to):l.to]
	if l.signed && code != "" {
		return before, strings.Repeat(" ", min(ownIndent(code[1:]), w/3)+2)
	}
	return before + strings.Repeat(" ", min(ownIndent(code), w/3)), " "
}

// ownIndent is the cells a line's own indent takes.
func ownIndent(l string) int {
	indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
	return len(strings.ReplaceAll(indent, "\t", tabStop))
}

// piece is a part of one line as it is shown: edits made, tabs as spaces.
func (s *sheet) piece(from, to int) inked {
	var t inker
	at := from
	first := sort.Search(len(s.edits), func(i int) bool { return s.edits[i].from >= from })
	for _, e := range s.edits[first:] {
		if e.from > to || e.to > to {
			break
		}
		if e.from < at {
			continue
		}
		t.add(s.source[at:e.from], s.ink[at:e.from])
		t.put(e.put)
		at = e.to
	}
	t.add(s.source[at:to], s.ink[at:to])
	return t.done()
}
