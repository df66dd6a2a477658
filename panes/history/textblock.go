package history

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// textBlock collects lines of w cells.
type textBlock struct {
	lines laid
	w     int
	of    queue.Origin // its name has its colour
}

// add adds a line.
func (b *textBlock) add(style ink.Style, text string) {
	line := ink.HueOf(b.of).Within(strings.TrimRight(text, " "), b.of.Name(), style)
	b.lines = append(b.lines, textLine{Line: line})
}

// put adds text behind a label. Text that does not fit continues below, indented by the label's width, or by a little
// if the column would be too narrow.
func (b *textBlock) put(style ink.Style, label, text string) *textLine {
	at, indent := len(b.lines), strings.Repeat(" ", ink.Width(label))
	if room := b.w - len(indent); room < min(leastColumn, b.w*2/3) {
		indent = "  "
		first, rest := firstWords(text, room)
		b.add(style, label+first)
		label, text = indent, rest
		if rest == "" {
			return &b.lines[at]
		}
	}
	for i, l := range ink.Wrap(text, max(b.w-len(indent), 8)) {
		head := indent
		if i == 0 {
			head = label
		}
		b.add(style, head+l)
	}
	return &b.lines[at]
}

const leastColumn = 40 // cells of text beside a label, where there are as many

// firstWords returns the part of a text that fits w cells, and the rest of it, which begins a line.
func firstWords(text string, w int) (first, rest string) {
	first = ink.Wrap(text, max(w, 1))[0]
	if !strings.HasPrefix(text, first) || ink.Width(first) > w { // a tab, or a word longer than that
		return "", text
	}
	return first, strings.TrimPrefix(strings.TrimLeft(text[len(first):], " "), "\n")
}

// gap adds an empty line, never two.
func (b *textBlock) gap() {
	if n := len(b.lines); n > 0 && b.lines[n-1].Width() > 0 {
		b.lines = append(b.lines, textLine{})
	}
}
