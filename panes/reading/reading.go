// Package reading lays an agent's Markdown out in cells.
//
//	text ─ queue.Visible ─ markdown.Parse ─ Sheet: the source's own lines, annotated ─ layout ─ []ink.Line
//
// The person approves commands by reading this text, so the source's lines are shown unchanged and the parser only
// annotates them: what it says nothing about stays literal. Few signs are taken away, each where it cannot belong to a
// command: `**` around words, the brackets of a link to an address, fences, table pipes, a thematic break's own.
// Backslashes, entities, HTML, comments, reference definitions, `*`, `_`, `~`, `#`, `>` and backticks stay.
// Sheet.Complete checks the result and falls back to the plain text.
package reading

import (
	"iter"
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

// Code lays an agent's text out unchanged and in full: a long line is continued in rows that say so.
func Code(text string, w int) []ink.Line { return asCode(text, w, markdown.AsCode) }

// Diff is Code whose every line begins with a diff's sign, in its colours.
func Diff(text string, w int) []ink.Line { return asCode(text, w, markdown.AsDiff) }

func asCode(text string, w int, parse func(string) *markdown.Sheet) []ink.Line {
	return layout(parse(strings.TrimRight(say.Text(text), "\n \t")), max(w, leastMarkdown))
}

func read(text string, w int, parse func(string) (*markdown.Sheet, bool)) []ink.Line {
	w = max(w, leastMarkdown)
	text = strings.TrimRight(say.Text(text), "\n \t")
	if text == "" {
		return nil
	}
	if s, ok := parse(text); ok {
		if lines := layout(s, w); s.Complete(words(lines)) {
			return lines
		}
	}
	return layout(markdown.AsCode(text), w)
}

// words returns the pieces of text in lines.
func words(lines []ink.Line) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, l := range lines {
			for _, s := range l {
				if !yield(s.Text) {
					return
				}
			}
		}
	}
}
