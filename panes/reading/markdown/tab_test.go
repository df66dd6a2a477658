package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestUntab_StopsAtColumns(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb": "a       b", "abcdefg\tb": "abcdefg b", "abcdefgh\tb": "abcdefgh        b", "\t\tx": strings.Repeat(" ", 16) + "x",
		"日本\tb": "日本    b", "no tab": "no tab", "a\t": "a       ", "": "",
	} {
		assert.Equal(t, want, Untab(in, 0), in)
	}
	assert.Equal(t, "  b", Untab("\tb", 6))
}

func TestPiece_HasTheColumnsOfItsLine(t *testing.T) {
	s := AsCode("x\nabc\tname\tvalue")
	s.paint(6, 11, Bold)
	assert.Equal(t, "abc     name    value", s.Piece(2, 16).Text)
	assert.Equal(t, "name    value", s.Piece(6, 16).Text)
	p := s.Piece(2, 16)
	assert.Len(t, p.Marks, len(p.Text))
	assert.Equal(t, []Mark{0, Bold, Bold}, []Mark{p.Marks[7], p.Marks[8], p.Marks[15]}, "the tab has the mark of its byte")
	assert.Equal(t, Mark(0), p.Marks[16])

	d := AsDiff("-a\tb\n+abcd\tb\n \tc\n@@ x\ty")
	for i, want := range []string{"-a       b", "+abcd    b", "         c"} {
		assert.Equal(t, want, d.Piece(d.Lines[i].From, d.Lines[i].To).Text, "behind the sign are the columns of the file")
	}
}
