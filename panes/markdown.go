package panes

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/say"
)

// Reading: an agent's Markdown on screen.
//
//	text ─ queue.Visible ─ findDiffs (unfenced ones) ─ goldmark ─ sheet: the source's own lines, annotated ─ layout ─ []Line
//
// The person approves commands by what is read here, so the source's lines are shown as they stand and the parser
// only annotates them: what it says nothing about stays literal. Few signs are taken away, each where it cannot belong
// to a command: `**` around words, the brackets of a link to an address, fences, table pipes, a thematic break's own.
// Backslashes, entities, HTML, comments, reference definitions, `*`, `_`, `~`, `#`, `>` and backticks stay.
// complete checks the result and falls back to the plain text.

// Span is a piece of a line in one style.
type Span struct {
	Text  string
	Style tcell.Style
}

// Line is one screen line.
type Line []Span

// String is the line's text.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Width is the number of cells the line takes.
func (l Line) Width() int {
	w := 0
	for _, s := range l {
		w += Width(s.Text)
	}
	return w
}

// Cut shortens the line to w cells, ending in the ellipsis where something was left out.
func (l Line) Cut(w int, ellipsis string) Line {
	if l.Width() <= w {
		return l
	}
	room := max(w-Width(ellipsis), 0)
	var out Line
	for _, s := range l {
		if n := Width(s.Text); n > room {
			s.Text = Cut(s.Text, room, "")
			return append(out, s, Span{Cut(ellipsis, w, ""), Plain})
		}
		room -= Width(s.Text)
		out = append(out, s)
	}
	return out
}

// plainLine is a line of our own words.
func plainLine(s string) Line { return Line{{s, Plain}} }

// PutLine writes a line into at most w cells and returns the cells used.
func (c Canvas) PutLine(x, y, w int, l Line) int {
	used := 0
	for _, s := range l {
		used += c.Put(x+used, y, w-used, s.Style, s.Text)
	}
	return used
}

// leastMarkdown is the least width text is laid out for: a wide character must fit.
const leastMarkdown = 2

// Markdown lays an agent's text out in lines of at most w cells: prose at a readable width, code and tables use all.
func Markdown(text string, w int) []Line { return read(text, w, blocks()) }

// Inline is Markdown with emphasis, code and links only, for descriptions.
func Inline(text string, w int) []Line { return read(text, w, inlines()) }

func read(text string, w int, p parserFunc) []Line {
	w = max(w, leastMarkdown)
	text = strings.TrimRight(say.Text(text), "\n \t")
	if text == "" {
		return nil
	}
	s := newSheet(text)
	if s.annotate(p) {
		if lines := s.layout(w); complete(text, append(lines[:len(lines):len(lines)], plainLine(s.gone))) {
			return lines
		}
	}
	return newSheet(text).asCode().layout(w)
}

// mayVanish are the signs that layout takes away where they are Markdown's own.
const mayVanish = "*_-`~[]()!|:"

// complete reports whether every character of the text but space and mayVanish is in the lines, as often as there.
func complete(text string, lines []Line) bool {
	var ascii [128]int
	other := map[rune]int{}
	count := func(s string, by int) {
		for _, r := range s {
			switch {
			case r < 128:
				ascii[r] += by
			default:
				other[r] += by
			}
		}
	}
	count(text, -1)
	for _, l := range lines {
		for _, s := range l {
			count(s.Text, 1)
		}
	}
	for r, n := range ascii {
		if n < 0 && r > ' ' && !strings.ContainsRune(mayVanish, rune(r)) {
			return false
		}
	}
	for r, n := range other {
		if n < 0 && strings.TrimSpace(string(r)) != "" {
			return false
		}
	}
	return true
}
