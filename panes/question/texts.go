package question

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
)

// texts keeps an agent's texts laid out, once for each width, as every frame asks for them several times.
type texts struct{ laid map[laidKey][]ink.Line }

// laidKey names a text laid out at a width.
type laidKey struct {
	text   string
	w      int
	inline bool
}

// mostLaid is how many texts a view keeps laid out before it starts over: all options at two widths, and the prompt.
const mostLaid = 512

// of is a text at w cells.
func (t *texts) of(text string, w int, inline bool) []ink.Line {
	lay := reading.Markdown
	if inline {
		lay = reading.Inline
	}
	return t.once(laidKey{text, w, inline}, func() []ink.Line { return lay(text, w) })
}

// once is what lay lays out, kept under its key.
func (t *texts) once(k laidKey, lay func() []ink.Line) []ink.Line {
	if lines, ok := t.laid[k]; ok {
		return lines
	}
	lines := slices.Clip(lay())
	if t.laid == nil || len(t.laid) >= mostLaid {
		t.laid = map[laidKey][]ink.Line{}
	}
	t.laid[k] = lines
	return lines
}

// wrapHead is the first n lines of Wrap: a long text costs no more than what is shown of it.
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
