package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/form"
)

// page holds the part of a session that is on screen: where each part is, and which of its lines. arrange computes it
// whenever size or state may have changed; draw only draws it.
type page struct {
	confirming bool
	confirm    confirmRows
	heading    []placedLine
	prompt     promptRows
	counts     placedLine
	options    optionRows
	comment    ink.Rect
	review     ink.Rect // empty: it is not on screen
}

// placedLine is a line of the heading at its row.
type placedLine struct {
	y, in int // in: cells from the left
	headingLine
}

// arrange lays the session out in r, as the fit shares its rows, and takes over what it keeps of that.
func (v *view) arrange(r ink.Rect, t Fit) {
	v.page = page{}
	if v.resting != nil {
		words := ink.Cut(ink.Longest(v.resting, r.W-2), r.W-2, v.glyphs.Ellipsis)
		v.page.heading = []placedLine{{y: r.Y + r.H/2, in: max((r.W-ink.Width(words))/2, 0),
			headingLine: headingLine{text: words, kind: headWords}}}
		return
	}
	wide := r.W
	r.W, r.H = panes.Measured(wide), min(r.H, t.H) // less, while suggestions are listed below
	if v.form.Confirming() {
		v.page.confirming, v.page.confirm = true, confirmation{v}.arrange(r)
		return
	}
	v.frozen = t.keeps
	if v.onlyText() {
		v.page.prompt = prompt{v}.arrange(ink.Rect{X: r.X, Y: r.Y, W: wide, H: r.H})
		return
	}
	p, y, noticed := &v.page, r.Y, false
	for _, l := range (heading{v}).lines(r.W, t.tight()) {
		if l.kind.notice() && !noticed {
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
	words := v.counts(t)
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

// arrangeOptions lays the options out in r, and the comment below them.
func (v *view) arrangeOptions(r ink.Rect, t Fit) {
	v.cutTitle = heading{v}.isCut(r.W, t.tight()) && !v.titleRead
	rows := comment{v}.fit(r.W, r.H)
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

// unread reports whether the title, or the option under the cursor, is shown with less than its whole text and was not
// read at full height.
func (v *view) unread() bool { return v.cut || v.cutTitle }

// drawAsk draws the one-line fields: what to find in a row of its own, and why to cancel over the last rows of an area,
// with what is suggested.
func (v *view) drawAsk(c ink.Canvas, row, area ink.Rect) {
	switch v.form.Typing() {
	case form.FieldFind:
		v.field.DrawBehind(c, row, "/ filter the options: ")
	case form.FieldReason, form.FieldDetail, form.FieldRefusal:
		suggested{v}.draw(c, area, v.cancelLabel(area.W))
	}
}

// Fit shares total rows, the question and the queue strip below it, at w cells, with a strip of up to strip rows. While
// the question stays on screen at one size its rows keep their places. Nothing changes until Arrange has the fit.
func (r *Room) Fit(w, total, strip int) Fit {
	v := r.frame(fitted, fitted)
	if v == nil {
		return Fit{H: total - strip, Strip: strip}
	}
	left := total - suggested{v}.takes(total, r.o.Wide != nil && r.o.Wide())
	if v.resting != nil {
		return Fit{H: total - strip, Strip: strip}
	}
	if v.form.Confirming() {
		strip = confirmation{v}.strip(w, total, strip)
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

// Squeezed returns a fit in fewer rows, as long as the queue has the focus: the question keeps its title and comes back
// as it was.
func (r *Room) Squeezed(whole Fit, w, rows int) Fit {
	v := r.at()
	if v == nil || v.resting != nil || v.form.Confirming() {
		return Fit{H: rows}
	}
	return v.squeezed(whole, w, rows)
}

// OnlyText reports whether only the text of the question on view is on screen, so that a queue below it is not.
func (r *Room) OnlyText() bool {
	v := r.at()
	return v != nil && v.onlyText()
}
