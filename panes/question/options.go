package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	leastOptions = 3 // option rows that are always on screen
	mostDetail   = 3 // rows of the folded text of an option
	mostNote     = 8 // rows of a note being typed
)

// options draws the options, and the row of the person's own words.
type options struct{ v *display }

// rowPart says what one line of the option block shows.
type rowPart int

const (
	partLabel rowPart = iota
	partMore          // a further row of the label
	partDescription
	partNote
	partText // the person's own words
	partEditor
	partHidden // counts the descriptions that are not shown
)

// optionLine is one screen line of the option block.
type optionLine struct {
	row  int // the index of its row among the rows of the question
	part rowPart
	text string
	nth  int // the index of the line within its part

	styled ink.Line // in place of text, for a description
	noted  bool     // the option has a note that is not shown
}

// withEllipsis ends the line with an ellipsis, because more text follows that is not shown.
func (l optionLine) withEllipsis(w int, ellipsis string) optionLine {
	w -= ink.Width(ellipsis)
	if l.styled != nil {
		l.styled = append(slices.Clip(l.styled.Cut(w, "")), ink.Span{Text: ellipsis, Style: ink.Plain})
		return l
	}
	l.text = ink.Cut(l.text, w, "") + ellipsis
	return l
}

// labelCells returns how many cells a label has in a row of w cells.
func (o options) labelCells(w int) int { return max(w-o.v.indent()-1, 8) }

// onOption reports whether the cursor is on an option.
func (o options) onOption() bool {
	_, ok := o.v.q().Current()
	return ok
}

// lines returns the lines of all options at w cells: label, description and note in full, or only one line for each
// option if the fit folds them.
func (o options) lines(w int, t Fit) []optionLine {
	var lines []optionLine
	q, room := o.v.q(), o.labelCells(w)
	for row, i := range q.Rows() {
		if i == form.OwnWords {
			lines = append(lines, o.wordLines(row, w, t.mostWords())...)
			continue
		}
		option := q.Options[i]
		if t.folded() {
			noted := row != q.Cursor() && !queue.Blank(q.NoteOn(option.ID))
			lines = append(lines, optionLine{row: row, text: say.OneLine(option.Label), noted: noted})
			continue
		}
		labelRoom := room
		if badge := o.badge(option, w); len(badge) > 0 {
			labelRoom = max(room-badge.Width()-1, 8)
		}
		for n, l := range ink.Wrap(say.OneLine(option.Label), labelRoom) {
			part := partLabel
			if n > 0 {
				part = partMore
			}
			lines = append(lines, optionLine{row: row, part: part, text: l, nth: n})
		}
		lines = append(lines, o.describeOption(row, option, room)...)
	}
	return lines
}

// describeOption returns an option's description and note, or the note being typed.
func (o options) describeOption(row int, option queue.Option, room int) []optionLine {
	var lines []optionLine
	for n, l := range o.v.description(option.Description, room) {
		lines = append(lines, optionLine{row: row, part: partDescription, styled: l, nth: n})
	}
	if o.v.types(form.FieldNote) && o.v.form.TypingNote() == option.ID {
		for n := range min(o.v.field.Rows(room-2), mostNote) {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
		return lines
	}
	if note := o.v.q().NoteOn(option.ID); !queue.Blank(note) && !o.v.types(form.FieldRefusal) {
		for n, l := range ink.Wrap(say.Text(note), room-2) {
			lines = append(lines, optionLine{row: row, part: partNote, text: l, nth: n})
		}
	}
	return lines
}

// wordLines returns the person's own words, or the field for them, in at most the given number of lines, for a row of w
// cells.
func (o options) wordLines(row, w, most int) []optionLine {
	var lines []optionLine
	words, room := o.v.q().Words(), o.labelCells(w)
	switch {
	case o.v.types(form.FieldText):
		for n := range min(max(o.v.field.Rows(w-o.fieldIndent(w)-1), 1), most) {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
	case typesFirst(o.v):
		rows := 1
		if field := o.v.proposal(); field != nil {
			rows = min(max(field.Rows(w-o.fieldIndent(w)-1), 1), most)
		}
		for n := range rows {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
	case queue.Blank(words):
		lines = append(lines, optionLine{row: row, part: partText, text: o.invitation()})
	default:
		all := ink.Wrap(say.Text(words), room)
		for n, l := range all[:min(len(all), most)] {
			if rest := len(all) - most; rest > 0 && n == most-1 {
				l = fmt.Sprintf("%s %s", o.v.glyphs.Down, say.Count(rest+1, "line"))
			}
			lines = append(lines, optionLine{row: row, part: partText, text: l, nth: n})
		}
	}
	return lines
}

// answerLabel returns the label before the open field of an answer in words, in a row of w cells.
func answerLabel(w int) string {
	if w < 60 {
		return "Answer"
	}
	return "Your answer"
}

// fieldIndent returns the column where the text of the open field for own words begins.
func (o options) fieldIndent(w int) int {
	if typesAnswer(o.v) {
		return 1 + ink.Width(answerLabel(w)) + 2
	}
	return o.v.indent()
}

// mostWords limits the rows of the person's own words: half of a large pane.
func (t Fit) mostWords() int { return max(t.total/2, 10) }

// invitation returns the words that are shown in the row of the person's own words while it is empty.
func (o options) invitation() string {
	q := o.v.q()
	switch aside := o.v.form.PutAside(); {
	case aside != "":
		return "put aside: " + say.OneLine(aside)
	case q.Placeholder != "":
		return say.OneLine(q.Placeholder)
	case q.Mode == queue.ModeHybrid && !q.Radio():
		return "add your own words"
	}
	return "your own words"
}

// badge returns the words at the end of an option's row: that it is recommended, and that the settings hide it. Without
// room a star stands for recommended. Empty: neither applies.
func (o options) badge(option queue.Option, w int) ink.Line {
	const hidden = "hidden"
	hides, g := o.v.q().IsHidden(option.ID), o.v.glyphs
	switch {
	case !option.Recommended && hides:
		return ink.Line{{Text: hidden, Style: ink.Star}}
	case !option.Recommended:
		return nil
	}
	sign, behind, beside := g.Star, "", ink.Plain // only the star is highlighted; without a star the whole word is
	if w >= 58 {
		sign, behind = g.StarLong[0], g.StarLong[1]
	}
	if g.ASCII {
		beside = ink.Star
	}
	line := ink.Line{{Text: sign, Style: ink.Star}, {Text: behind, Style: beside}}
	if hides {
		return append(ink.Line{{Text: hidden + " ", Style: beside}}, line...)
	}
	return line
}

// detailRows returns the most rows that the folded text of any option takes. All options get that many, so that nothing
// moves with the cursor.
func (o options) detailRows(w int, t Fit) int {
	most := 0
	for row, i := range o.v.q().Rows() {
		if i != form.OwnWords {
			lines, _ := o.foldedText(row, w, mostDetail, t)
			most = max(most, len(lines))
		}
	}
	return most
}

// countHidden returns the line that counts the descriptions and names the key that shows them, if the fit hides all of
// them.
func (o options) countHidden(row int, t Fit) []optionLine {
	n := 0
	for _, i := range o.v.q().Rows() {
		if i != form.OwnWords && !queue.Blank(o.v.q().Options[i].Description) {
			n++
		}
	}
	if n == 0 || !t.hides() {
		return nil
	}
	words := o.v.glyphs.Down + " " + say.Count(n, "description") + say.Keyed(" (", o.v.key(action.Full), ")")
	return []optionLine{{row: row, part: partHidden, text: words}}
}

// foldedText returns the text of one option that is folded away from its row (the rest of its label, its description
// and its note) in at most the given number of lines. cut: some of it is left out.
func (o options) foldedText(row, w, most int, t Fit) (lines []optionLine, cut bool) {
	q := o.v.q()
	option := q.Options[q.Rows()[row]]
	room := o.labelCells(w)
	lines = o.describeOption(row, option, room+1)
	hides := t.hides() && !queue.Blank(option.Description)
	if t.hides() {
		described := func(l optionLine) bool { return l.part == partDescription }
		lines = append(o.countHidden(row, t), slices.DeleteFunc(lines, described)...)
	}
	beside := o.badge(option, w).Width() + 1 + 2*noteWidth(q.NoteOn(option.ID))
	if label := say.OneLine(option.Label); ink.Width(label) > room-beside {
		var whole []optionLine
		for n, l := range ink.Wrap(label, room) {
			whole = append(whole, optionLine{row: row, part: partMore, text: l, nth: n})
		}
		lines = append(whole, lines...)
	}
	if len(lines) <= most {
		return lines, hides
	}
	if lines[len(lines)-1].part == partEditor { // the text being typed is shown, and nothing else beside it
		typed := slices.DeleteFunc(lines, func(l optionLine) bool { return l.part != partEditor })
		return typed[max(len(typed)-most, 0):], hides
	}
	if most <= 0 {
		return nil, true
	}
	if last := &lines[most-1]; last.part != partHidden { // that line names the key already
		*last = last.withEllipsis(room, o.v.glyphs.Ellipsis)
	}
	return lines[:most], true
}

// noteWidth returns 1 if an option has a note, else 0.
func noteWidth(note string) int {
	if queue.Blank(note) {
		return 0
	}
	return 1
}

// optionRows says what of the options is on screen, and where.
type optionRows struct {
	at     ink.Rect // options and folded text together
	room   int      // the rows of the options; the other rows are for the folded text
	lines  []optionLine
	detail []optionLine
}

// arrange places the options in r. If they are folded, the text of the option under the cursor is below them; arrange
// notes whether that text is cut.
func (o options) arrange(r ink.Rect, t Fit) optionRows {
	rows := optionRows{at: r, room: r.H, lines: o.lines(r.W, t)}
	folded := t.folded() && o.onOption()
	most := mostDetail
	if t.stage >= stageScroll && folded {
		rows.room = max(r.H-o.detailRows(r.W, t), min(leastOptions, r.H))
		most = min(max(r.H-rows.room, 0), mostDetail)
	}
	o.v.cut = false
	if folded {
		rows.detail, o.v.cut = o.foldedText(o.v.q().Cursor(), r.W, most, t)
		if t.stage < stageScroll {
			rows.room -= len(rows.detail)
		}
	}
	if t.folded() && !o.onOption() && t.stage < stageScroll {
		rows.detail = o.countHidden(o.v.q().Cursor(), t)
		rows.room -= len(rows.detail)
	}
	o.v.tallied = len(rows.detail) == 1 && rows.detail[0].part == partHidden
	if option, ok := o.v.q().Current(); ok && o.v.read[option.ID] {
		o.v.cut = false
	}
	return rows
}

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
		const focus = false // the cursor is in the rows above
		p.drawLine(ink.Rect{X: r.X, Y: y + n, W: r.W, H: 1}, l, focus)
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
	inCursorRow := l.part == partLabel || l.part == partMore || l.part == partText || l.part == partDescription
	if cursorOn(p.v, l.row) && focus && inCursorRow && p.v.form.Typing() == form.FieldNone && !p.v.over() {
		c = c.CursorRow(r)
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
	c.Put(r.X+1, r.Y, 2, ink.Plain, ink.KeyCell(p.v.keys.NumberOf(i+1)))
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
	c.Put(r.X+1, r.Y, 2, ink.Plain, p.v.key(action.Text))
	switch typed := !queue.Blank(q.Words()); {
	case !typed:
	case !q.Radio():
		c.Put(r.X+3, r.Y, 1, ink.Plain, g.Bar)
	default:
		const dot = true
		p.drawMark(c, r, dot, p.v.wordsChosen())
	}
}

// growEditor adds a row to the rectangle of the text being typed. The text is drawn when all its rows are known.
func (p *optionPainter) growEditor(r ink.Rect, l optionLine) {
	c, in := p.c, p.v.indent()
	switch {
	case p.v.types(form.FieldNote):
		if l.nth == 0 || p.editor.Empty() {
			c.Put(r.X+in, r.Y, 2, ink.Plain, c.Glyphs.Note)
		}
		in += 2
	case typesAnswer(p.v):
		if in = p.fieldIndent(r.W); l.nth == 0 {
			c.Put(r.X+1, r.Y, in, ink.Label, answerLabel(r.W))
		}
	default:
		if l.nth == 0 {
			c.Put(r.X, r.Y, 1, ink.Accent, c.Glyphs.Cursor)
			c.Put(r.X+1, r.Y, 2, ink.Accent, p.v.key(action.Text))
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
	if p.editor.Empty() {
		return
	}
	field := p.v.field
	if typesFirst(p.v) {
		field = p.v.proposal()
	}
	if c := p.c; field != nil {
		if !p.focus {
			c.Screen = unfocused{c.Screen}
		}
		field.Draw(c, p.editor)
	}
	if field == nil || p.v.types(form.FieldText) && field.Text() == "" {
		p.drawInvitation()
	}
	if field == nil {
		return
	}
	above, below := field.Hidden(p.editor)
	beside := p.editor.X - 2
	if typesAnswer(p.v) {
		beside++
	}
	if above > 0 {
		p.c.Put(beside, p.editor.Y, 1, ink.Plain, p.c.Glyphs.Up)
	}
	if below > 0 {
		p.c.Put(beside, p.editor.Y+p.editor.H-1, 1, ink.Plain, p.c.Glyphs.Down)
	}
}

// unfocused is a screen whose cursor is elsewhere.
type unfocused struct{ tcell.Screen }

// ShowCursor does nothing.
func (unfocused) ShowCursor(int, int) {}

// HideCursor does nothing.
func (unfocused) HideCursor() {}

// proposal returns the field that shows the words which the agent proposes as the answer, before the person has typed;
// nil: it proposes none.
func (v *display) proposal() *editor.Field {
	words, _ := queue.Visible(v.q().Words())
	switch {
	case queue.Blank(words):
		return nil
	case v.proposed == nil || v.proposed.Text() != words:
		v.proposed = editor.New(words)
	}
	return v.proposed
}

// drawInvitation draws the field for own words while it is empty: a mark where the text will begin, with the terminal's
// cursor on it, and the placeholder behind it until the first character.
func (p *optionPainter) drawInvitation() {
	r, placeholder := p.editor, say.OneLine(p.v.q().Placeholder)
	if !typesAnswer(p.v) {
		p.c.Put(r.X, r.Y, r.W, ink.Dim, placeholder)
		return
	}
	used := p.c.Put(r.X, r.Y, r.W, ink.Accent, p.c.Glyphs.Bar)
	p.c.Put(r.X+used, r.Y, r.W-used, ink.Dim, placeholder)
	if p.focus {
		p.c.Screen.ShowCursor(r.X, r.Y)
	}
}
