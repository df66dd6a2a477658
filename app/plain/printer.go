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
	ascii bool // the terminal shows nothing else
	err   error
}

// say writes one line.
func (p *printer) say(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	text, _ = queue.Visible(text)
	p.write(strings.ReplaceAll(text, "\n", " "))
}

// block writes an agent's text, each line behind a mark that our own lines do not have.
func (p *printer) block(mark, text string) {
	text, _ = queue.Visible(text)
	for l := range strings.Lines(strings.TrimRight(text, "\n")) {
		p.write(strings.TrimRight(mark+strings.TrimSuffix(l, "\n"), " "))
	}
}

func (p *printer) write(text string) {
	if p.ascii {
		text = plainASCII(text)
	}
	if _, err := io.WriteString(p.out, text+"\n"); err != nil && p.err == nil {
		p.err = err
	}
}

var asciiOf = strings.NewReplacer("·", "-", "“", `"`, "”", `"`, "‘", "'", "’", "'", "–", "-", "—", "-", "…", "...", "→", "->", "✓", "ok", "×", "x")

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

func oneLine(s string) string {
	v, _ := queue.VisibleLine(s)
	return v
}

// short is a text inside one of our sentences: on one line, in quotes, at most so many characters.
func short(s string, most int) string {
	s = oneLine(s)
	if r := []rune(s); len(r) > most {
		s = string(r[:most-1]) + "…"
	}
	return `"` + s + `"`
}
