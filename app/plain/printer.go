package plain

import (
	"fmt"
	"io"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// printer writes lines, and only lines: whatever is in them, nothing goes out that a terminal would act on.
type printer struct {
	out   io.Writer
	ascii bool       // the terminal shows nothing else
	width func() int // cells of a row; nil: rows have no end
	err   error
	held  bool // what is written waits in kept
	kept  []string
}

// hold keeps back what is written, since the lines are somebody else's for a while.
func (p *printer) hold() { p.held = true }

// release writes what was kept back.
func (p *printer) release() {
	p.held = false
	for _, text := range p.kept {
		p.write(text)
	}
	p.kept = nil
}

// alarm stands before what somebody must not miss.
const alarm = "! "

// goesOn indents the continued rows of this program's own lines; no such line begins with that indent.
const goesOn = "    "

// say writes one line.
func (p *printer) say(words string) {
	text, _ := queue.Visible(words)
	text = strings.TrimRight(strings.ReplaceAll(text, "\n", " "), " ")
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	p.rows(text[len(indent):], indent, indent+goesOn)
}

// bar stands before each line of an agent's text. No line of ours has it.
const bar = "| "

// block writes an agent's text, each line behind a mark that our own lines do not have. A row that goes on with a line
// has another one: it can be taken neither for a line of ours nor for the agent's next.
func (p *printer) block(mark, text string) {
	text, _ = queue.Visible(text)
	for l := range strings.Lines(strings.TrimRight(text, "\n")) {
		goesOn := strings.Repeat(" ", len(mark)-len(bar)) + "|… "
		p.rows(strings.TrimRight(strings.TrimSuffix(l, "\n"), " "), mark, goesOn)
	}
}

// rows writes a text behind first, in rows of the terminal's width; those after it begin with next.
func (p *printer) rows(text, first, next string) {
	if p.width == nil {
		p.write(strings.TrimRight(first+text, " "))
		return
	}
	if p.ascii {
		text, first, next = plainASCII(text), plainASCII(first), plainASCII(next)
	}
	w := max(p.width(), leastWidth)
	if len(next) > w/2 {
		next = strings.TrimLeft(next, " ")
	}
	for _, row := range fold(text, first, next, w) {
		p.write(strings.TrimRight(row, " "))
	}
}

func (p *printer) write(text string) {
	if p.ascii {
		text = plainASCII(text)
	}
	if p.held {
		p.kept = append(p.kept, text)
		return
	}
	if _, err := io.WriteString(p.out, text+"\n"); err != nil && p.err == nil {
		p.err = err
	}
}

var asciiOf = strings.NewReplacer("·", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-",
	"…", "...", "→", "->", "✓", "ok", "×", "x",
	"─", "-", "│", "|", "╭", "+", "╮", "+", "╰", "+", "╯", "+",
	"═", "=", "║", "|", "╔", "+", "╗", "+", "╚", "+", "╝", "+")

// plainASCII is a text for terminals that show nothing else; no character vanishes.
func plainASCII(s string) string {
	s = asciiOf.Replace(s)
	var b strings.Builder
	for _, r := range s {
		if r < 0x7f {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
