package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// page collects what a command prints and writes it at once, so that a broken pipe is noticed in one place.
type page struct{ bytes.Buffer }

// line prints one formatted line.
func (p *page) line(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

// block prints untrusted text of several lines, each behind indent. Hidden characters become visible.
func (p *page) block(indent, text string) {
	for l := range strings.Lines(strings.TrimRight(say.Text(text), "\n")) {
		p.line("%s", strings.TrimRight(indent+strings.TrimSuffix(l, "\n"), " "))
	}
}

// send writes all that was printed.
func (p *page) send(w io.Writer) error {
	_, err := w.Write(p.Bytes())
	return err
}

// printJSON writes v as JSON. Values are not changed, because scripts compare them. Characters that a terminal would
// act on or not show become \u escapes, so no text can hide in the output.
func printJSON(w io.Writer, v any, indent string) error {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(raw.Bytes()))
	return err
}

// printAs writes v as JSON, or the lines that lines writes.
func printAs(w io.Writer, asJSON bool, v any, lines func(*page)) error {
	if asJSON {
		return printJSON(w, v, "  ")
	}
	var p page
	lines(&p)
	return p.send(w)
}

// escapeHidden replaces characters that a terminal would act on or not show by JSON escapes.
func escapeHidden(raw []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(raw) {
		switch _, odd := queue.Visible(string(r)); {
		case r < 0x7f || !odd:
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.Bytes()
}

// column returns s in exactly width cells, cut with … if it is longer.
func column(s string, width int) string {
	s = ink.Cut(say.OneLine(s), width, "…")
	return s + strings.Repeat(" ", max(0, width-ink.Width(s)))
}

// widest returns the width of a column that fits all values, at most most cells.
func widest(most int, values ...string) int {
	w := 0
	for _, s := range values {
		w = max(w, ink.Width(say.OneLine(s)))
	}
	return min(w, most)
}
