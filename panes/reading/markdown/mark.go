package markdown

import (
	"strings"
)

// Mark says how one byte of a text is drawn.
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

// TabStop replaces a tab.
const TabStop = "    "

// Piece is a text of one line with the marks of each byte.
type Piece struct {
	Text  string
	Marks []Mark
}

// Builder builds a Piece.
type Builder struct {
	text  strings.Builder
	marks []Mark
}

// Add appends a piece of the source; tabs become spaces.
func (b *Builder) Add(s string, k []Mark) {
	for i := strings.IndexByte(s, '\t'); i >= 0; i = strings.IndexByte(s, '\t') {
		b.text.WriteString(s[:i] + TabStop)
		b.marks = append(append(b.marks, k[:i]...), k[i], k[i], k[i], k[i])
		s, k = s[i+1:], k[i+1:]
	}
	b.text.WriteString(s)
	b.marks = append(b.marks, k...)
}

// Put appends words of ours.
func (b *Builder) Put(s string) {
	b.text.WriteString(s)
	b.marks = append(b.marks, make([]Mark, len(s))...)
}

// Done returns the piece built so far.
func (b *Builder) Done() Piece { return Piece{b.text.String(), b.marks} }
