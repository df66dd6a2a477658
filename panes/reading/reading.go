// Package reading lays an agent's Markdown out in cells.
//
//	text ─ queue.Visible ─ markdown.Parse ─ Sheet: the source's own lines, annotated ─ layout ─ []ink.Line
//
// The person approves commands by what is read here, so the source's lines are shown as they stand and the parser
// only annotates them: what it says nothing about stays literal. Few signs are taken away, each where it cannot belong
// to a command: `**` around words, the brackets of a link to an address, fences, table pipes, a thematic break's own.
// Backslashes, entities, HTML, comments, reference definitions, `*`, `_`, `~`, `#`, `>` and backticks stay.
// complete checks the result and falls back to the plain text.
package reading

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading/markdown"
	"github.com/choicetui/choicetui/panes/say"
)

// leastMarkdown is the least width text is laid out for: a wide character must fit.
const leastMarkdown = 2

// Markdown lays an agent's text out in lines of at most w cells: prose at a readable width, code and tables use all.
func Markdown(text string, w int) []ink.Line { return read(text, w, markdown.Parse) }

// Inline is Markdown with emphasis, code and links only, for descriptions.
func Inline(text string, w int) []ink.Line { return read(text, w, markdown.ParseInline) }

func read(text string, w int, parse func(string) (*markdown.Sheet, bool)) []ink.Line {
	w = max(w, leastMarkdown)
	text = strings.TrimRight(say.Text(text), "\n \t")
	if text == "" {
		return nil
	}
	if s, ok := parse(text); ok {
		if lines := layout(s, w); complete(text, append(lines[:len(lines):len(lines)], ink.PlainLine(s.Gone))) {
			return lines
		}
	}
	return layout(markdown.AsCode(text), w)
}

// mayVanish are the signs that layout takes away where they are Markdown's own.
const mayVanish = "*_-`~[]()!|:"

// complete reports whether every character of the text but space and mayVanish is in the lines, as often as there.
func complete(text string, lines []ink.Line) bool {
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
