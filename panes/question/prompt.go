package question

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// reader records what the person has read of a session, and how far it is scrolled.
type reader struct {
	spots     []readSpot // one for each question of the form, and one for the review
	full      bool       // the person asked for only the text on screen; see onlyText
	pageRows  int        // how many rows a key for a whole page scrolls
	opened    bool       // some of the prompt was on screen
	pages     bool       // the row that counts the unread lines names the key for them
	ahead     int        // the number of lines below the screen, if the unread part begins directly below; else 0
	width     int        // the width at which the prompt was laid out last
	inks      []int      // the result of countInk for inkFor
	inkFor    inkKey
	read      map[string]bool  // the options whose whole text was on screen
	readTo    map[optionAt]int // how many lines of an option, from its first one, were on screen
	titleRead bool             // the whole title was on screen
}

// readSpot records how far the prompt of one question is scrolled and was read.
type readSpot struct {
	scroll int // the first line on screen
	seen   int // how many characters of the prompt were on screen; see noteSeen
}

type inkKey struct {
	text, before string
	w            int
}

func newReader(questions int) reader {
	return reader{spots: make([]readSpot, questions+1), read: map[string]bool{}, readTo: map[optionAt]int{}}
}

// prompt draws the text over the options.
type prompt struct{ v *display }

// spot returns how far the question on view is scrolled and was read.
func (p prompt) spot() *readSpot { return &p.v.spots[p.v.form.At()] }

// lines returns the prompt as lines at w cells.
func (p prompt) lines(w int) []ink.Line {
	if p.v.form.Reviewing() {
		return nil
	}
	if p.v.session.Ask.Approval != nil {
		return approval(p).lines(w)
	}
	lines := p.v.texts.wholeText(form.Text(p.v.form), w-1)
	if p.v.form.Several() {
		return p.highlightAsk(lines, w)
	}
	return lines
}

// wholeLines returns the lines of the prompt for the case that all of it is on screen: then the context that several
// questions share comes before the question. If the prompt scrolls (see lines), the question comes first, because a
// small pane may have only one row for it.
func (p prompt) wholeLines(w int) []ink.Line {
	context, asks := form.Shared(p.v.form), p.v.q().Text
	apart := context != "" && asks != "" && p.v.session.Ask.Approval == nil
	if !p.v.form.Several() || p.v.form.Reviewing() || !apart {
		return p.lines(w)
	}
	above, own := p.v.texts.wholeText(context, w-1), p.v.texts.wholeText(asks, w-1)
	return slices.Concat(above, []ink.Line{nil}, p.highlightAsk(own, w))
}

// highlightAsk highlights the question with which the lines begin, so that it differs from its context. If the title is
// left out, the question is styled as the title.
func (p prompt) highlightAsk(lines []ink.Line, w int) []ink.Line {
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
	for n := range min(len(p.v.texts.wholeText(asks, w-1)), len(lines)) {
		lines[n] = ink.Line{{Text: lines[n].String(), Style: style}}
	}
	return lines
}

// roomForCount is the least number of rows of a prompt with a row that counts the lines above and below. With fewer
// rows the counts are at the end of the last row, and the text is wrapped at fewer cells so that they cover none of it.
const roomForCount = 3

// countWidth returns how many cells the counts take at the end of a row.
func countWidth(lines int) int { return ink.Width(fmt.Sprintf(" ^ %d v %d", lines, lines)) + 4 }

// promptRows says which lines of the prompt are on screen, and where.
type promptRows struct {
	at           ink.Rect
	lines        []ink.Line
	above, below int
	apart        bool // the counts above and below have a row of their own
}

// arrange picks the lines that are on screen in r, and notes that the person has seen them.
func (p prompt) arrange(r ink.Rect) promptRows {
	if r.H <= 0 {
		return promptRows{}
	}
	s := p.spot()
	w, fits, sheet := p.pickSheet(r)
	lines, from := sheet.lines, sheet.from
	if len(lines) <= r.H {
		s.scroll = 0
	}
	s.scroll = min(max(s.scroll, 0), max(len(lines)-fits, 0))
	shown := min(s.scroll+fits, len(lines))
	if shown-s.scroll == len(lines) {
		p.noteSeen(w, 0, len(p.countInk(w))) // all lines are on screen, in whatever order
	} else {
		p.noteSeen(w, s.scroll-from, shown-from)
	}
	if p.v.onlyText() {
		p.v.titleRead = p.v.titleRead || s.scroll == 0 && shown >= from
		p.readOptions(sheet, w, s.scroll, shown)
	}
	rows := promptRows{at: r, lines: lines[s.scroll:shown], above: s.scroll, below: len(lines) - shown}
	p.v.ahead, p.v.pages = 0, false
	if p.unreadBeginsAt(shown - from) {
		p.v.ahead = rows.below
	}
	p.v.pageRows = fits
	if rows.above+rows.below > 0 && r.H >= roomForCount {
		rows.apart, p.v.pages = true, ink.Width(p.countWords(rows.above, rows.below)) < r.W
		p.v.pageRows--
	}
	return rows
}

// pickSheet lays the text out for r: at w cells, with fits lines on screen at a time.
func (p prompt) pickSheet(r ink.Rect) (w, fits int, s sheet) {
	w, fits = r.W, r.H
	if s = p.layOutSheet(w, p.wholeLines(w)); len(s.lines) <= r.H {
		return w, fits, s
	}
	s = p.layOutSheet(w, p.lines(w))
	if r.H >= roomForCount {
		return w, fits - 1, s
	}
	w -= countWidth(len(s.lines))
	return w, fits, p.layOutSheet(w, p.lines(w))
}

// draw draws the lines, and the number of lines above and below.
func (p prompt) draw(c ink.Canvas, rows promptRows) {
	r := rows.at
	for n, l := range rows.lines {
		c.PutLine(r.X, r.Y+n, r.W-1, l)
	}
	switch {
	case rows.above+rows.below == 0:
	case rows.apart:
		words := ink.Cut(p.countWords(rows.above, rows.below), r.W-1, c.Glyphs.Ellipsis)
		c.Put(r.X, r.Y+len(rows.lines), r.W-1, ink.Plain, words)
	default:
		end, total := panes.Measured(r.W)-1, rows.above+len(rows.lines)+rows.below
		if rows.lines[len(rows.lines)-1].Width() > end-countWidth(total) { // code
			end = r.W - 1
		}
		c.PutRight(r.X, r.Y+len(rows.lines)-1, end, ink.Plain, aboveBelow(rows.above, rows.below, c.Glyphs))
	}
}

// countWords returns the row that counts the lines of the prompt above and below, with the keys that scroll. While text
// is typed no keys are named.
func (p prompt) countWords(above, below int) string {
	words, g := "", p.v.glyphs
	if above > 0 {
		words = fmt.Sprintf(" %s %d", g.Up, above)
	}
	scroll := []action.Name{action.PageDown, action.Full}
	switch {
	case below == 0:
		words += " " + say.Noun(above, "line") + " above"
		scroll = []action.Name{action.PageUp, action.Full}
	case p.unread() == below:
		words += fmt.Sprintf(" %s %s below, unread", g.Down, say.Count(below, "line"))
	case p.unseen() > 0:
		words += fmt.Sprintf(" %s %s below, %d unread", g.Down, say.Count(below, "line"), p.unread())
	default:
		words += fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
		scroll[1] = action.PageUp
	}
	if p.v.form.Typing() != form.FieldNone {
		return words
	}
	return words + say.Keyed(" "+g.Dot+" ", p.readingKeys(scroll...), "")
}

// readingKeys names the keys that scroll. Only the key that shows the text alone has a word behind it.
func (p prompt) readingKeys(actions ...action.Name) string {
	var shown []string
	for _, a := range actions {
		key := p.v.key(a)
		switch {
		case a != action.Full || key == "":
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

// aboveBelow counts the lines above and below in a short form, for the end of a row.
func aboveBelow(above, below int, g ink.Glyphs) string {
	switch {
	case above == 0:
		return fmt.Sprintf(" %s %s", g.Down, say.Count(below, "line"))
	case below == 0:
		return fmt.Sprintf(" %s %s", g.Up, say.Count(above, "line"))
	}
	return fmt.Sprintf(" %s %d %s %d", g.Up, above, g.Down, below)
}

// noteSeen notes that the lines of the prompt from first up to end were on screen, as laid out at w cells. Lines behind
// a part that was never on screen do not count as seen. The result is stored as a number of characters, which is the
// same at every width.
func (p prompt) noteSeen(w, first, end int) {
	p.v.width, p.v.opened = w, true
	sums, s := p.countInk(w), p.spot()
	first, end = max(first, 0), min(end, len(sums))
	if first >= end || first > 0 && sums[first-1] > s.seen {
		return
	}
	s.seen = max(s.seen, sums[end-1])
}

// countInk returns, for each line of the prompt, the number of characters up to its end. Spaces, drawn lines and quote
// signs do not count, because their number depends on the width.
func (p prompt) countInk(w int) []int {
	prompt := p.lines(w)
	k := inkKey{form.Text(p.v.form), p.v.allowedBefore, w}
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

// unseen returns how many lines of the prompt, as it was laid out last, were never on screen.
func (p prompt) unseen() int {
	if !p.v.opened || p.v.form.Reviewing() {
		return 0
	}
	sums := p.countInk(p.v.width)
	return len(sums) - sort.SearchInts(sums, p.spot().seen+1)
}

// unreadBeginsAt reports whether the part of the prompt that was never on screen begins at a line, or below blank lines
// that begin there.
func (p prompt) unreadBeginsAt(line int) bool {
	sums := p.countInk(p.v.width)
	first := len(sums) - p.unseen()
	return line > 0 && line <= first && first < len(sums) && sums[line-1] == sums[first-1]
}

// unread returns how many lines are still to be read, the same number wherever it is shown. If the unread part begins
// directly below the screen, these are all lines below, with the blank ones.
func (p prompt) unread() int {
	unseen := p.unseen()
	if unseen > 0 && p.v.ahead > 0 {
		return p.v.ahead
	}
	return unseen
}

// scrollBy scrolls the prompt by a number of half pages. arrange stops it at the end.
func (p prompt) scrollBy(halves int) {
	s, rows := p.spot(), max(p.v.pageRows, 1)
	if halves%2 == 0 {
		s.scroll += halves / 2 * rows
	} else {
		s.scroll += halves * max(rows/2, 1)
	}
	s.scroll = max(s.scroll, 0)
}

// toggleFull shows only the text, or brings the options back.
func (p prompt) toggleFull() {
	p.v.full, p.spot().scroll = !p.v.full, 0
	p.v.forgetFit()
}

// texts lays out an agent's texts once for each width, and keeps the result.
type texts struct{ laid ink.Laid[laidKey] }

// laidKey identifies a text that is laid out at a width.
type laidKey struct {
	text   string
	w      int
	inline bool
}

// wholeText returns a text laid out at w cells as Markdown.
func (t *texts) wholeText(text string, w int) []ink.Line {
	return t.laid.Once(laidKey{text: text, w: w}, func() []ink.Line { return reading.Markdown(text, w) })
}

// inlineText returns a text laid out at w cells. Only its emphasis, code and links are read as Markdown.
func (t *texts) inlineText(text string, w int) []ink.Line {
	return t.laid.Once(laidKey{text, w, true}, func() []ink.Line { return reading.Inline(text, w) })
}

// wrapHead returns the first n lines of ink.Wrap. It reads no more of a long text than it needs.
func wrapHead(text string, w, n int) []string {
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		// A character that fills a cell has at most four bytes, so this many bytes fill more than n lines. A text with
		// many combining marks may fill fewer.
		if most := 4 * (w + 1) * n; len(para) > most {
			para = strings.ToValidUTF8(para[:most], "")
		}
		if lines = append(lines, ink.Wrap(para, w)...); len(lines) >= n {
			return lines[:n]
		}
	}
	return lines
}

// isApproval reports whether the question is an approval. The text of an approval keeps its rows before the options,
// because it must be read first.
func isApproval(v *display) bool { return v.session.Ask.Kind == queue.KindApproval }

// cursorOn reports whether the cursor is on this row of the options.
func cursorOn(v *display, row int) bool { return row == v.q().Cursor() && (v.over() || v.q().Points()) }

// approval lays out the request of an approval.
type approval struct{ v *display }

// mostReason is the most rows in which an approval's directory and reason are shown together, dim. A longer reason is
// shown as a text of its own.
const mostReason = 3

// lines returns the whole approval at w cells: the request, how often it was allowed before, and below that the
// directory with the agent's reason.
func (a approval) lines(w int) []ink.Line {
	why, before := form.Text(a.v.form), a.v.allowedBefore
	return a.v.texts.laid.Once(laidKey{text: "approval\x00" + before + "\x00" + why, w: w}, func() []ink.Line {
		request := a.v.session.Ask.Approval
		asks := reading.Parts(request, w-1, a.v.glyphs)
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

// dimLines wraps a text in dim lines of at most w-1 cells. An empty text has no lines.
func dimLines(text string, w int) (lines []ink.Line) {
	if text == "" {
		return nil
	}
	for _, l := range ink.Wrap(text, max(w-1, 1)) {
		lines = append(lines, ink.Line{{Text: l, Style: ink.Dim}})
	}
	return lines
}
