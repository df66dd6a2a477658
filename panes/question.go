package panes

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Draw draws the question into r, as the fit shares its rows. focus: keys go to it.
func (f *Form) Draw(c ink.Canvas, r ink.Rect, t Fit, focus bool) {
	y, wide := r.Y, r.W
	r.W = measured(r.W)
	blank := func() {
		if t.blanks() {
			y++
		}
	}
	noticed := false
	for _, l := range f.heading(r.W, t.stage >= stageScroll) {
		style := ink.Bold
		if l.kind == headTabs {
			style = ink.Plain
		}
		if l.kind == headNotice {
			style = ink.Danger.Bold(true)
			if !noticed {
				blank()
			}
			noticed = true
		}
		c.Put(r.X, y, r.W-1, style, l.text)
		y++
	}
	if f.Reviewing() {
		f.drawReview(c, ink.Rect{X: r.X, Y: y, W: r.W, H: max(r.Y+r.H-y, 0)})
		return
	}
	blank()
	if t.Prompt > 0 {
		y += f.drawPrompt(c, ink.Rect{X: r.X, Y: y, W: wide, H: t.Prompt})
		blank()
	}
	if words := f.counts(t); words != "" && t.blanks() {
		c.Put(r.X, y, r.W-1, ink.Plain, words)
		y += 2
	}
	f.cutTitle = f.titleCut(r.W, t.stage >= stageScroll) && !f.titleRead
	rows := f.commentFit(r.W, r.Y+r.H-y)
	f.drawOptions(c, ink.Rect{X: r.X, Y: y, W: r.W, H: max(r.Y+r.H-y-rows, 0)}, t, focus)
	if rows > 0 {
		used := min(len(f.optionLines(r.W, t)), r.Y+r.H-y-rows)
		if t.folded() {
			used = min(used+f.detailRows(r.W), r.Y+r.H-y-rows)
		}
		f.drawComment(c, ink.Rect{X: r.X, Y: y + used, W: r.W, H: rows})
	}
}

// commentRows is the height of the comment on the whole, 0 without one.
func (f *Form) commentRows(w int) int {
	room := max(w-f.indent()-1, 8)
	switch {
	case f.field == FieldComment:
		return min(max(f.editor.Rows(room), 1), 6)
	case queue.Blank(f.comment):
		return 0
	}
	return len(wrapHead(say.Text(f.comment), room, 3))
}

// commentFit is how many of a number of rows the comment takes: three stay with the options, so do two more for
// other text being typed; of its own it has two while it is typed, else one.
func (f *Form) commentFit(w, rows int) int {
	room, least := rows-leastOptions, 1
	switch f.field {
	case FieldComment:
		least = 2
	case FieldText, FieldNote:
		room, least = room-2, 0
	}
	return max(min(f.commentRows(w), max(room, least), rows), 0)
}

func (f *Form) drawComment(c ink.Canvas, r ink.Rect) {
	in := indent(c.Glyphs)
	c.Put(r.X+1, r.Y, 2, ink.Plain, f.key(keys.ActComment))
	for n := range r.H {
		c.Put(r.X+3, r.Y+n, 1, ink.Plain, c.Glyphs.Bar)
	}
	if f.field == FieldComment {
		f.editor.Draw(c, ink.Rect{X: r.X + in, Y: r.Y, W: r.W - in - 1, H: r.H})
		return
	}
	lines := wrapHead(say.Text(f.comment), max(r.W-in-1, 8), r.H+1)
	for n, l := range lines {
		if n == r.H-1 && n < len(lines)-1 {
			l = ink.Cut(l, r.W-in-2, "") + c.Glyphs.Ellipsis
		}
		if n == r.H {
			break
		}
		c.Put(r.X+in, r.Y+n, r.W-in-1, ink.Plain, l)
	}
}
