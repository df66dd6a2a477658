package panes

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// drawOptions draws the option block and, when folded, the detail block, scrolled so that the cursor is seen.
func (f *Form) drawOptions(c ink.Canvas, r ink.Rect, t Fit, focus bool) {
	lines := f.optionLines(r.W, t)
	folded := t.folded() && f.cursor < len(f.rows) && f.rows[f.cursor] != textRow
	most, room := mostDetail, r.H
	if t.stage >= stageScroll && folded {
		room = max(r.H-f.detailRows(r.W), min(leastOptions, r.H))
		most = min(max(r.H-room, 0), mostDetail)
	}
	var detail []optionLine
	f.cut = false
	if folded {
		detail, f.cut = f.detailOf(f.cursor, r.W, most)
		if t.stage < stageScroll {
			room -= len(detail)
		}
	}
	if o, ok := f.current(); ok && f.read[o.ID] {
		f.cut = false
	}
	y := f.drawWindow(c, ink.Rect{X: r.X, Y: r.Y, W: r.W, H: room}, lines, focus)
	for n, l := range detail {
		if y+n >= r.Y+r.H {
			break
		}
		c.Put(r.X+3, y+n, 1, ink.Plain, c.Glyphs.Bar)
		f.drawLine(c, ink.Rect{X: r.X, Y: y + n, W: r.W, H: 1}, l, false)
	}
	f.drawEditor(c)
}

// drawWindow draws the lines around the cursor that fit, counts the rows above and below, and returns the row
// after the last one. In a window of few rows each is an option's, and the counts stand at their ends.
func (f *Form) drawWindow(c ink.Canvas, r ink.Rect, lines []optionLine, focus bool) int {
	rowOf := func(n int) int { return lines[min(max(n, 0), len(lines)-1)].row }
	top, bottom := window(lines, f.cursor, r.H)
	y := r.Y
	small := r.H <= leastOptions
	above, below := top > 0, bottom < len(lines)
	if below && lines[bottom-1].part == partEditor && lines[len(lines)-1].part == partEditor {
		below = false // it scrolls by itself
	}
	if above && !small {
		top++
		c.Put(r.X, y, r.W, ink.Plain, fmt.Sprintf(" %s %d above", c.Glyphs.Up, rowOf(top)))
		y++
	}
	if below && !small {
		bottom--
	}
	f.editorAt = ink.Rect{}
	first, last := y, y+max(top, bottom)-top-1
	for _, l := range lines[top:max(top, bottom)] {
		tail := ""
		if small && above && y == first && rowOf(top) > 0 {
			tail = fmt.Sprintf(" %s %d", c.Glyphs.Up, rowOf(top))
		}
		if rest := len(f.rows) - 1 - rowOf(bottom-1); small && below && y == last && rest > 0 {
			tail += fmt.Sprintf(" %s %d", c.Glyphs.Down, rest)
		}
		f.drawLine(c, ink.Rect{X: r.X, Y: y, W: r.W - ink.Width(tail), H: 1}, l, focus)
		c.PutRight(r.X, y, r.W-1, ink.Plain, tail)
		y++
	}
	if below && !small {
		words := "more" // of the last row
		if rest := len(f.rows) - 1 - rowOf(bottom-1); rest > 0 {
			words = fmt.Sprintf("%d below", rest)
		}
		c.Put(r.X, y, r.W, ink.Plain, fmt.Sprintf(" %s %s", c.Glyphs.Down, words))
		y++
	}
	return y
}

// window picks the lines on screen: all, or so many around the cursor's row.
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

func (f *Form) drawLine(c ink.Canvas, r ink.Rect, l optionLine, focus bool) {
	g := c.Glyphs
	in := indent(g)
	style := ink.Plain
	if l.row == f.cursor && focus && (l.part == partLabel || l.part == partMore || l.part == partText) && f.field == FieldNone {
		style = style.Reverse(true)
		c.Fill(r, style)
	}
	switch l.part {
	case partLabel:
		f.drawLabel(c, r, l, style)
	case partText:
		f.drawTextRow(c, r, l, style)
	case partNote:
		if l.nth == 0 {
			c.Put(r.X+in, r.Y, 2, style, g.Note)
		}
		c.Put(r.X+in+2, r.Y, r.W-in-2, style, l.text)
	case partEditor:
		f.growEditor(c, r, l)
	case partDescription:
		c.PutLine(r.X+in, r.Y, r.W-in, l.styled)
	default:
		c.Put(r.X+in, r.Y, r.W-in, style, l.text)
	}
}

func (f *Form) drawLabel(c ink.Canvas, r ink.Rect, l optionLine, style ink.Style) {
	g := c.Glyphs
	o := f.q().Options[f.rows[l.row]]
	if l.row == f.cursor {
		c.Put(r.X, r.Y, 1, style, g.Cursor)
	}
	c.Put(r.X+1, r.Y, 2, style, keyCell(f.rules.Keys.KeyFor(keys.PlaceQuestion, keys.ActDigit, f.rows[l.row]+1)))
	on := f.chosen(o.ID)
	mark, markStyle := g.MarkOff, style
	switch {
	case f.Radio() && on:
		mark = g.RadioOn
	case f.Radio():
		mark = g.RadioOff
	case on:
		mark = g.MarkOn
	}
	if on {
		markStyle = style.Foreground(ink.GreenOn(style))
	}
	c.Put(r.X+3, r.Y, ink.Width(mark), markStyle, mark)
	in, end := indent(g), r.W-1
	if badge := f.badge(o, r.W, g); badge != "" {
		end -= ink.Width(badge) + 1
		c.PutRight(r.X, r.Y, r.W-1, style, badge)
	}
	note := ""
	if l.noted {
		note = " " + g.Note
	}
	c.Put(r.X+in, r.Y, end-in, style, ink.Cut(l.text, end-in-ink.Width(note), g.Ellipsis)+note)
}

func (f *Form) drawTextRow(c ink.Canvas, r ink.Rect, l optionLine, style ink.Style) {
	g := c.Glyphs
	if l.nth == 0 {
		if l.row == f.cursor {
			c.Put(r.X, r.Y, 1, style, g.Cursor)
		}
		c.Put(r.X+1, r.Y, 2, style, f.key(keys.ActText))
		if typed := !queue.Blank(f.reply.Text); typed && f.Radio() {
			mark := g.RadioOff
			if f.onText() {
				mark = g.RadioOn
			}
			c.Put(r.X+3, r.Y, ink.Width(mark), style, mark)
		} else if typed {
			c.Put(r.X+3, r.Y, 1, style, g.Bar)
		}
	} else if !f.Radio() {
		c.Put(r.X+3, r.Y, 1, style, g.Bar)
	}
	c.Put(r.X+indent(g), r.Y, r.W-indent(g)-1, style,
		strings.TrimRight(ink.Cut(l.text, r.W-indent(g)-1, g.Ellipsis), " "))
}

// growEditor collects the rows the editor takes; it is drawn once they are known.
func (f *Form) growEditor(c ink.Canvas, r ink.Rect, l optionLine) {
	in := indent(c.Glyphs)
	if f.field == FieldNote {
		if l.nth == 0 || f.editorAt.Empty() {
			c.Put(r.X+in, r.Y, 2, ink.Plain, c.Glyphs.Note)
		}
		in += 2
	} else {
		if l.nth == 0 {
			c.Put(r.X, r.Y, 1, ink.Plain, c.Glyphs.Cursor)
			c.Put(r.X+1, r.Y, 2, ink.Plain, f.key(keys.ActText))
		}
		c.Put(r.X+3, r.Y, 1, ink.Plain, c.Glyphs.Bar)
	}
	if f.editorAt.Empty() {
		f.editorAt = ink.Rect{X: r.X + in, Y: r.Y, W: r.W - in - 1, H: 0}
	}
	f.editorAt.H++
}

func (f *Form) drawEditor(c ink.Canvas) {
	if f.editor == nil || f.editorAt.Empty() {
		return
	}
	f.editor.Draw(c, f.editorAt)
	above, below := f.editor.Hidden(f.editorAt)
	if above > 0 {
		c.Put(f.editorAt.X-2, f.editorAt.Y, 1, ink.Plain, c.Glyphs.Up)
	}
	if below > 0 {
		c.Put(f.editorAt.X-2, f.editorAt.Y+f.editorAt.H-1, 1, ink.Plain, c.Glyphs.Down)
	}
}
