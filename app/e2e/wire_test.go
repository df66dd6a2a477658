package e2e

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
)

// wire is a terminal on the strict side: it draws what choicetui sends, and notes every sequence that tcell has no
// reason to send while the dashboard draws. Text that an agent wrote must never become one.
type wire struct {
	w, h, x, y int
	cells      [][]string // "" is a blank, and the right half of a wide character
	rest       []byte     // an unfinished sequence
	text       []byte     // printed since the cursor was last placed: one character may come in several reads
	begun      int        // where in text the last character begins
	alien      []string
	modes      map[string]bool
	wiped      int // how often the screen was cleared
}

func newWire(w, h int) *wire {
	v := &wire{modes: map[string]bool{}}
	v.resize(w, h)
	return v
}

func (v *wire) resize(w, h int) {
	v.w, v.h, v.x, v.y = w, h, 0, 0
	v.cells = make([][]string, h)
	for y := range v.cells {
		v.cells[y] = make([]string, w)
	}
}

// own are the sequences tcell sends for the dashboard. Of colours there are only those of the roles in panes/ink, out of
// the terminal's sixteen, and the ones in a hostile ask are others.
var own = regexp.MustCompile(`^\x1b(?:` +
	`\[(\d+);(\d+)H|\[H|` + // 1, 2: the cursor is placed
	`(\[2J)|` + // 3: the screen is cleared
	`\[(?:[123479])?m|` + // bold, dim, italic, underlined, reverse, struck; back to normal
	`\[(?:32|91|36|39;49|38;5;231;48;5;24)m|\(B|` + // colours of the roles; none; the cursor row
	`\[(?:35|94|33|38;5;(?:98|33|65|136|169|30))m|` + // colours of agents' names
	`\[\?(1|7|12|25|1000|1002|1003|1004|1006|1049|2004|2026|9001)([hl])|` + // 4, 5: modes
	`\[(\d+)X|\[(\d+)C|` + // 6, 7: cells are erased; the cursor goes to the right
	`\[\?1007[hlsr]|` + // the wheel, and back to what it was
	`\[0 q|` + // the cursor's own shape
	`\[22;0;0t|\[23;0;0t|\[2[23];2t|\[>4;[02]m|\[>1u|\[<u|=|>|` + // on and off: titles kept, keys told apart
	`\[>2t|\]2;(?:choicetui(?:: \d+ waiting)?)?\x1b\\` + // the title: how many wait, and none at the end
	`)`)

// cut is a sequence that has not come whole.
var cut = regexp.MustCompile(`^\x1b(?:\[[0-9;?<>=]*[ -/]*|\(|[\]PX^_][^\x07\x1b]*\x1b?)?$`)

// whole is any sequence at all, to name an alien by.
var whole = regexp.MustCompile(`^\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])`)

func (v *wire) write(b []byte) {
	b = append(v.rest, b...)
	for len(b) > 0 {
		n := v.step(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	v.rest = append([]byte(nil), b...)
}

// step takes one sequence or character; 0: it is not whole yet.
func (v *wire) step(b []byte) int {
	if b[0] == '\x1b' {
		if cut.Match(b) {
			return 0
		}
		v.text, v.begun = v.text[:0], 0
		if m := own.FindSubmatch(b); m != nil {
			v.obey(m)
			return len(m[0])
		}
		n := max(len(whole.Find(b)), 1)
		v.alien = append(v.alien, fmt.Sprintf("%q", b[:n]))
		return n
	}
	if !utf8.FullRune(b) {
		return 0
	}
	if b[0] == '\b' && v.backs() {
		return 1
	}
	r, n := utf8.DecodeRune(b)
	if name := forbidden(r, n); name != "" {
		v.alien = append(v.alien, name)
		return n
	}
	v.print(b[:n])
	return n
}

// backs takes one of the two backspaces that tcell sends behind two blanks, to wipe what a wide character will cover.
func (v *wire) backs() bool {
	if !bytes.HasSuffix(v.text, []byte("  ")) && !bytes.HasSuffix(v.text, []byte("  \b")) || v.x == 0 {
		return false
	}
	v.text = append(v.text, '\b')
	v.begun = len(v.text)
	v.x--
	return true
}

func (v *wire) obey(m [][]byte) {
	switch {
	case len(m[1]) > 0:
		v.y, v.x = atoi(m[1])-1, atoi(m[2])-1
	case string(m[0]) == "\x1b[H":
		v.x, v.y = 0, 0
	case len(m[3]) > 0:
		v.resize(v.w, v.h)
		v.wiped++
	case len(m[4]) > 0:
		v.modes[string(m[4])] = m[5][0] == 'h'
	case len(m[6]) > 0:
		for i := v.x; i < min(v.x+atoi(m[6]), v.w) && v.y >= 0 && v.y < v.h; i++ {
			v.cells[v.y][i] = " "
		}
	case len(m[7]) > 0:
		v.x = min(v.x+atoi(m[7]), v.w)
	}
}

func atoi(b []byte) int {
	n, _ := strconv.Atoi(string(b))
	return n
}

// print puts a character where the cursor is; one that joins the character before it goes into its cell.
func (v *wire) print(b []byte) {
	last := len(v.text)
	v.text = append(v.text, b...)
	joins := last > v.begun && uniseg.GraphemeClusterCount(string(v.text[v.begun:])) == 1
	if !joins {
		v.begun = last
	}
	if v.y < 0 || v.y >= v.h {
		v.alien = append(v.alien, fmt.Sprintf("%q in row %d", b, v.y+1))
		return
	}
	if joins {
		if x := v.x - 1; x >= 0 {
			if v.cells[v.y][x] == "" && x > 0 { // behind a wide one
				x--
			}
			v.cells[v.y][x] += string(b)
		}
		return
	}
	wide := uniseg.StringWidth(string(b))
	if v.x < 0 || v.x+wide > v.w {
		v.alien = append(v.alien, fmt.Sprintf("%q beyond column %d", b, v.w))
		return
	}
	for i := range wide {
		v.cells[v.y][v.x+i] = ""
	}
	v.cells[v.y][v.x] = string(b)
	v.x += wide
}

// forbidden names a character that must not reach a terminal: it steers it, hides itself, or turns the reading order.
func forbidden(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "invalid UTF-8"
	case r < ' ', r == 0x7f:
		return fmt.Sprintf("control %U", r)
	case r >= 0x80 && r <= 0x9f:
		return fmt.Sprintf("C1 %U", r)
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
		return fmt.Sprintf("bidi %U", r)
	case r == 0x200b, r == 0x200c, r == 0x2060, r == 0xfeff, r == 0x00ad, r == 0x180e, r >= 0xe0000 && r <= 0xe0fff:
		return fmt.Sprintf("zero width %U", r)
	case r == 0x2028, r == 0x2029:
		return fmt.Sprintf("line break %U", r)
	}
	return ""
}

// rows are the screen's rows without trailing blanks.
func (v *wire) rows() []string {
	rows := make([]string, v.h)
	for y, cells := range v.cells {
		var b strings.Builder
		for x := 0; x < len(cells); x++ {
			switch len(cells[x]) {
			case 0:
				b.WriteByte(' ')
				continue
			case 1: // most are, and to measure each would be most of a look at the screen
				b.WriteString(cells[x])
				continue
			}
			b.WriteString(cells[x])
			x += max(uniseg.StringWidth(cells[x]), 1) - 1
		}
		rows[y] = strings.TrimRight(b.String(), " ")
	}
	return rows
}

func (v *wire) String() string { return strings.Join(v.rows(), "\n") }

func TestWireTellsOursFromAliens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, sent, screen, alien string }{
		{"plain", "\x1b[2;3Hab\x1b[1mc", "\n  abc\n", ""},
		{"wide", "\x1b[1;1H漢x\x1b[1;3Hy", "漢y\n\n", ""},
		{"joined", "\x1b[1;1He\u0301x", "e\u0301x\n\n", ""},
		{"wide over two", "\x1b[1;1Hab\x1b[1;1H  \b\b漢x", "漢x\n\n", ""},
		{"backspace", "ab\b\bcd", "abcd\n\n", "control U+0008,control U+0008"},
		{"one emoji", "\x1b[1;1H👩\u200d🔬\x1b[1;3Hx", "👩\u200d🔬x\n\n", ""},
		{"clipboard", "\x1b]52;c;aGk=\x07a", "a\n\n", `"\x1b]52;c;aGk=\a"`},
		{"colour of an ask", "\x1b[38;5;9ma", "a\n\n", `"\x1b[38;5;9m"`},
		{"a role's colour", "\x1b[36ma\x1b[39;49m", "a\n\n", ""},
		{"one of the sixteen that no role has", "\x1b[93ma", "a\n\n", `"\x1b[93m"`},
		{"C1", "a\u009b31m", "a31m\n\n", "C1 U+009B"},
		{"bidi", "a\u202eb", "ab\n\n", "bidi U+202E"},
		{"newline", "a\nb", "ab\n\n", "control U+000A"},
		{"half a rune", "a\xffb", "ab\n\n", "invalid UTF-8"},
		{"off the screen", "\x1b[1;10Hab", "         a\n\n", `"b" beyond column 10`},
		{"reset", "\x1bca", "a\n\n", `"\x1bc"`},
	} {
		for _, size := range []int{1, 100} { // also when every byte comes alone
			v := newWire(10, 3)
			for b := []byte(c.sent); len(b) > 0; b = b[min(size, len(b)):] {
				v.write(b[:min(size, len(b))])
			}
			assert.Equal(t, c.screen, v.String(), c.name)
			if c.alien == "" {
				assert.Empty(t, v.alien, c.name)
			} else {
				assert.Equal(t, c.alien, strings.Join(v.alien, ","), c.name)
			}
		}
	}
}
