// Package reading lays an agent's Markdown out in cells.
//
//	text ─ queue.Visible ─ markdown.Parse ─ Sheet: the source's own lines, annotated ─ layout ─ []ink.Line
//
// The person approves commands by reading this text, so it is styled but never rewritten: every line and every
// character of it is shown, and Markdown's signs are only dimmed. Only the rows are this package's choice: a long line
// continues in further rows, and several blank lines become one.
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
		return layout(s, w)
	}
	return layout(markdown.AsCode(text), w)
}
