package question

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// reader records what a person has read of a session, and where they are.
type reader struct {
	spots     []spot // one a question, and one for the review
	full      bool   // the person wants only the text on screen; see onlyText
	opened    bool   // the prompt was on screen at all
	ahead     int    // number of lines below the last row on screen, if the unread part begins there; else 0
	width     int    // of the prompt, as laid out last
	inks      []int
	inkFor    inkKey
	read      map[string]bool  // options all of whose text was on screen
	readTo    map[optionAt]int // how many lines of an option were on screen, counted from its first line
	titleRead bool
}

// spot records how far the prompt of one question was read.
type spot struct {
	scroll int // first line of the sheet on screen
	seen   int // characters of the prompt that were on screen, see sawTo
}

type inkKey struct {
	text, before string
	w            int
}

func newReader(questions int) reader {
	return reader{spots: make([]spot, questions+1), read: map[string]bool{}, readTo: map[optionAt]int{}}
}

// prompt draws the text over the options.
type prompt struct{ v *view }

func (p prompt) spot() *spot { return &p.v.spots[p.v.form.At()] }

// lines returns the prompt as lines at w cells.
func (p prompt) lines(w int) []ink.Line {
	if p.v.form.Reviewing() {
		return nil
	}
	if p.v.session.Ask.Approval != nil {
		return approval(p).lines(w)
	}
	lines := p.v.texts.of(form.Text(p.v.form), w-1, false)
	if p.v.form.Several() {
		return p.standOut(lines, w)
	}
	return lines
}

// whole returns the prompt as lines where all of it is on screen: the context that several questions share comes before
// the question. Where it scrolls the question comes first, since a small pane has one row for all of it.
func (p prompt) whole(w int) []ink.Line {
	context, asks := form.Shared(p.v.form), p.v.q().Text
	apart := context != "" && asks != "" && p.v.session.Ask.Approval == nil
	if !p.v.form.Several() || p.v.form.Reviewing() || !apart {
		return p.lines(w)
	}
	above, own := p.v.texts.of(context, w-1, false), p.v.texts.of(asks, w-1, false)
	return slices.Concat(above, []ink.Line{nil}, p.standOut(own, w))
}

// standOut highlights the question that the lines begin with against its context, in the title's place as the title.
func (p prompt) standOut(lines []ink.Line, w int) []ink.Line {
	asks, style := strings.TrimSpace(p.v.q().Text), ink.Bold
	if form.TabsSayTitle(p.v.form) {
		style = ink.Title
	} else {
		asks, _, _ = strings.Cut(asks, "\n\n")
	}
	if asks == "" {
		return lines
	}
	lines = slices.Clone(lines)
	for n := range min(len(p.v.texts.of(asks, w-1, false)), len(lines)) {
		lines[n] = ink.Line{{Text: lines[n].String(), Style: style}}
	}
	return lines
}

// roomForCount is the least height of a prompt that spares a row for what is above and below; a smaller one has the
// counts at the end of its last row, and its text is laid out narrower for them: a row that is cut was not read.
const roomForCount = 3

// countWidth returns the cells that the counts take at the end of a row.
func countWidth(lines int) int { return ink.Width(fmt.Sprintf(" ^ %d v %d", lines, lines)) + 4 }

// promptRows are the lines of the sheet that are on screen.
type promptRows struct {
	at           ink.Rect
	lines        []ink.Line
	above, below int
	apart        bool // the counts have a row of their own
}

// arrange picks the lines on screen in r, from where the sheet is scrolled to, and notes what is seen by that.
func (p prompt) arrange(r ink.Rect) promptRows {
	if r.H <= 0 {
		return promptRows{}
	}
	s := p.spot()
	w, fits, sheet := p.pick(r)
	lines, from := sheet.lines, sheet.from
	if len(lines) <= r.H {
		s.scroll = 0
	}
	s.scroll = min(max(s.scroll, 0), max(len(lines)-fits, 0))
	shown := min(s.scroll+fits, len(lines))
	if shown-s.scroll == len(lines) {
		p.sawTo(w, 0, len(p.inked(w))) // all lines, in whatever order they came
	} else {
		p.sawTo(w, s.scroll-from, shown-from)
	}
	if p.v.onlyText() {
		p.v.titleRead = p.v.titleRead || s.scroll == 0 && shown >= from
		p.readOptions(sheet, w, s.scroll, shown)
	}
	rows := promptRows{at: r, lines: lines[s.scroll:shown], above: s.scroll, below: len(lines) - shown}
	p.v.ahead = 0
	if p.beginsAt(shown - from) {
		p.v.ahead = rows.below
	}
	p.v.step = fits
	if rows.above+rows.below > 0 && r.H >= roomForCount {
		rows.apart = true
		p.v.step--
	}
	return rows
}

// pick lays the sheet out for r, at w cells, of whose lines so many fit at a time.
func (p prompt) pick(r ink.Rect) (w, fits int, s sheet) {
	w, fits = r.W, r.H
	if s = p.sheet(w, p.whole(w)); len(s.lines) <= r.H {
		return w, fits, s
	}
	s = p.sheet(w, p.lines(w))
	if r.H >= roomForCount {
		return w, fits - 1, s
	}
	w -= countWidth(len(s.lines))
	return w, fits, p.sheet(w, p.lines(w))
}

// draw draws the lines, and the counts of what is not on screen.
func (p prompt) draw(c ink.Canvas, rows promptRows) {
	r := rows.at
	for n, l := range rows.lines {
		c.PutLine(r.X, r.Y+n, r.W-1, l)
	}
	switch {
	case rows.above+rows.below == 0:
	case rows.apart:
		words := ink.Cut(p.counted(rows.above, rows.below), r.W-1, c.Glyphs.Ellipsis)
		c.Put(r.X, r.Y+len(rows.lines), r.W-1, ink.Plain, words)
	default:
		end, total := panes.Measured(r.W)-1, rows.above+len(rows.lines)+rows.below
		if rows.lines[len(rows.lines)-1].Width() > end-countWidth(total) { // code
			end = r.W - 1
		}
		c.PutRight(r.X, r.Y+len(rows.lines)-1, end, ink.Plain, aboveBelow(rows.above, rows.below, c.Glyphs))
	}
}

// counted returns the row that says how much of the prompt is above and below, and which keys read on; while text is
// typed none do.
func (p prompt) counted(above, below int) string {
	words, g := "", p.v.glyphs
	if above > 0 {
		words = fmt.Sprintf(" %s %d", g.Up, above)
	}
	scroll := []keys.Action{keys.ActPageDown, keys.ActFull}
	switch {
	case below == 0:
		words += " " + say.Noun(above, "line") + " above"
		scroll = []keys.Action{keys.ActPageUp, keys.ActFull}
	case p.unread() == below:
		words += fmt.Sprintf(" %s %s below, unread", g.Down, say.Count(below, "line"))
	case p.unseen() > 0:
		words += fmt.Sprintf(" %s %s below, %d unread", g.Down, say.Count(below, "line"), p.unread())
	default:
		words += fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
		scroll[1] = keys.ActPageUp
	}
	if p.v.form.Typing() != form.FieldNone {
		return words
	}
	return words + say.Keyed(" "+g.Dot+" ", p.readingKeys(scroll...), "")
}

// readingKeys names the keys for reading on; only the key for the text alone needs a word.
func (p prompt) readingKeys(actions ...keys.Action) string {
	var shown []string
	for _, a := range actions {
		key := p.v.key(a)
		switch {
		case a != keys.ActFull || key == "":
		case p.v.onlyText():
			key += " " + textBack
		default:
			key += " " + textOnly
		}
		if key != "" {
			shown = append(shown, key)
		}
	}
	return strings.Join(shown, "  ")
}

// aboveBelow returns these counts in the short form for the end of a row.
func aboveBelow(above, below int, g ink.Glyphs) string {
	switch {
	case above == 0:
		return fmt.Sprintf(" %s %s", g.Down, say.Count(below, "line"))
	case below == 0:
		return fmt.Sprintf(" %s %s", g.Up, say.Count(above, "line"))
	}
	return fmt.Sprintf(" %s %d %s %d", g.Up, above, g.Down, below)
}

// sawTo remembers that prompt lines from first up to end were on screen, as laid out at w cells. Lines behind a part
// that was never on screen do not count. The result is kept in characters, which are the same at every width.
func (p prompt) sawTo(w, first, end int) {
	p.v.width, p.v.opened = w, true
	sums, s := p.inked(w), p.spot()
	first, end = max(first, 0), min(end, len(sums))
	if first >= end || first > 0 && sums[first-1] > s.seen {
		return
	}
	s.seen = max(s.seen, sums[end-1])
}

// inked is, for each line of the prompt, how many characters there are up to its end. Spaces do not count, nor do
// drawn lines, and the signs of a quote, which are repeated on each row.
func (p prompt) inked(w int) []int {
	prompt := p.lines(w)
	k := inkKey{form.Text(p.v.form), p.v.before, w}
	if p.v.inkFor == k {
		return p.v.inks
	}
	p.v.inkFor, p.v.inks = k, make([]int, len(prompt))
	sum := 0
	for n, l := range prompt {
		for _, span := range l {
			if span == reading.GoesOn {
				continue
			}
			for _, r := range span.Text {
				if r != ' ' && r != '…' && r != '>' && (r < 0x2500 || r > 0x257F) {
					sum++
				}
			}
		}
		p.v.inks[n] = sum
	}
	return p.v.inks
}

// unseen returns how many lines of the prompt were never on screen, as it was laid out last.
func (p prompt) unseen() int {
	if !p.v.opened || p.v.form.Reviewing() {
		return 0
	}
	sums := p.inked(p.v.width)
	return len(sums) - sort.SearchInts(sums, p.spot().seen+1)
}

// beginsAt reports whether the part of the prompt that was never on screen begins with this line, or below blank ones
// that do.
func (p prompt) beginsAt(line int) bool {
	sums := p.inked(p.v.width)
	first := len(sums) - p.unseen()
	return line > 0 && line <= first && first < len(sums) && sums[line-1] == sums[first-1]
}

// unread returns how many lines are still to be read, as every place says it: all that is below the last row on screen,
// blank lines too, if that is where the unread part begins.
func (p prompt) unread() int {
	unseen := p.unseen()
	if unseen > 0 && p.v.ahead > 0 {
		return p.v.ahead
	}
	return unseen
}

// scrollBy moves the prompt by pages or half pages; n is in half pages. Its end is known when it is arranged.
func (p prompt) scrollBy(halves int) {
	s, step := p.spot(), max(p.v.step, 1)
	if halves%2 == 0 {
		s.scroll += halves / 2 * step
	} else {
		s.scroll += halves * max(step/2, 1)
	}
	s.scroll = max(s.scroll, 0)
}

// toggleFull shows only the text, or the options again.
func (p prompt) toggleFull() {
	p.v.full, p.spot().scroll = !p.v.full, 0
	p.v.thaw()
}

// texts lays out an agent's texts once for each width, and keeps the result.
type texts struct{ laid ink.Laid[laidKey] }

// laidKey names a text laid out at a width.
type laidKey struct {
	text   string
	w      int
	inline bool
}

// of returns a text laid out at w cells; inline: only emphasis, code and links are read as Markdown.
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
		// A cell takes at most four bytes, marks aside, so this many bytes fill more than n lines.
		if most := 4 * (w + 1) * n; len(para) > most {
			para = strings.ToValidUTF8(para[:most], "")
		}
		if lines = append(lines, ink.Wrap(para, w)...); len(lines) >= n {
			return lines[:n]
		}
	}
	return lines
}

// isApproval reports whether the ask is an approval: what is read comes first then, and does not give way to options.
func isApproval(v *view) bool { return v.session.Ask.Kind == queue.KindApproval }

// points reports whether the cursor is on this row of the options.
func points(v *view, row int) bool { return row == v.q().Cursor() && (v.over() || v.q().Points()) }

// approval draws an approval that has several parts.
type approval struct{ v *view }

// mostReason is the most rows in which an approval's directory and reason are dim. A longer reason is read as a text.
const mostReason = 3

// lines returns the whole approval at w cells: the request, and below it the directory with the agent's reason.
func (a approval) lines(w int) []ink.Line {
	why, before := form.Text(a.v.form), a.v.before
	return a.v.texts.laid.Once(laidKey{text: "approval\x00" + before + "\x00" + why, w: w}, func() []ink.Line {
		request := a.v.session.Ask.Approval
		asks := reading.Parts(request, w-1)
		if before != "" {
			asks = append(asks, ink.PlainLine(ink.Cut(before, w-1, a.v.glyphs.Ellipsis)))
		}
		where := say.ApprovalBelow(a.v.session.Ask, a.v.home)
		both := strings.Join(slices.DeleteFunc([]string{where, say.OneLine(why)}, queue.Blank), " · ")
		if rows := dimLines(both, w); len(rows) <= mostReason && !strings.Contains(why, "\n") {
			return reading.Below(asks, rows)
		}
		return reading.Below(reading.Below(asks, dimLines(where, w)), reading.Markdown(why, w-1))
	})
}

// dimLines returns a text in dim lines of at most w-1 cells; none for an empty text.
func dimLines(text string, w int) (lines []ink.Line) {
	if text == "" {
		return nil
	}
	for _, l := range ink.Wrap(text, max(w-1, 1)) {
		lines = append(lines, ink.Line{{Text: l, Style: ink.Dim}})
	}
	return lines
}
