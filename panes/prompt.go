package panes

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
)

// laidKey names a text laid out at a width.
type laidKey struct {
	text   string
	w      int
	inline bool
}

// mostLaid is how many texts a form keeps laid out before it starts over: all options at two widths, and the prompt.
const mostLaid = 512

// laid lays a text out once for each width, as every frame asks for it several times.
func (f *Form) laid(text string, w int, inline bool) []ink.Line {
	k := laidKey{text, w, inline}
	if lines, ok := f.laidOut[k]; ok {
		return lines
	}
	if f.laidOut == nil || len(f.laidOut) >= mostLaid {
		f.laidOut = map[laidKey][]ink.Line{}
	}
	lay := reading.Markdown
	if inline {
		lay = reading.Inline
	}
	lines := slices.Clip(lay(text, w))
	f.laidOut[k] = lines
	return lines
}

// prompt is the prompt as lines at w cells.
func (f *Form) prompt(w int) []ink.Line {
	if f.Reviewing() {
		return nil
	}
	return f.laid(f.promptText(), w-1, false)
}

// sheet is what is read at full height: the title where it was cut, the prompt, and the text of the option under the
// cursor. It returns where the prompt begins and where it ends; otherwise the sheet is the prompt.
func (f *Form) sheet(w int) (lines []ink.Line, from, to int) {
	prompt := f.prompt(w)
	if !f.full || f.Reviewing() {
		return prompt, 0, len(prompt)
	}
	if title := ink.Wrap(say.OneLine(f.Session.Ask.Title), w-1); len(title) > 1 {
		for _, l := range title {
			lines = append(lines, ink.Line{{Text: l, Style: ink.Bold}})
		}
		lines = append(lines, nil)
	}
	from = len(lines)
	lines = append(lines, prompt...)
	to = len(lines)
	if o, ok := f.current(); ok {
		if to > from {
			lines = append(lines, nil)
		}
		for _, l := range ink.Wrap("option: "+say.OneLine(o.Label), w-1) {
			lines = append(lines, ink.PlainLine(l))
		}
		lines = append(lines, f.description(o.Description, w-1)...)
	}
	return lines, from, to
}

func (f *Form) promptText() string {
	prompt, q := f.untitled(), f.q()
	switch {
	case f.Several():
		return strings.TrimSpace(q.Text + "\n\n" + prompt)
	case q.Text != "" && q.Text != f.Session.Ask.Title && q.Text != prompt:
		return prompt + "\n\n" + q.Text
	}
	return prompt
}

// untitled is the prompt without a first heading that says the title once more.
func (f *Form) untitled() string {
	prompt := f.Session.Ask.Prompt
	first, rest, _ := strings.Cut(prompt, "\n")
	if words := strings.TrimLeft(first, "#"); words != first && strings.TrimSpace(words) == strings.TrimSpace(f.Session.Ask.Title) {
		return strings.TrimLeft(rest, "\n")
	}
	return prompt
}

// description is an option's description at w cells: emphasis, code and links only.
func (f *Form) description(text string, w int) []ink.Line {
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
		if lines = append(lines, ink.Wrap(para, w)...); len(lines) >= n {
			return lines[:n]
		}
	}
	return lines
}

// roomForCount is the least height of a prompt that spares a row for what is above and below; a smaller one has the
// counts at the end of its last row, and its text is laid out narrower for them: a row that is cut was not read.
const roomForCount = 3

// countWidth is the cells that the counts take at the end of a row.
func countWidth(lines int) int { return ink.Width(fmt.Sprintf(" ^ %d v %d", lines, lines)) + 4 }

// drawPrompt draws what is read from where it is scrolled to, and counts what was not seen yet.
func (f *Form) drawPrompt(c ink.Canvas, r ink.Rect) int {
	if r.H <= 0 {
		return 0
	}
	w := r.W
	lines, from, to := f.sheet(w)
	fits := r.H
	switch {
	case len(lines) <= r.H:
		f.scroll = 0
	case r.H >= roomForCount:
		fits--
	default:
		w -= countWidth(len(lines))
		lines, from, to = f.sheet(w)
	}
	if f.toOption { // the option was moved to in order to read it
		if f.toOption = false; f.scroll+fits < len(lines) || f.scroll > to {
			f.scroll = to
		}
	}
	f.scroll = min(max(f.scroll, 0), max(len(lines)-fits, 0))
	shown := min(f.scroll+fits, len(lines))
	for n, l := range lines[f.scroll:shown] {
		c.PutLine(r.X, r.Y+n, r.W-1, l)
	}
	f.sawTo(w, f.scroll-from, shown-from)
	if f.full {
		f.titleRead = f.titleRead || f.scroll == 0 && shown >= from
		if o, ok := f.current(); ok && shown == len(lines) {
			f.readAll(o.ID)
		}
	}
	if f.page = fits; len(lines) <= r.H {
		return r.H
	}
	if r.H >= roomForCount {
		f.page--
		c.Put(r.X, r.Y+fits, r.W-1, ink.Plain, ink.Cut(f.counted(f.scroll, len(lines)-shown, c.Glyphs), r.W-1, c.Glyphs.Ellipsis))
	} else {
		end := measured(r.W) - 1
		if lines[shown-1].Width() > end-countWidth(len(lines)) { // code
			end = r.W - 1
		}
		c.PutRight(r.X, r.Y+fits-1, end, ink.Plain, aboveBelow(f.scroll, len(lines)-shown, c.Glyphs))
	}
	return r.H
}

// counted is the row that says how much of the prompt is above and below, and which keys read on; while text is typed
// none do.
func (f *Form) counted(above, below int, g ink.Glyphs) string {
	words := ""
	if above > 0 {
		words = fmt.Sprintf(" %s %d", g.Up, above)
	}
	scroll := []keys.Action{keys.ActPageDown, keys.ActHalfDown, keys.ActFull}
	switch {
	case below == 0:
		words += " " + say.Noun(above, "line") + " above"
		scroll = []keys.Action{keys.ActPageUp, keys.ActHalfUp, keys.ActFull}
	case f.Unseen() > 0:
		words += fmt.Sprintf(" %s %s below, not seen", g.Down, say.Count(below, "line"))
	default:
		words += fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
		scroll[2] = keys.ActPageUp
	}
	if f.field != FieldNone {
		return words
	}
	return words + say.Keyed(" "+g.Dot+" ", f.readingKeys(scroll...), "")
}

// aboveBelow is the same at the end of a row.
func aboveBelow(above, below int, g ink.Glyphs) string {
	switch {
	case above == 0:
		return fmt.Sprintf(" %s %s", g.Down, say.Count(below, "line"))
	case below == 0:
		return fmt.Sprintf(" %s %s", g.Up, say.Count(above, "line"))
	}
	return fmt.Sprintf(" %s %d %s %d", g.Up, above, g.Down, below)
}

// sawTo remembers that prompt lines from first up to end were on screen, as laid out at w cells. What lies behind a
// gap does not count. It is kept in characters, which are the same at every width.
func (f *Form) sawTo(w, first, end int) {
	f.promptWidth, f.opened = w, true
	sums := f.inked(w)
	first, end = max(first, 0), min(end, len(sums))
	if first >= end || first > 0 && sums[first-1] > f.seen {
		return
	}
	f.seen = max(f.seen, sums[end-1])
}

// inked is, for each line of the prompt, how many characters there are up to its end. Spaces do not count, nor do
// the lines that are drawn around tables.
func (f *Form) inked(w int) []int {
	prompt := f.prompt(w)
	k := inkKey{f.promptText(), w}
	if f.inkFor == k {
		return f.inks
	}
	f.inkFor, f.inks = k, make([]int, len(prompt))
	sum := 0
	for n, l := range prompt {
		for _, span := range l {
			if span == reading.GoesOn {
				continue
			}
			for _, r := range span.Text {
				if r != ' ' && r != '…' && (r < 0x2500 || r > 0x257F) {
					sum++
				}
			}
		}
		f.inks[n] = sum
	}
	return f.inks
}

type inkKey struct {
	text string
	w    int
}

// Unseen is how many lines of the prompt were never on screen, as the last frame laid it out.
func (f *Form) Unseen() int {
	if !f.opened || f.Reviewing() {
		return 0
	}
	sums := f.inked(f.promptWidth)
	return len(sums) - sort.SearchInts(sums, f.seen+1)
}

// readAll remembers that all of an option's text was on screen.
func (f *Form) readAll(option string) {
	if f.read == nil {
		f.read = map[string]bool{}
	}
	f.read[option] = true
}

// Scroll moves the prompt by pages or half pages; n is in half pages.
func (f *Form) Scroll(halves int) {
	if step := max(f.page, 1); halves%2 == 0 {
		f.scroll += halves / 2 * step
	} else {
		f.scroll += halves * max(step/2, 1)
	}
	f.scroll = max(f.scroll, 0) // its end is known when it is drawn
}

// FullHeight gives the prompt all the rows it can have, or takes them back.
func (f *Form) FullHeight() {
	f.full, f.scroll = !f.full, 0
	f.Thaw()
}

// IsFull reports whether the prompt has full height.
func (f *Form) IsFull() bool { return f.full }
