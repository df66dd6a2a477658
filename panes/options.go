package panes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// indent is the column where labels and their details begin.
func indent(g Glyphs) int { return 4 + Width(g.RadioOn) }

func (f *Form) indent() int { return indent(f.glyphs()) }

// rowPart says what one line of the option block shows.
type rowPart int

const (
	partLabel rowPart = iota
	partMore          // the label goes on
	partDescription
	partNote
	partText // the person's own words
	partEditor
)

// optionLine is one screen line of the option block.
type optionLine struct {
	row  int // index into Form.rows
	part rowPart
	text string
	nth  int // line within its part

	styled Line // instead of text, for a description
	noted  bool // a note on it is folded away
}

// more says at the end of the line that there is more.
func (l optionLine) more(w int, ellipsis string) optionLine {
	w -= Width(ellipsis)
	if l.styled != nil {
		l.styled = append(slices.Clip(l.styled.Cut(w, "")), Span{ellipsis, Plain})
		return l
	}
	l.text = Cut(l.text, w, "") + ellipsis
	return l
}

// optionLines lays the option block out at w cells: labels and details in full, or one line each when folded.
func (f *Form) optionLines(w int, t Fit) []optionLine {
	var lines []optionLine
	room := max(w-f.indent()-1, 8)
	for row, i := range f.rows {
		if i == textRow {
			lines = append(lines, f.textLines(row, w)...)
			continue
		}
		o := f.q().Options[i]
		if t.folded() {
			lines = append(lines, optionLine{row: row, text: line(o.Label), noted: row != f.cursor && !queue.Blank(f.reply.Notes[o.ID])})
			continue
		}
		labelRoom := room
		if badge := f.badge(o, w, f.glyphs()); badge != "" {
			labelRoom = max(room-Width(badge)-1, 8)
		}
		for n, l := range Wrap(line(o.Label), labelRoom) {
			part := partLabel
			if n > 0 {
				part = partMore
			}
			lines = append(lines, optionLine{row: row, part: part, text: l, nth: n})
		}
		lines = append(lines, f.details(row, o, room)...)
	}
	return lines
}

// details are an option's description and note, or the note being typed.
func (f *Form) details(row int, o queue.Option, room int) []optionLine {
	var lines []optionLine
	if o.Description != "" {
		for n, l := range f.description(o.Description, room) {
			lines = append(lines, optionLine{row: row, part: partDescription, styled: l, nth: n})
		}
	}
	if f.field == FieldNote && f.noteOf == o.ID {
		for n := range min(f.editor.Rows(room-2), 8) {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
		return lines
	}
	if note := f.reply.Notes[o.ID]; !queue.Blank(note) {
		for n, l := range Wrap(shown(note), room-2) {
			lines = append(lines, optionLine{row: row, part: partNote, text: l, nth: n})
		}
	}
	return lines
}

// textLines are the row of the person's own words.
func (f *Form) textLines(row, w int) []optionLine {
	room := max(w-f.indent()-1, 8)
	var lines []optionLine
	switch {
	case f.field == FieldText:
		for n := range min(max(f.editor.Rows(room), 1), f.mostText()) {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
	case queue.Blank(f.reply.Text):
		lines = append(lines, optionLine{row: row, part: partText, text: f.textInvitation()})
	default:
		all := Wrap(shown(f.reply.Text), room)
		most := f.mostText()
		for n, l := range all[:min(len(all), most)] {
			if rest := len(all) - most; rest > 0 && n == most-1 {
				l = fmt.Sprintf("%s %s", f.glyphs().Down, count(rest+1, "line"))
			}
			lines = append(lines, optionLine{row: row, part: partText, text: l, nth: n})
		}
	}
	return lines
}

// mostText is how many rows the person's own words take: half of a large pane.
func (f *Form) mostText() int { return max(f.total/2, 10) }

func (f *Form) textInvitation() string {
	q := f.q()
	switch {
	case q.Placeholder != "":
		return line(q.Placeholder)
	case q.Mode == queue.ModeHybrid && !f.Radio():
		return "your own words as well"
	}
	return "your own words"
}

// badge is what stands at the end of an option's row: that it is recommended, in words where there is room, and that
// it is one of the hidden ones. Empty: neither.
func (f *Form) badge(o queue.Option, w int, g Glyphs) string {
	words := ""
	if f.IsHidden(o.ID) {
		words = "hidden"
	}
	if o.Recommended {
		star := g.Star
		if w >= 58 {
			star = g.StarWord
		}
		words = strings.TrimSpace(words + " " + star)
	}
	return words
}

// detailRows is the height of the detail block, the same for every option so that nothing jumps.
func (f *Form) detailRows(w int) int {
	most := 0
	for row, i := range f.rows {
		if i != textRow {
			most = max(most, len(f.detail(row, w)))
		}
	}
	return most
}

// detail is the folded text of one option: what does not fit its row, at most three lines.
func (f *Form) detail(row, w int) []optionLine {
	lines, _ := f.detailOf(row, w, mostDetail)
	return lines
}

// detailOf is the same in at most so many lines, and whether that leaves some out.
func (f *Form) detailOf(row, w, most int) (lines []optionLine, cut bool) {
	o := f.q().Options[f.rows[row]]
	room := max(w-f.indent()-1, 8)
	lines = f.details(row, o, room+1)
	if label := line(o.Label); Width(label) > room-Width(f.badge(o, w, f.glyphs()))-1-2*noteWidth(f.reply.Notes[o.ID]) {
		for n, l := range Wrap(label, room) {
			lines = append(lines[:n:n], append([]optionLine{{row: row, part: partMore, text: l, nth: n}}, lines[n:]...)...)
		}
	}
	if len(lines) <= most {
		return lines, false
	}
	if lines[len(lines)-1].part == partEditor { // what is being typed stays in sight, and nothing half beside it
		typed := slices.DeleteFunc(lines, func(l optionLine) bool { return l.part != partEditor })
		return typed[max(len(typed)-most, 0):], false
	}
	if most <= 0 {
		return nil, true
	}
	lines[most-1] = lines[most-1].more(room, f.glyphs().Ellipsis)
	return lines[:most], true
}

// noteWidth is 1 where an option has a note.
func noteWidth(note string) int {
	if queue.Blank(note) {
		return 0
	}
	return 1
}

// drawOptions draws the option block and, when folded, the detail block, scrolled so that the cursor is seen.
func (f *Form) drawOptions(c Canvas, r Rect, t Fit, focus bool) {
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
	y := f.drawWindow(c, Rect{r.X, r.Y, r.W, room}, lines, focus)
	for n, l := range detail {
		if y+n >= r.Y+r.H {
			break
		}
		c.Put(r.X+3, y+n, 1, Plain, c.Glyphs.Bar)
		f.drawLine(c, Rect{r.X, y + n, r.W, 1}, l, false)
	}
	f.drawEditor(c)
}

// drawWindow draws the lines around the cursor that fit, counts the rows above and below, and returns the row
// after the last one. In a window of few rows each is an option's, and the counts stand at their ends.
func (f *Form) drawWindow(c Canvas, r Rect, lines []optionLine, focus bool) int {
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
		c.Put(r.X, y, r.W, Plain, fmt.Sprintf(" %s %d above", c.Glyphs.Up, rowOf(top)))
		y++
	}
	if below && !small {
		bottom--
	}
	f.editorAt = Rect{}
	first, last := y, y+max(top, bottom)-top-1
	for _, l := range lines[top:max(top, bottom)] {
		tail := ""
		if small && above && y == first && rowOf(top) > 0 {
			tail = fmt.Sprintf(" %s %d", c.Glyphs.Up, rowOf(top))
		}
		if rest := len(f.rows) - 1 - rowOf(bottom-1); small && below && y == last && rest > 0 {
			tail += fmt.Sprintf(" %s %d", c.Glyphs.Down, rest)
		}
		f.drawLine(c, Rect{r.X, y, r.W - Width(tail), 1}, l, focus)
		c.PutRight(r.X, y, r.W-1, Plain, tail)
		y++
	}
	if below && !small {
		words := "more" // of the last row
		if rest := len(f.rows) - 1 - rowOf(bottom-1); rest > 0 {
			words = fmt.Sprintf("%d below", rest)
		}
		c.Put(r.X, y, r.W, Plain, fmt.Sprintf(" %s %s", c.Glyphs.Down, words))
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

func (f *Form) drawLine(c Canvas, r Rect, l optionLine, focus bool) {
	g := c.Glyphs
	in := indent(g)
	style := Plain
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

func (f *Form) drawLabel(c Canvas, r Rect, l optionLine, style tcellStyle) {
	g := c.Glyphs
	o := f.q().Options[f.rows[l.row]]
	if l.row == f.cursor {
		c.Put(r.X, r.Y, 1, style, g.Cursor)
	}
	c.Put(r.X+1, r.Y, 2, style, f.rules.Keys.KeyFor(PlaceQuestion, ActDigit, f.rows[l.row]+1))
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
		markStyle = style.Foreground(greenOn(style))
	}
	c.Put(r.X+3, r.Y, Width(mark), markStyle, mark)
	in, end := indent(g), r.W-1
	if badge := f.badge(o, r.W, g); badge != "" {
		end -= Width(badge) + 1
		c.PutRight(r.X, r.Y, r.W-1, style, badge)
	}
	note := ""
	if l.noted {
		note = " " + g.Note
	}
	c.Put(r.X+in, r.Y, end-in, style, Cut(l.text, end-in-Width(note), g.Ellipsis)+note)
}

func (f *Form) drawTextRow(c Canvas, r Rect, l optionLine, style tcellStyle) {
	g := c.Glyphs
	if l.nth == 0 {
		if l.row == f.cursor {
			c.Put(r.X, r.Y, 1, style, g.Cursor)
		}
		c.Put(r.X+1, r.Y, 2, style, f.key(ActText))
		if typed := !queue.Blank(f.reply.Text); typed && f.Radio() {
			mark := g.RadioOff
			if f.onText() {
				mark = g.RadioOn
			}
			c.Put(r.X+3, r.Y, Width(mark), style, mark)
		} else if typed {
			c.Put(r.X+3, r.Y, 1, style, g.Bar)
		}
	} else if !f.Radio() {
		c.Put(r.X+3, r.Y, 1, style, g.Bar)
	}
	c.Put(r.X+indent(g), r.Y, r.W-indent(g)-1, style, strings.TrimRight(Cut(l.text, r.W-indent(g)-1, g.Ellipsis), " "))
}

// growEditor collects the rows the editor takes; it is drawn once they are known.
func (f *Form) growEditor(c Canvas, r Rect, l optionLine) {
	in := indent(c.Glyphs)
	if f.field == FieldNote {
		if l.nth == 0 || f.editorAt.Empty() {
			c.Put(r.X+in, r.Y, 2, Plain, c.Glyphs.Note)
		}
		in += 2
	} else {
		if l.nth == 0 {
			c.Put(r.X, r.Y, 1, Plain, c.Glyphs.Cursor)
			c.Put(r.X+1, r.Y, 2, Plain, f.key(ActText))
		}
		c.Put(r.X+3, r.Y, 1, Plain, c.Glyphs.Bar)
	}
	if f.editorAt.Empty() {
		f.editorAt = Rect{r.X + in, r.Y, r.W - in - 1, 0}
	}
	f.editorAt.H++
}

func (f *Form) drawEditor(c Canvas) {
	if f.editor == nil || f.editorAt.Empty() {
		return
	}
	f.editor.Draw(c, f.editorAt)
	above, below := f.editor.Hidden(f.editorAt)
	if above > 0 {
		c.Put(f.editorAt.X-2, f.editorAt.Y, 1, Plain, c.Glyphs.Up)
	}
	if below > 0 {
		c.Put(f.editorAt.X-2, f.editorAt.Y+f.editorAt.H-1, 1, Plain, c.Glyphs.Down)
	}
}
