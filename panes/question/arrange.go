package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/form"
)

// page says what of a session is on screen: which lines of each part, and in which rows. arrange computes it whenever
// size or state may have changed; draw only draws it.
type page struct {
	confirming bool
	confirm    confirmRows
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
func (v *view) arrange(r ink.Rect, t Fit) {
	v.page = page{}
	if v.setAsideWords != nil {
		words := ink.Cut(ink.Longest(v.setAsideWords, r.W-2), r.W-2, v.glyphs.Ellipsis)
		v.page.heading = []placedLine{{y: r.Y + r.H/2, in: max((r.W-ink.Width(words))/2, 0),
			headingLine: headingLine{text: words, kind: headWords}}}
		return
	}
	wide := r.W
	r.W, r.H = panes.Measured(wide), min(r.H, t.H) // fewer rows while suggestions are listed below
	if v.form.Confirming() {
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
}

// arrangeOptions places the options in r, and the comment below them.
func (v *view) arrangeOptions(r ink.Rect, t Fit) {
	v.cutTitle = heading{v}.isCut(r.W, t.tight()) && !v.titleRead
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
func (v *view) draw(c ink.Canvas, r ink.Rect, focus bool) {
	p := v.page
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
	comment{v}.draw(c, p.comment)
}

// unread reports whether the title or the option under the cursor is cut on screen, and was not read in full before.
func (v *view) unread() bool { return v.cut || v.cutTitle }

// drawAsk draws the text fields of one line: the filter of the options into row, and a reason over the last rows of
// area, with the suggested reasons below it.
func (v *view) drawAsk(c ink.Canvas, row, area ink.Rect) {
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
		return Fit{H: total - strip, Strip: strip}
	}
	left := total - suggested{v}.takes(total, r.o.Wide != nil && r.o.Wide())
	if v.setAsideWords != nil {
		return Fit{H: total - strip, Strip: strip}
	}
	if v.form.Confirming() {
		strip = confirmation{v}.stripRows(w, total, strip)
		if total-strip > left {
			return Fit{H: left}
		}
		return Fit{H: total - strip, Strip: strip}
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
	if v == nil || v.setAsideWords != nil || v.form.Confirming() {
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
