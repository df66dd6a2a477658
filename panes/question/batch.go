package question

import (
	"errors"
	"slices"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
)

// batch draws the list of approvals that are alike (desk.Batch), in place of the question on view. A short request is
// shown in full; of a longer one (see say.BatchShows) the list has the first row, and Enter shows it alone.
type batch struct{ v *display }

// batchList is the list as the view has it, and how far it is scrolled.
type batchList struct {
	rows  []desk.BatchRow // nil: the list is not open, or one request of it is shown alone
	at    int             // the request under the cursor
	later string          // says that more requests came since the list opened; empty: none did
	top   int             // the first line on screen
}

// batchLine is a line of the list.
type batchLine struct {
	row  int    // the request, as an index; -1: none
	sign string // before its first line
	last bool   // with this line all of the request is on screen
	text ink.Line
	note string // at the right end
}

// batchRows is the part of the list that is on screen.
type batchRows struct {
	at           ink.Rect
	lines        []batchLine
	above, below int
}

// indent returns the column of the requests.
func (m batch) indent() int { return 3 + ink.Width(m.v.glyphs.MarkOff) }

// lines returns the list at w cells.
func (m batch) lines(w int) []batchLine {
	title := ink.Cut(say.BatchTitle(m.v.batch.rows), w-1, m.v.glyphs.Ellipsis)
	lines := []batchLine{{row: -1, text: ink.Line{{Text: title, Style: ink.Title}}}}
	for n, r := range m.v.batch.rows {
		lines = append(lines, m.requestLines(n, r, max(w-m.indent()-1, 8))...)
	}
	if later := m.v.batch.later; later != "" {
		lines = append(lines, batchLine{row: -1, text: ink.Line{{Text: later, Style: ink.Dim}}})
	}
	return lines
}

// requestLines returns the lines of the n-th request, at w cells. Its note is behind the first line, or below it.
func (m batch) requestLines(n int, r desk.BatchRow, w int) (lines []batchLine) {
	g, more := m.v.glyphs, 0
	request := m.v.texts.laid.Once(laidKey{text: "batch\x00" + r.Session.ID, w: w}, func() []ink.Line {
		return reading.Parts(r.Session.Ask.Approval, w-2, g) // a sign may follow the first line
	})
	if len(request) == 0 { // an agent's text that is not valid
		request = []ink.Line{ink.PlainLine(ink.Cut(say.Title(r.Session.Ask), w, g.Ellipsis))}
	}
	if !say.BatchShows(r, len(request)) {
		more = len(request) - 1
		request = []ink.Line{append(slices.Clone(request[0]), ink.Span{Text: " " + g.Ellipsis})}
	}
	for _, l := range request {
		if errors.Is(r.WhyNot, desk.ErrEnded) {
			l = ink.Line{{Text: l.String(), Style: ink.Plain.StrikeThrough(true)}}
		}
		lines = append(lines, batchLine{row: n, text: l})
	}
	lines[0].sign, lines[len(lines)-1].last = m.sign(r), more == 0
	note := say.BatchNote(r, more, g.Enter+" shows it")
	if note == "" || len(lines) == 1 && lines[0].text.Width()+2+ink.Width(note) <= w {
		lines[0].note = note
		return lines
	}
	for _, l := range ink.Wrap(note, w) {
		lines = append(lines, batchLine{row: n, text: ink.Line{{Text: l, Style: ink.Dim}}})
	}
	return lines
}

// sign returns the sign before a request: whether it is marked, or that it cannot be.
func (m batch) sign(r desk.BatchRow) string {
	switch {
	case r.Marked:
		return m.v.glyphs.MarkOn
	case errors.Is(r.WhyNot, desk.ErrAlone):
		return "!"
	case r.Closed():
		return " "
	}
	return m.v.glyphs.MarkOff
}

// fit shares the rows between the list and the queue strip below it. The strip gives way.
func (m batch) fit(wide, total, strip int) Fit {
	need := len(m.lines(panes.Measured(wide)))
	t := Fit{total: total, QueueStrip: min(strip, max(total-need, 0)), cut: need > total}
	t.H, t.kept.set = total-t.QueueStrip, true
	t.Free = max(t.H-need-1, 0) // a blank row is below the title
	return t
}

// arrange picks the lines that are on screen in r, with those of the request under the cursor.
func (m batch) arrange(r ink.Rect) batchRows {
	lines, state := m.lines(r.W), &m.v.batch
	if len(lines) < r.H {
		lines = slices.Insert(lines, 1, batchLine{row: -1})
	}
	_, fits := panes.Window(0, len(lines), r.H)
	from := slices.IndexFunc(lines, func(l batchLine) bool { return l.row == state.at })
	to := from
	for to < len(lines) && lines[to].row == state.at {
		to++
	}
	if state.at == 0 {
		from = 0 // with the title
	}
	top, _ := panes.Window(max(min(state.top, from), min(to-fits, from)), len(lines), r.H)
	state.top = top
	return batchRows{at: r, lines: lines[top : top+fits], above: top, below: len(lines) - top - fits}
}

// whole returns the requests that are on screen in full.
func (b batchRows) whole() (rows []int) {
	from := -1 // the request of which the first line is on screen
	for _, l := range b.lines {
		if l.sign != "" {
			from = l.row
		}
		if l.last && l.row == from {
			rows = append(rows, l.row)
		}
	}
	return rows
}

// draw draws the list.
func (m batch) draw(c ink.Canvas, rows batchRows, focus bool) {
	r := rows.at
	for n, l := range rows.lines {
		m.drawLine(c, ink.Rect{X: r.X, Y: r.Y + n, W: r.W, H: 1}, l, focus)
	}
	c.Put(r.X, r.Y+len(rows.lines), r.W-1, ink.Plain, ink.OutOfSight(c.Glyphs, rows.above, rows.below))
}

// drawLine draws a line of the list into r.
func (m batch) drawLine(c ink.Canvas, r ink.Rect, l batchLine, focus bool) {
	if l.row < 0 {
		c.PutLine(r.X, r.Y, r.W-1, l.text)
		return
	}
	on, style := l.row == m.v.batch.at, ink.Plain
	if on && focus {
		c = c.CursorRow(r)
	}
	if on && l.sign != "" {
		c.Put(r.X, r.Y, 1, ink.Plain, c.Glyphs.Cursor)
	}
	switch l.sign {
	case "!":
		style = ink.Warn
	case c.Glyphs.MarkOn:
		style = ink.Good
	}
	c.Put(r.X+2, r.Y, m.indent()-3, style, l.sign)
	c.PutLine(r.X+m.indent(), r.Y, r.W-m.indent(), l.text)
	c.PutRight(r.X, r.Y, r.W-1, ink.Dim, l.note)
}

// batchFooter says what Enter would do in the list.
func (r *Room) batchFooter(v *display) panes.Footer {
	b := r.host.View().Batch
	made := panes.Footer{Hints: panes.Hints(r.host, r.Place(), r.Table())}
	_, whole := b.Cursor()
	l, refused := r.guardLine(v)
	switch {
	case refused:
		made.Line = l
	case whole || r.host.Question().UnseenInBatch():
		made.Line = say.BatchEnter(whole, prompt{v}.unread(), v.speech())
	default:
		made.Line = say.BatchLine(len(b.Marked()), v.speech())
		made.Line.Beside = r.notTaken()
	}
	return made
}

// noteBatchSeen tells the batch which of its requests were on screen in full.
func (r *Room) noteBatchSeen() {
	b, v := r.host.View().Batch, r.on
	switch {
	case v.batch.rows != nil:
		for _, n := range v.page.batch.whole() {
			b.Saw(v.batch.rows[n].Session.ID)
		}
	case v.inBatch && v.opened && (prompt{v}).unseen() == 0:
		b.Saw(v.session.ID)
	}
}

// followBatch shows what the batch shows now: the list, or one request in full.
func (r *Room) followBatch(e desk.BatchMoved) {
	if e.View != r.host.View() {
		return
	}
	for _, v := range r.displays {
		v.forgetFit()
		v.batch.top = 0
	}
	if v := r.keptDisplay(); v != nil {
		if _, whole := r.host.View().Batch.Cursor(); whole != v.full {
			prompt{v}.toggleFull()
		}
	}
}
