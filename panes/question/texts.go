package question

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
)

// texts keeps an agent's texts laid out, once for each width.
type texts struct{ laid ink.Laid[laidKey] }

// laidKey names a text laid out at a width.
type laidKey struct {
	text   string
	w      int
	inline bool
}

// of returns a text at w cells.
func (t *texts) of(text string, w int, inline bool) []ink.Line {
	lay := reading.Markdown
	if inline {
		lay = reading.Inline
	}
	return t.laid.Once(laidKey{text, w, inline}, func() []ink.Line { return lay(text, w) })
}

// wrapHead returns the first n lines of Wrap: a long text costs no more than what is shown of it.
func wrapHead(text string, w, n int) []string {
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		// That is more than n lines, as a cell takes four bytes at most, marks aside.
		if most := 4 * (w + 1) * n; len(para) > most {
			para = strings.ToValidUTF8(para[:most], "")
		}
		if lines = append(lines, ink.Wrap(para, w)...); len(lines) >= n {
			return lines[:n]
		}
	}
	return lines
}
