package question

import (
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
	row   int  // the request, as an index
	first bool // the first line of the request, behind its sign
	last  bool // with this line all of the request is on screen
	text  ink.Line
	note  string // at the right end
}

// batchRows is the part of the list that is on screen.
type batchRows struct {
	at           ink.Rect
	title, later string
	gap          bool // a blank row is below the title
	lines        []batchLine
	above, below int
}

// indent returns the column of the requests.
func (m batch) indent() int { return 3 + ink.Width(m.v.glyphs.MarkOff) }

// lines returns the list at w cells.
func (m batch) lines(w int) (lines []batchLine) {
	room := max(w-m.indent()-1, 8)
	for n, r := range m.v.batch.rows {
		request := m.v.texts.laid.Once(laidKey{text: "batch\x00" + r.Session.ID, w: room}, func() []ink.Line {
			return reading.Parts(r.Session.Ask.Approval, room-2, m.v.glyphs) // a sign may follow the first line
		})
		if len(request) == 0 {
			request = []ink.Line{ink.PlainLine(ink.Cut(say.Title(r.Session.Ask), room, m.v.glyphs.Ellipsis))}
		}
		shown, more := request, 0
		if !say.BatchShows(r, len(request)) {
			first := append(slices.Clone(request[0]), ink.Span{Text: " " + m.v.glyphs.Ellipsis})
			shown, more = []ink.Line{first}, len(request)-1
		}
		lines = append(lines, m.requestLines(n, r, shown, more, room)...)
	}
	return lines
}

// requestLines returns the lines of the n-th request. Its note is behind the first line, or below it.
func (m batch) requestLines(n int, r desk.BatchRow, shown []ink.Line, more, room int) (lines []batchLine) {
	for i, l := range shown {
		if r.Ended() {
			l = struckOut(l)
		}
		lines = append(lines, batchLine{row: n, first: i == 0, text: l})
	}
	lines[len(lines)-1].last = more == 0
	note := say.BatchNote(r, more, m.v.glyphs.Enter+" shows it")
	switch {
	case note == "":
	case len(shown) == 1 && shown[0].Width()+2+ink.Width(note) <= room:
		lines[0].note = note
	default:
		for _, l := range ink.Wrap(note, room) {
			lines = append(lines, batchLine{row: n, text: ink.Line{{Text: l, Style: ink.Dim}}})
		}
	}
	return lines
}

// struckOut returns a line in which all text is struck out.
func struckOut(l ink.Line) (out ink.Line) {
	for _, s := range l {
		out = append(out, ink.Span{Text: s.Text, Style: s.Style.StrikeThrough(true)})
	}
	return out
}

// fit shares the rows between the list and the queue strip below it. The strip gives way.
func (m batch) fit(wide, total, strip int) Fit {
	need := 1 + len(m.lines(panes.Measured(wide)))
	if m.v.batch.later != "" {
		need++
	}
	strip = min(strip, max(total-need, 0))
	t := Fit{total: total, QueueStrip: strip, H: total - strip, cut: need > total}
	if t.kept.set = true; need < t.H { // the blank row below the title
		need++
	}
	t.Free = max(t.H-need, 0)
	return t
}

// arrange picks the lines that are on screen in r, with those of the request under the cursor.
func (m batch) arrange(r ink.Rect) batchRows {
	lines := m.lines(r.W)
	rows := batchRows{at: r, title: say.BatchTitle(m.v.batch.rows), later: m.v.batch.later}
	room := r.H - 1
	if rows.later != "" {
		room--
	}
	if rows.gap = len(lines) < room; rows.gap {
		room--
	}
	if len(lines) > room {
		room = max(room-1, 1) // a row counts the others
	}
	is := func(l batchLine) bool { return l.row == m.v.batch.at }
	from := slices.IndexFunc(lines, is)
	to := from + len(lines[from:]) - len(slices.DeleteFunc(slices.Clone(lines[from:]), is))
	top := min(m.v.batch.top, from, max(len(lines)-room, 0))
	m.v.batch.top = max(top, min(to-room, from))
	end := min(m.v.batch.top+room, len(lines))
	rows.lines, rows.above, rows.below = lines[m.v.batch.top:end], m.v.batch.top, len(lines)-end
	return rows
}

// whole returns the requests that are on screen in full.
func (b batchRows) whole() (rows []int) {
	from := -1 // the request of which the first line is on screen
	for _, l := range b.lines {
		if l.first {
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
	r, y, g := rows.at, rows.at.Y+1, c.Glyphs
	c.Put(r.X, r.Y, r.W-1, ink.Title, ink.Cut(rows.title, r.W-1, g.Ellipsis))
	if rows.gap {
		y++
	}
	for _, l := range rows.lines {
		m.drawLine(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, l, focus)
		y++
	}
	if words := ink.OutOfSight(g, rows.above, rows.below); words != "" {
		c.Put(r.X, y, r.W-1, ink.Plain, ink.Cut(words, r.W-1, g.Ellipsis))
		y++
	}
	c.Put(r.X, y, r.W-1, ink.Dim, ink.Cut(rows.later, r.W-1, g.Ellipsis))
}

// drawLine draws a line of the list into r.
func (m batch) drawLine(c ink.Canvas, r ink.Rect, l batchLine, focus bool) {
	on := l.row == m.v.batch.at
	if on && focus {
		c = c.CursorRow(r)
	}
	if l.first {
		row, style := m.v.batch.rows[l.row], ink.Plain
		if row.Marked {
			style = ink.Good
		}
		if on {
			c.Put(r.X, r.Y, 1, ink.Plain, c.Glyphs.Cursor)
		}
		sign := say.BatchMark(row, c.Glyphs.MarkOn, c.Glyphs.MarkOff)
		if sign == "!" {
			style = ink.Warn
		}
		c.Put(r.X+2, r.Y, m.indent()-3, style, sign)
	}
	end := c.PutRight(r.X, r.Y, r.W-1, ink.Dim, l.note)
	if l.note == "" {
		end = r.X + r.W
	}
	c.PutLine(r.X+m.indent(), r.Y, end-1-r.X-m.indent(), l.text)
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
		made.Line = say.BatchLine(b.Marked(), v.speech())
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
