package plain

import (
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// printer writes plain lines. Whatever a text contains, nothing goes out that a terminal would act on.
type printer struct {
	out   io.Writer
	ascii bool       // the terminal shows only ASCII
	width func() int // cells of a row; nil: rows have no end
	err   error
	held  bool // whether lines are collected in kept for now
	kept  []string
}

// hold collects what is written until release, because another program has the terminal for a while.
func (p *printer) hold() { p.held = true }

// release writes what was collected since hold.
func (p *printer) release() {
	p.held = false
	for _, text := range p.kept {
		p.write(text)
	}
	p.kept = nil
}

// alarm precedes a line that the person must not miss.
const alarm = "! "

// continues is the indentation of the continued rows of this program's own lines. No line of ours begins with it.
const continues = "    "

// say writes one line of this program's own words.
func (p *printer) say(words string) {
	text, _ := queue.Visible(words)
	text = strings.TrimRight(strings.ReplaceAll(text, "\n", " "), " ")
	indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
	p.writeRows(text[len(indent):], indent, indent+continues)
}

// bar precedes each line of an agent's text. No line of our own contains it.
const bar = "| "

// block writes an agent's text, each line behind a prefix that no line of ours has. The continued rows of a long line
// get another prefix, so that they pass neither for our words nor for the agent's next line.
func (p *printer) block(prefix, text string) {
	text, _ = queue.Visible(text)
	for l := range strings.Lines(strings.TrimRight(text, "\n")) {
		continued := strings.Repeat(" ", len(prefix)-len(bar)) + "|… "
		p.writeRows(strings.TrimRight(strings.TrimSuffix(l, "\n"), " "), prefix, continued)
	}
}

// writeRows writes a text in rows of the terminal's width: the first row begins with first, each other row with next.
// Tabs become spaces there, because behind first they would end in other columns.
func (p *printer) writeRows(text, first, next string) {
	if p.width == nil {
		p.write(strings.TrimRight(first+text, " "))
		return
	}
	text = ink.Untab(text)
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

// write writes one row, or keeps it while another program has the terminal.
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

// plainASCII replaces every character that an ASCII terminal cannot show. None is dropped.
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

// leastWidth is the least width, in cells, for which lines are folded. A narrower terminal breaks lines on its own.
const leastWidth = 20

// fold breaks a line into rows of at most w cells. The first row begins with first, each other row with next. It breaks
// between words, and within a word only if the word is longer than a row, so no number is cut. All spaces are kept,
// because the line may be a command: the rows joined are the line.
func fold(text, first, next string, w int) []string {
	w = max(w, leastWidth)
	if uniseg.StringWidth(first+text) <= w {
		return []string{first + text}
	}
	var rows []string
	head, row, used := first, "", 0
	room := func() int { return w - uniseg.StringWidth(head) }
	end := func() {
		rows = append(rows, head+row)
		head, row, used = next, "", 0
	}
	for text != "" {
		word := firstWord(text)
		text = text[len(word):]
		width := uniseg.StringWidth(word)
		if used > 0 && used+width > room() {
			end()
		}
		if used+width <= room() {
			row, used = row+word, used+width
			continue
		}
		for state := -1; word != ""; {
			var cluster string
			var cells int
			cluster, word, cells, state = uniseg.FirstGraphemeClusterInString(word, state)
			if used > 0 && used+cells > room() {
				end()
			}
			row, used = row+cluster, used+cells
		}
	}
	return append(rows, head+row)
}

// firstWord returns the first word of a text with the spaces around it.
func firstWord(s string) string {
	lead := len(s) - len(strings.TrimLeft(s, " "))
	n := strings.IndexByte(s[lead:], ' ')
	if n < 0 {
		return s
	}
	return s[:len(s)-len(strings.TrimLeft(s[lead+n:], " "))]
}
