package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Stages in which a question gets along with fewer rows, in the order of docs/design.md section 6, "Giving way". Each
// includes the ones before it.
const (
	stageRoomy    = iota
	stageNoBlanks // without blank lines
	stageNoCount  // without the line that counts marks, because the Enter line says that too
	stageFolded   // with one row for each option, and the description of one option below them
	stagePrompt   // with one line of the prompt
	stageStrip    // without rows for the queue below the question
	stageScroll   // the options scroll
)

// Fit says how a question shares the rows between the line over it and the line below it. It is computed from the
// state, and computing it changes nothing. Arrange remembers it for as long as the question stays on screen.
type Fit struct {
	stage      int
	back       regained
	total      int     // the rows of question and strip together
	kept       keptFit // what fitFrom needs to give the same rows the next time
	Prompt     int     // rows of the prompt
	QueueStrip int     // the rows of the queue strip below; 0: only the line above it is shown
	H          int     // the rows of the question
	Free       int     // how many of H, the last ones, the question leaves empty
	cut        bool    // not all of the prompt is on screen
}

// regained lists what was left out at an early stage and is shown after all, because a later stage has left rows empty.
type regained struct {
	count bool
	gaps  gap // the blank lines before this one are shown again
}

// gap names a blank line. The constants are in the order in which blank lines are shown again.
type gap int

const (
	gapOptions gap = iota // above the options
	gapHead               // below title and notices
	gapCount              // above the line that says how many options to mark
	gapNotice             // above the notices
	gaps                  // the number of gaps
)

// blank returns the rows of a gap.
func (t Fit) blank(g gap) int {
	if t.stage < stageNoBlanks || g < t.back.gaps {
		return 1
	}
	return 0
}

// Whole reports whether all of the question's text is on screen, and all options with their descriptions, so that the
// button is below them. The confirmation and the text alone have no button there.
func (t Fit) Whole() bool { return t.kept.set && t.stage < stageFolded && !t.cut }

// counted reports whether the line that says how many options to mark is shown.
func (t Fit) counted() bool { return t.stage < stageNoCount || t.back.count }

// folded reports whether each option has only one row.
func (t Fit) folded() bool { return t.stage >= stageFolded }

// smallTotal is the number of rows that question and strip have together in a pane of 12 rows.
const smallTotal = 8

// hides reports whether no description is shown at all, because the pane is small. A row counts the descriptions
// instead, and more of the question's text is shown.
func (t Fit) hides() bool { return t.folded() && t.total <= smallTotal }

// tight reports whether not even the folded options fit, so that they scroll.
func (t Fit) tight() bool { return t.stage >= stageScroll }

// arranged holds the result of the last arrangement of the rows.
type arranged struct {
	keptFit     keptFit
	cut         bool // the option under the cursor is not shown in full
	tallied     bool // a row below the options counts the hidden descriptions and names the key that shows them
	unreadTitle bool // the title is cut and was never shown in full
}

// keptFit is what a question keeps of the fit with which it came on screen, so that nothing moves while it stays there:
// the size, the stage, and the rows of the prompt.
type keptFit struct {
	set                     bool
	w, total, stage, prompt int
	back                    regained
}

// forgetFit lets the rows be shared again, as for a question that has just come on screen.
func (v *display) forgetFit() { v.keptFit = keptFit{} }

// fit shares total rows, of question and strip together, at wide cells; the strip gets at most strip rows. While the
// question stays on screen at the same size its rows keep their places: a question that arrives in the queue takes only
// empty rows.
func (v *display) fit(wide, total, strip int) Fit {
	if v.onlyText() {
		return Fit{total: total, H: total, Prompt: total, kept: v.keptFit, cut: true}
	}
	t := v.fitFrom(v.keptFit, wide, total, strip)
	t.cut = t.Prompt < len(prompt{v}.wholeLines(wide))
	t.Free = max(t.H-v.rowsNeeded(panes.Measured(wide), t), 0)
	return t
}

// fitFrom returns the fit of a question that was on screen with an earlier fit.
func (v *display) fitFrom(earlier keptFit, wide, total, strip int) Fit {
	w, from := panes.Measured(wide), stageRoomy
	if earlier.set && earlier.w == w && earlier.total == total {
		from = earlier.stage
		got := Fit{stage: earlier.stage, back: earlier.back, total: total, kept: earlier, Prompt: earlier.prompt}
		if need := v.rowsNeeded(w, got); need <= total {
			got.QueueStrip = min(strip, total-need)
			got.H = total - got.QueueStrip
			return got
		}
	}
	got := v.giveWay(wide, total, strip, from)
	got.kept = keptFit{set: true, w: w, total: total, stage: got.stage, prompt: got.Prompt, back: got.back}
	return got
}

// squeezed returns the fit for fewer rows, without a strip. It is for a while only, so the question keeps its earlier
// fit.
func (v *display) squeezed(whole Fit, wide, rows int) Fit {
	if v.onlyText() {
		return Fit{total: rows, H: rows, Prompt: rows, kept: whole.kept}
	}
	t := v.fitFrom(keptFit{}, wide, rows, 0)
	t.kept, t.Free = whole.kept, max(t.H-v.rowsNeeded(panes.Measured(wide), t), 0)
	room := t.H - len(heading{v}.tightLines(panes.Measured(wide)))
	if room-t.Prompt < min(leastOptions, len(v.q().Options)) { // too few options are visible
		t.Prompt = max(room, 0)
	}
	return t
}

// giveWay leaves out more and more, stage by stage from a given one, and returns the first fit in which the options
// need not scroll. If there is none, it returns the fit of stageScroll.
func (v *display) giveWay(wide, total, strip, from int) Fit {
	w, all := panes.Measured(wide), len(prompt{v}.wholeLines(wide))
	for stage := from; stage < stageScroll; stage++ {
		s := strip
		if stage >= stageStrip {
			s = 0
		}
		h := total - s
		t := Fit{stage: stage, total: total, Prompt: min(all, max(h/2, 1))}
		if stage >= stagePrompt && !isApproval(v) { // a request must be read before it is allowed, so its text stays
			t.Prompt = min(all, 1)
		}
		if need := v.rowsNeeded(w, t); need <= h {
			t.Prompt, t.H = min(all, t.Prompt+h-need), h
			t = v.giveRowsBack(w, t, 0)
			if stage >= stageStrip { // rows that the prompt and the count do not need
				s = min(strip, h-v.rowsNeeded(w, t))
			}
			t.QueueStrip, t.H = s, total-s
			return v.giveRowsBack(w, t, gaps)
		}
	}
	t := Fit{stage: stageScroll, total: total, H: total}
	t.Prompt = v.leastPrompt(wide, t, all)
	t.back = v.keepWhileScrolling(w, t)
	return t
}

// While options scroll, the line that says how many to mark is shown if more than leastForCount rows are left for the
// options, and blank lines are shown from leastForBlanks on.
const (
	leastForCount  = 8
	leastForBlanks = 16
)

// keepWhileScrolling returns what need not be left out although the options scroll, because the options have enough
// rows without it.
func (v *display) keepWhileScrolling(w int, t Fit) regained {
	if v.form.Typing() != form.FieldNone {
		return regained{}
	}
	block := options{v}
	rows := t.H - len(heading{v}.tightLines(w)) - t.Prompt - block.detailRows(w, t) -
		comment{v}.fitRows(w, leastOptions)
	back := regained{count: rows > leastForCount}
	if rows > leastForBlanks {
		back.gaps = gaps
	}
	return back
}

// giveRowsBack returns a fit that shows again what was left out first, as far as empty rows allow: the line that says
// how many to mark, then blank lines, at most the given number of them.
func (v *display) giveRowsBack(w int, t Fit, most gap) Fit {
	for back := (regained{count: true}); back.gaps <= most; back.gaps++ {
		more := t
		if more.back = back; v.rowsNeeded(w, more) > t.H {
			break
		}
		t = more
	}
	return t
}

// leastPrompt returns how many rows the prompt keeps while the options scroll: up to a third of the rows, or half of
// them for an approval, but none if a text that is being typed needs them.
func (v *display) leastPrompt(wide int, t Fit, all int) int {
	w, h := panes.Measured(wide), t.H
	head := len(heading{v}.tightLines(w))
	if v.form.Typing() != form.FieldNone && h-head-leastOptions < 2 {
		return 0
	}
	block := options{v}
	rest := min(leastOptions, len(block.lines(w, t))) + comment{v}.fitRows(w, leastOptions)
	if isApproval(v) {
		return min(all, max(min(h/2, h-head-rest), 1))
	}
	rest += block.detailRows(w, t)
	return min(all, max(min(h/3, h-head-rest), 1))
}

// rowsNeeded returns how many rows the question needs with a fit's stage and rows of the prompt.
func (v *display) rowsNeeded(w int, t Fit) int {
	head, commentRows := heading{v}, comment{v}.rows(w)
	if v.form.Reviewing() { // a blank row is above the review, and below it a row or more for the comment being typed
		return len(head.wholeLines(w)) + 1 + len(review{v}.wholeLines(w)) + max(commentRows, 1)
	}
	n := len(head.wholeLines(w)) + t.Prompt + len(options{v}.lines(w, t)) + commentRows
	if t.folded() {
		n += options{v}.detailRows(w, t)
	}
	if len(head.notices(w)) > 0 {
		n += t.blank(gapNotice)
	}
	n += t.blank(gapHead)
	count := v.countLine(t) != ""
	if t.Prompt > 0 {
		n += t.blank(belowPrompt(count))
	}
	if count {
		n += 1 + t.blank(gapOptions)
	}
	return n
}

// belowPrompt returns the blank line below the prompt; count: the next row says how many options to mark.
func belowPrompt(count bool) gap {
	if count {
		return gapCount
	}
	return gapOptions
}

// countLine returns the line that says how many options to mark; empty: it has no row of its own.
func (v *display) countLine(t Fit) string {
	if !t.counted() {
		return ""
	}
	return v.markingWords()
}

// markingWords says how many options to mark; empty: the options exclude each other, there are none, or it is an
// approval.
func (v *display) markingWords() string {
	q := v.q()
	if q.Radio() || q.Mode == queue.ModeText || len(q.Options) == 0 || v.form.Approves() {
		return ""
	}
	return say.Marking(q.Question, len(q.Options)-q.HiddenRows(), len(q.Selected()), q.HiddenMarks(),
		v.key(action.Hidden))
}

// page says what of a session is on screen: which lines of each part, and in which rows. arrange computes it whenever
// size or state may have changed; draw only draws it.
type page struct {
	confirming bool
	confirm    confirmRows
	batch      batchRows
	heading    []placedLine
	prompt     promptRows
	counts     placedLine
	options    optionRows
	comment    ink.Rect
	review     ink.Rect // empty: the review is not on screen
}

// placedLine is a line of the heading at its row.
type placedLine struct {
	y, in int // y is the row, in the number of empty cells left of the line
	headingLine
}

// arrange lays the session out in r. The fit says how many rows each part has; arrange remembers it, so that nothing
// moves while the question stays on screen.
func (v *display) arrange(r ink.Rect, t Fit) {
	v.page = page{}
	if v.setAsideWords != nil {
		words := ink.Cut(ink.Longest(v.setAsideWords, r.W-2), r.W-2, v.glyphs.Ellipsis)
		v.page.heading = []placedLine{{y: r.Y + r.H/2, in: max((r.W-ink.Width(words))/2, 0),
			headingLine: headingLine{text: words, kind: headWords}}}
		return
	}
	wide := r.W
	r.W, r.H = panes.Measured(wide), min(r.H, t.H) // fewer rows while suggestions are listed below
	if v.batch.rows != nil {
		v.page.batch = batch{v}.arrange(r)
		return
	}
	if v.form.ConfirmsApart() {
		v.page.confirming, v.page.confirm = true, confirmation{v}.arrange(r)
		return
	}
	v.keptFit = t.kept
	if v.onlyText() {
		v.page.prompt = prompt{v}.arrange(ink.Rect{X: r.X, Y: r.Y, W: wide, H: r.H})
		return
	}
	p, y, noticed := &v.page, r.Y, false
	for _, l := range (heading{v}).lines(r.W, t.tight()) {
		if l.kind.isNotice() && !noticed {
			y += t.blank(gapNotice)
			noticed = true
		}
		p.heading = append(p.heading, placedLine{y: y, headingLine: l})
		y++
	}
	if v.form.Reviewing() {
		p.review = ink.Rect{X: r.X, Y: y, W: r.W, H: max(r.Y+r.H-y, 0)}
		return
	}
	y += t.blank(gapHead)
	words := v.countLine(t)
	if t.Prompt > 0 {
		p.prompt = prompt{v}.arrange(ink.Rect{X: r.X, Y: y, W: wide, H: t.Prompt})
		y += t.Prompt + t.blank(belowPrompt(words != ""))
	}
	if words != "" {
		p.counts = placedLine{y: y, headingLine: headingLine{text: words, kind: headWords}}
		y += 1 + t.blank(gapOptions)
	} else {
		p.counts = heading{v}.countsBeside(p.heading, r.W-1)
	}
	v.arrangeOptions(ink.Rect{X: r.X, Y: y, W: r.W, H: r.Y + r.H - y}, t)
	v.unreadTitle = heading{v}.isCut(r.W, t.tight()) && !v.titleRead
}

// arrangeOptions places the options in r, and the comment below them.
func (v *display) arrangeOptions(r ink.Rect, t Fit) {
	rows := comment{v}.fitRows(r.W, r.H)
	at := ink.Rect{X: r.X, Y: r.Y, W: r.W, H: max(r.H-rows, 0)}
	v.page.options = options{v}.arrange(at, t)
	if rows == 0 {
		return
	}
	used := min(len(v.page.options.lines), r.H-rows)
	if t.folded() {
		used = min(used+options{v}.detailRows(r.W, t), r.H-rows)
	}
	v.page.comment = ink.Rect{X: r.X, Y: r.Y + used, W: r.W, H: rows}
}

// draw draws into r what arrange laid out; focus: the row under the cursor is highlighted.
func (v *display) draw(c ink.Canvas, r ink.Rect, focus bool) {
	p := v.page
	if v.batch.rows != nil {
		batch{v}.draw(c, p.batch, focus)
		return
	}
	if p.confirming {
		confirmation{v}.draw(c, p.confirm)
		return
	}
	w := panes.Measured(r.W)
	for _, l := range append(p.heading[:len(p.heading):len(p.heading)], p.counts) {
		heading{v}.draw(c, r.X, w-1, l)
	}
	if !p.review.Empty() {
		review{v}.draw(c, p.review)
		return
	}
	prompt{v}.draw(c, p.prompt)
	painter := optionPainter{options: options{v}, c: c, focus: focus}
	painter.draw(p.options)
	if !p.comment.Empty() {
		comment{v}.draw(c, p.comment)
	}
}

// saysUnread reports whether the button has to say that the title, or the option under the cursor, is cut and was not
// read in full before. A row that counts the hidden descriptions says it already.
func (v *display) saysUnread() bool { return v.unreadTitle || v.cut && (!v.tallied || v.onlyText()) }

// drawAsk draws the text fields of one line: the filter of the options into row, and a reason over the last rows of
// area, with the suggested reasons below it.
func (v *display) drawAsk(c ink.Canvas, row, area ink.Rect) {
	switch v.form.Typing() {
	case form.FieldFind:
		v.field.DrawBehind(c, row, "/ filter the options: ")
	case form.FieldReason, form.FieldDetail, form.FieldRefusal:
		suggested{v}.draw(c, area, v.cancelLabel(area.W))
	}
}

// Fit decides how the question, at w cells, and the queue strip below it share total rows. The strip gets at most strip
// rows. While the question stays on screen at the same size, its rows keep their places. Fit changes nothing; Arrange
// takes over the result.
func (r *Room) Fit(w, total, strip int) Fit {
	v := r.frame(fitted, fitted)
	if v == nil {
		return Fit{H: total - strip, QueueStrip: strip}
	}
	left := total
	if v.form.Typing() != form.FieldNone {
		left -= suggested{v}.takes(total, r.o.Wide != nil && r.o.Wide())
	}
	if v.setAsideWords != nil {
		return Fit{H: total - strip, QueueStrip: strip}
	}
	if v.batch.rows != nil {
		return batch{v}.fit(w, total, strip)
	}
	if v.form.ConfirmsApart() {
		strip = confirmation{v}.stripRows(w, total, strip)
		if total-strip > left {
			return Fit{H: left}
		}
		return Fit{H: total - strip, QueueStrip: strip}
	}
	whole := v.fit(w, total, strip)
	if whole.H > left {
		return v.squeezed(whole, w, left)
	}
	return whole
}

// Squeezed returns the fit for fewer rows, while the queue has the focus and most of the rows. The question keeps its
// title, and has its earlier fit again afterwards.
func (r *Room) Squeezed(whole Fit, w, rows int) Fit {
	v := r.at()
	if v == nil || v.setAsideWords != nil || v.batch.rows != nil || v.form.ConfirmsApart() {
		return Fit{H: rows}
	}
	return v.squeezed(whole, w, rows)
}

// OnlyText reports whether only the text of the question on view is on screen, without options and without a queue
// below it.
func (r *Room) OnlyText() bool {
	v := r.at()
	return v != nil && v.onlyText()
}
