package panes

import (
	"fmt"
	"slices"
	"strings"
)

const proseWidth = 88 // cells of prose; code, diffs and tables use all

// laidKey names a text laid out at a width.
type laidKey struct {
	text   string
	w      int
	inline bool
}

// mostLaid is how many texts a form keeps laid out before it starts over: all options at two widths, and the prompt.
const mostLaid = 512

// laid lays a text out once for each width, as every frame asks for it several times.
func (f *Form) laid(text string, w int, inline bool) []Line {
	k := laidKey{text, w, inline}
	if lines, ok := f.laidOut[k]; ok {
		return lines
	}
	if f.laidOut == nil || len(f.laidOut) >= mostLaid {
		f.laidOut = map[laidKey][]Line{}
	}
	lay := Markdown
	if inline {
		lay = Inline
	}
	lines := slices.Clip(lay(text, w))
	f.laidOut[k] = lines
	return lines
}

// prompt is the prompt as lines at w cells. With the prompt at full height the text of the option under the cursor
// follows, so that all of it can be read.
func (f *Form) prompt(w int) []Line {
	if f.Reviewing() {
		return nil
	}
	lines := f.laid(f.promptText(), w-1, false)
	if o, ok := f.current(); ok && f.full {
		lines = append(lines, nil)
		for _, l := range Wrap("option: "+line(o.Label), w-1) {
			lines = append(lines, plainLine(l))
		}
		lines = append(lines, f.description(o.Description, w-1)...)
	}
	return lines
}

func (f *Form) promptText() string {
	prompt, q := f.Session.Ask.Prompt, f.q()
	switch {
	case f.Several():
		return strings.TrimSpace(q.Text + "\n\n" + prompt)
	case q.Text != "" && q.Text != f.Session.Ask.Title && q.Text != prompt:
		return prompt + "\n\n" + q.Text
	}
	return prompt
}

// description is an option's description at w cells: emphasis, code and links only.
func (f *Form) description(text string, w int) []Line {
	if text == "" {
		return nil
	}
	return f.laid(text, w, true)
}

// wrapHead is the first n lines of Wrap: a long text costs no more than what is shown of it.
func wrapHead(text string, w, n int) []string {
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		if most := 4 * (w + 1) * n; len(para) > most { // more than n lines, as a cell takes four bytes at most, marks aside
			para = strings.ToValidUTF8(para[:most], "")
		}
		if lines = append(lines, Wrap(para, w)...); len(lines) >= n {
			return lines[:n]
		}
	}
	return lines
}

// drawPrompt draws the prompt's rows from where it is scrolled to and counts what was not seen yet.
func (f *Form) drawPrompt(c Canvas, r Rect) int {
	lines := f.prompt(r.W)
	if r.H <= 0 {
		return 0
	}
	f.scroll = min(f.scroll, max(len(lines)-1, 0))
	if len(lines) <= r.H {
		f.scroll = 0
	}
	fits := r.H
	below := len(lines) - f.scroll - r.H
	own := r.H >= 4 // the count has a row of its own
	if below > 0 && own {
		fits, below = r.H-1, below+1
	}
	for n := range fits {
		if f.scroll+n >= len(lines) {
			break
		}
		l := lines[f.scroll+n]
		if below > 0 && !own && n == fits-1 {
			tail := fmt.Sprintf(" %s %s", c.Glyphs.Down, count(below, "line"))
			l = l.Cut(r.W-1-Width(tail), c.Glyphs.Ellipsis)
			c.PutRight(r.X, r.Y+n, r.W-1, Plain, tail)
		}
		c.PutLine(r.X, r.Y+n, r.W-1, l)
	}
	if below > 0 && own {
		tail := fmt.Sprintf(" %s %s below, not seen · %s", c.Glyphs.Down, count(below, "line"), f.readingKeys(ActPageDown, ActHalfDown, ActFull))
		if f.scroll+fits < f.seenLines(r.W) {
			tail = fmt.Sprintf(" %s %s below · %s", c.Glyphs.Down, count(below, "line"), f.readingKeys(ActPageDown, ActHalfDown, ActPageUp))
		}
		c.Put(r.X, r.Y+fits, r.W-1, Plain, Cut(tail, r.W-1, c.Glyphs.Ellipsis))
	}
	f.sawTo(min(f.scroll+fits, len(lines)), r.W)
	f.page = max(fits-1, 1)
	return r.H
}

func (f *Form) sawTo(n, w int) {
	if f.seenAt != w { // another width wraps differently: keep the share
		f.seen, f.seenAt = f.seenLines(w), w
	}
	f.seen = max(f.seen, n)
}

// seenLines is how many prompt lines have been on screen, at w cells.
func (f *Form) seenLines(w int) int {
	if f.seenAt == w || f.seenAt == 0 {
		return f.seen
	}
	old := max(len(f.prompt(f.seenAt)), 1)
	return f.seen * len(f.prompt(w)) / old
}

// Unseen is how many lines of the prompt were never on screen.
func (f *Form) Unseen() int {
	if f.seenAt == 0 {
		return 0
	}
	return max(len(f.prompt(f.seenAt))-f.seen, 0)
}

// Scroll moves the prompt by pages or half pages; n is in half pages.
func (f *Form) Scroll(halves int) {
	last := max(len(f.prompt(max(f.seenAt, 1)))-f.page, 0)
	f.scroll = min(max(f.scroll+halves*max(f.page/2, 1), 0), last)
}

// FullHeight gives the prompt all the rows it can have, or takes them back.
func (f *Form) FullHeight() {
	f.full = !f.full
	f.Thaw()
}

// IsFull reports whether the prompt has full height.
func (f *Form) IsFull() bool { return f.full }
