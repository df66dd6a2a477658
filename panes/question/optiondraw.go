package question

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// optionPainter draws one frame of the options.
type optionPainter struct {
	options
	c      ink.Canvas
	focus  bool     // the row under the cursor is highlighted
	editor ink.Rect // where the text being typed is drawn; it grows row by row
}

// draw draws the options, scrolled so that the cursor is visible, and below them the text of the option under the
// cursor, if that is folded.
func (p *optionPainter) draw(rows optionRows) {
	r := rows.at
	y := p.drawWindow(ink.Rect{X: r.X, Y: r.Y, W: r.W, H: rows.room}, rows.lines)
	for n, l := range rows.detail {
		if y+n >= r.Y+r.H {
			break
		}
		if l.part == partHidden {
			p.c.Put(r.X+1, y+n, r.W-1, ink.Plain, l.text)
			continue
		}
		p.c.Put(r.X+3, y+n, 1, ink.Plain, p.c.Glyphs.Bar)
		p.drawLine(ink.Rect{X: r.X, Y: y + n, W: r.W, H: 1}, l, false)
	}
	p.drawEditor()
}

// optionWindow is the part of the option lines that is on screen, with the number of option rows above and below it.
type optionWindow struct {
	lines        []optionLine
	above, below bool
	rowsAbove    int
	rowsBelow    int
	small        bool // few rows: the counts are at the ends of options' rows
}

// windowOf picks the lines around the cursor that fit the given rows.
func (p *optionPainter) windowOf(lines []optionLine, rows int) optionWindow {
	if rows <= 0 || len(lines) == 0 { // no row is left in a small pane whose queue has the focus
		return optionWindow{}
	}
	rowOf := func(n int) int { return lines[min(max(n, 0), len(lines)-1)].row }
	top, bottom := window(lines, p.v.q().Cursor(), rows)
	w := optionWindow{small: rows <= leastOptions, above: top > 0, below: bottom < len(lines)}
	if w.below && lines[bottom-1].part == partEditor && lines[len(lines)-1].part == partEditor {
		w.below = false // the text being typed scrolls on its own
	}
	if w.above && !w.small {
		top++
	}
	if w.below && !w.small {
		bottom--
	}
	w.rowsAbove, w.rowsBelow = rowOf(top), len(p.v.q().Rows())-1-rowOf(bottom-1)
	w.lines = lines[top:max(top, bottom)]
	return w
}

// drawWindow draws the lines around the cursor that fit, counts the rows above and below, and returns the row after
// the last one.
func (p *optionPainter) drawWindow(r ink.Rect, lines []optionLine) int {
	c, y := p.c, r.Y
	w := p.windowOf(lines, r.H)
	if w.above && !w.small {
		c.Put(r.X, y, r.W, ink.Plain, fmt.Sprintf(" %s %d above", c.Glyphs.Up, w.rowsAbove))
		y++
	}
	for n, l := range w.lines {
		tail := ""
		if w.small && w.above && n == 0 && w.rowsAbove > 0 {
			tail = fmt.Sprintf(" %s %d", c.Glyphs.Up, w.rowsAbove)
		}
		if w.small && w.below && n == len(w.lines)-1 && w.rowsBelow > 0 {
			tail += fmt.Sprintf(" %s %d", c.Glyphs.Down, w.rowsBelow)
		}
		p.drawLine(ink.Rect{X: r.X, Y: y, W: r.W - ink.Width(tail), H: 1}, l, p.focus)
		c.PutRight(r.X, y, r.W-1, ink.Plain, tail)
		y++
	}
	if w.below && !w.small {
		words := "more" // the last option has more lines
		if w.rowsBelow > 0 {
			words = fmt.Sprintf("%d below", w.rowsBelow)
		}
		c.Put(r.X, y, r.W, ink.Plain, fmt.Sprintf(" %s %s", c.Glyphs.Down, words))
		y++
	}
	return y
}

// window returns which lines are on screen: all if they fit, else as many around the cursor's row as fit.
func window(lines []optionLine, cursor, room int) (top, bottom int) {
	if len(lines) <= room {
		return 0, len(lines)
	}
	first, last := len(lines), 0
	for n, l := range lines {
		if l.row == cursor {
			first, last = min(first, n), n
		}
	}
	top = 0
	if last >= room-1 { // leave a line for "below"
		top = min(last-room+2, len(lines)-room)
	}
	if first <= top && first > 0 { // and one for "above"
		top = max(first-1, 0)
	}
	return top, min(top+room, len(lines))
}

// drawLine draws one line of the options into r. focus: the row of the cursor is highlighted.
func (p *optionPainter) drawLine(r ink.Rect, l optionLine, focus bool) {
	c, in := p.c, p.v.indent()
	inBand := l.part == partLabel || l.part == partMore || l.part == partText || l.part == partDescription
	if cursorOn(p.v, l.row) && focus && inBand && p.v.form.Typing() == form.FieldNone && !p.v.over() {
		c = c.Band(r)
	}
	switch l.part {
	case partLabel:
		p.drawLabel(c, r, l)
	case partText:
		p.drawWords(c, r, l)
	case partNote:
		if l.nth == 0 {
			c.Put(r.X+in, r.Y, 2, ink.Plain, c.Glyphs.Note)
		}
		c.Put(r.X+in+2, r.Y, r.W-in-2, ink.Plain, l.text)
	case partEditor:
		p.growEditor(r, l)
	case partDescription:
		c.PutLine(r.X+in, r.Y, r.W-in, l.styled)
	default:
		c.Put(r.X+in, r.Y, r.W-in, ink.Label, l.text)
	}
}

// drawLabel draws the first row of an option.
func (p *optionPainter) drawLabel(c ink.Canvas, r ink.Rect, l optionLine) {
	g, q, in := c.Glyphs, p.v.q(), p.v.indent()
	i := q.Rows()[l.row]
	option := q.Options[i]
	if cursorOn(p.v, l.row) {
		c.Put(r.X, r.Y, 1, ink.Plain, g.Cursor)
	}
	c.Put(r.X+1, r.Y, 2, ink.Plain, ink.KeyCell(p.v.keys.KeyFor(keys.PlaceQuestion, deed.Digit, i+1)))
	p.drawMark(c, r, p.v.q().Radio() || option.Act != "", p.v.chosen(option.ID))
	end := r.W - 1
	if badge := p.badge(option, r.W); len(badge) > 0 {
		end -= badge.Width() + 1
		c.PutLineRight(r.X, r.Y, r.W-1, badge)
	}
	note := ""
	if l.noted {
		note = " " + g.Note
	}
	c.Put(r.X+in, r.Y, end-in, ink.Label, ink.Cut(l.text, end-in-ink.Width(note), g.Ellipsis)+note)
}

// drawMark draws the sign of an option: a round one if choosing it excludes other options (dot), else a square one.
func (p *optionPainter) drawMark(c ink.Canvas, r ink.Rect, dot, on bool) {
	sign, style := p.markSign(dot, on), ink.Plain
	if on {
		style = ink.Good
	}
	c.Put(r.X+3, r.Y, ink.Width(sign), style, sign)
}

// markSign returns the sign of an option that is chosen (on) or not.
func (p *optionPainter) markSign(dot, on bool) string {
	switch {
	case dot && on:
		return p.c.Glyphs.RadioOn
	case dot:
		return p.c.Glyphs.RadioOff
	case on:
		return p.c.Glyphs.MarkOn
	}
	return p.c.Glyphs.MarkOff
}

// drawWords draws a line of the person's own words.
func (p *optionPainter) drawWords(c ink.Canvas, r ink.Rect, l optionLine) {
	g, q, in := c.Glyphs, p.v.q(), p.v.indent()
	switch {
	case l.nth > 0 && !q.Radio():
		c.Put(r.X+3, r.Y, 1, ink.Plain, g.Bar)
	case l.nth > 0:
	default:
		p.drawWordsKey(c, r, l)
	}
	text := strings.TrimRight(ink.Cut(l.text, r.W-in-1, g.Ellipsis), " ")
	c.Put(r.X+in, r.Y, r.W-in-1, ink.Plain, text)
}

// drawWordsKey draws the key before the first row of the person's own words.
func (p *optionPainter) drawWordsKey(c ink.Canvas, r ink.Rect, l optionLine) {
	g, q := c.Glyphs, p.v.q()
	if l.row == q.Cursor() {
		c.Put(r.X, r.Y, 1, ink.Plain, g.Cursor)
	}
	c.Put(r.X+1, r.Y, 2, ink.Plain, p.v.key(deed.Text))
	switch typed := !queue.Blank(q.Words()); {
	case !typed:
	case !q.Radio():
		c.Put(r.X+3, r.Y, 1, ink.Plain, g.Bar)
	default:
		p.drawMark(c, r, true, p.v.wordsChosen())
	}
}

// growEditor adds a row to the rectangle of the text being typed. The text is drawn when all its rows are known.
func (p *optionPainter) growEditor(r ink.Rect, l optionLine) {
	c, in := p.c, p.v.indent()
	if p.v.types(form.FieldNote) {
		if l.nth == 0 || p.editor.Empty() {
			c.Put(r.X+in, r.Y, 2, ink.Plain, c.Glyphs.Note)
		}
		in += 2
	} else {
		if l.nth == 0 {
			c.Put(r.X, r.Y, 1, ink.Accent, c.Glyphs.Cursor)
			c.Put(r.X+1, r.Y, 2, ink.Accent, p.v.key(deed.Text))
		}
		c.Put(r.X+3, r.Y, 1, ink.Plain, c.Glyphs.Bar)
	}
	if p.editor.Empty() {
		p.editor = ink.Rect{X: r.X + in, Y: r.Y, W: r.W - in - 1, H: 0}
	}
	p.editor.H++
}

// drawEditor draws the text being typed into the rows that growEditor has collected.
func (p *optionPainter) drawEditor() {
	if p.v.field == nil || p.editor.Empty() {
		return
	}
	p.v.field.Draw(p.c, p.editor)
	if q := p.v.q(); p.v.types(form.FieldText) && p.v.field.Text() == "" && q.Placeholder != "" {
		p.c.Put(p.editor.X, p.editor.Y, p.editor.W, ink.Dim, say.OneLine(q.Placeholder)) // until the first character
	}
	above, below := p.v.field.Hidden(p.editor)
	if above > 0 {
		p.c.Put(p.editor.X-2, p.editor.Y, 1, ink.Plain, p.c.Glyphs.Up)
	}
	if below > 0 {
		p.c.Put(p.editor.X-2, p.editor.Y+p.editor.H-1, 1, ink.Plain, p.c.Glyphs.Down)
	}
}
