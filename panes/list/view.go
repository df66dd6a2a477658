package list

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// display holds the state of the queue at one moment.
type display struct {
	n        int             // the number of listed questions
	entry    func(int) entry // returns a row; it is called only for rows on screen
	cursor   int             // the row of the session on view; -1 if it is not listed
	now      time.Time
	warn     time.Duration
	focus    bool
	missed   []queue.Session
	needed   []queue.Presence // agents that need the person in their own panes
	onNotice string           // the agent, by instance, whose row has the cursor; empty: the row of a question has it
	name     func(queue.Origin) string
	none     string // the words in place of rows if nothing matches
}

// drawStrip draws one row for each question, the one that ends first on top. The last rows are for agents that need the
// person in their own panes.
func (v display) drawStrip(c ink.Canvas, r ink.Rect, needed int) {
	c.Fill(r, ink.Plain) // a question in too few rows may have drawn over them
	r.H -= needed
	for i, n := range v.needed[:min(needed, len(v.needed))] {
		v.drawNeeded(c, ink.Rect{X: r.X, Y: r.Y + r.H + i, W: r.W, H: 1}, n, say.NoticeWords(n))
	}
	if v.n == 0 && r.H > 0 {
		c.Put(r.X+2, r.Y, r.W-3, ink.Plain, ink.Cut(v.none, r.W-3, c.Glyphs.Ellipsis))
	}
	for n, s := range v.stripSlots(r.H) {
		const under = false // in the strip each question has one row
		v.drawSlot(c, r.Row(n), s, under)
	}
}

// drawSlot draws a row of the queue, with the number of questions that have no row. under: the row below names the
// agent.
func (v display) drawSlot(c ink.Canvas, r ink.Rect, s slot, under bool) {
	words := s.words(c.Glyphs, s.entry < 0)
	if s.entry < 0 {
		c.Put(r.X, r.Y, r.W, ink.Plain, words)
		return
	}
	room := r
	if words != "" {
		c.PutRight(r.X, r.Y, r.W-1, ink.Plain, words)
		room.W -= ink.Width(words)
	}
	v.drawEntry(c, room, v.entry(s.entry), v.current(s.entry), under)
}

// drawNeeded draws the row of an agent that needs the person in its own pane.
func (v display) drawNeeded(c ink.Canvas, r ink.Rect, n queue.Presence, words string) {
	style := ink.Plain
	if n.Instance == v.onNotice {
		c = c.CursorRow(r)
		c.Put(r.X, r.Y, 1, style, c.Glyphs.Cursor)
	}
	c.Put(r.X+2, r.Y, 1, style, signNeeded)
	room := ink.Rect{X: r.X + signCells, Y: r.Y, W: r.W - signCells, H: 1}
	ink.DrawNotice(c, room, n, words, v.name(*n.Origin), style)
}

// listRows returns how many of the given rows drawList needs: two for each question if they fit, else one.
func (v display) listRows(rows int) int {
	if whole := v.n + v.leastRows(); whole <= rows {
		return whole
	}
	return min(v.leastRows(), rows)
}

// leastRows returns the rows of the list with one row for each question. The missed questions and the agents that need
// the person have a blank row and a heading above them.
func (v display) leastRows() int {
	rows := v.n
	for _, n := range []int{len(v.missed), len(v.needed)} {
		if n > 0 {
			rows += n + 2
		}
	}
	return rows
}

// dense reports whether the list, in the given rows, has only one row for each question.
func (v display) dense(rows int) bool { return v.listRows(rows) < 2*v.n+v.below(rows) }

// below counts the rows of the list below the questions: those of agents that need the person, and of missed questions.
func (v display) below(rows int) (below int) {
	for _, n := range []int{v.listNeeded(rows), v.listMissed(rows)} {
		if n > 0 {
			below += n + 2
		}
	}
	return below
}

// listSlots returns for how many slots the list has room in the given rows. A slot has two rows, in a dense list one.
func (v display) listSlots(rows int) int {
	left := rows - v.below(rows)
	if v.dense(rows) {
		return max(left, 1)
	}
	return max(left/2, 1)
}

// listNeeded returns how many of the rows of the list are for agents that need the person in their own panes: the rows
// that no question needs.
func (v display) listNeeded(rows int) int { return min(len(v.needed), max(rows-v.n-2, 0)) }

// listMissed returns how many of the rows of the list are for missed questions: one for each, but at most a third of
// the rows.
func (v display) listMissed(rows int) int {
	if needed := v.listNeeded(rows); needed > 0 {
		rows -= needed + 2
	}
	if v.n+len(v.missed)+2 <= rows {
		return len(v.missed)
	}
	return min(len(v.missed), max(rows/3-2, 0))
}

// drawList draws two rows for each question, or one if there are many, and below them the agents that need the person
// and the missed questions.
func (v display) drawList(c ink.Canvas, r ink.Rect) {
	y := r.Y
	if v.n == 0 && v.none != "" && r.H > 0 {
		c.Put(r.X+2, y, r.W-3, ink.Plain, ink.Cut(v.none, r.W-3, c.Glyphs.Ellipsis))
		y++
	}
	dense := v.dense(r.H)
	for _, s := range v.slotsAround(v.listSlots(r.H)) {
		v.drawSlot(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, s, !dense)
		if y++; s.entry >= 0 && !dense {
			v.drawUnder(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, v.entry(s.entry), v.current(s.entry))
			y++
		}
	}
	if needed := v.listNeeded(r.H); needed > 0 {
		c.Put(r.X+2, y+1, r.W-3, ink.Plain, ink.Cut(say.Needed(len(v.needed)), r.W-3, c.Glyphs.Ellipsis))
		for i, n := range v.needed[:needed] {
			v.drawNeeded(c, ink.Rect{X: r.X, Y: y + 2 + i, W: r.W, H: 1}, n, say.NoticeSays(n))
		}
		y += needed + 2
	}
	if missed := v.listMissed(r.H); missed > 0 {
		c.Put(r.X+2, y+1, r.W-3, ink.Danger, ink.Cut(say.MissedOf(v.missed), r.W-3, c.Glyphs.Ellipsis))
		ink.DrawMissed(c, ink.Rect{X: r.X + 2, Y: y + 2, W: r.W - 3, H: missed}, v.missed)
	}
}

// The columns of a row: its sign is behind the cursor, then the time left, then the title.
const (
	signCells = 4
	titleAt   = 10
)

// CountdownCells is the width of the bar for the share of a question's time that is left (the countdown), in cells.
const CountdownCells = 8

// drawUnder draws the second row of a question in the list: its agent and its countdown. current: the row is
// highlighted, because the cursor is on the question.
func (v display) drawUnder(c ink.Canvas, r ink.Rect, e entry, current bool) {
	if current {
		c = c.CursorRow(r)
	}
	countdown, gap := CountdownCells, 3
	if e.Ask.NoClock { // a question without a clock has no bar for its time, so the agent's name gets the cells
		countdown, gap = 0, 1
	}
	room := r.W - titleAt - countdown - gap
	c.PutLine(r.X+titleAt, r.Y, room, e.nameLine(e.nameWithin(room), e.style()).Short(room, c.Glyphs.Ellipsis))
	lit := say.Lit(*e.Session, v.now, countdown)
	for i := range countdown {
		glyph := c.Glyphs.Divider
		if i < lit {
			glyph = c.Glyphs.Countdown
		}
		c.Put(r.X+r.W-countdown-1+i, r.Y, 1, e.style(), glyph)
	}
}

// current reports whether the cursor is on the n-th question, so that its rows are highlighted.
func (v display) current(n int) bool { return n == v.cursor && v.onNotice == "" }

// drawEntry draws a question's row. under: the row below names the agent.
func (v display) drawEntry(c ink.Canvas, r ink.Rect, e entry, current, under bool) {
	g := c.Glyphs
	style := e.style()
	if current {
		c = c.CursorRow(r)
		c.Put(r.X, r.Y, 1, style, g.Cursor)
	}
	sign, signStyle := e.sign(), style
	if sign == signRed {
		signStyle = ink.Danger
	}
	c.Put(r.X+2, r.Y, 1, signStyle, sign)
	c.Put(r.X+signCells, r.Y, 5, v.timeStyle(e, style), say.TimeLeft(*e.Session, v.now, v.warn))
	title, mark := e.title(style), ""
	if e.draft {
		mark = " " + g.Note
	}
	end := r.X + r.W - 1
	if !under {
		name := e.nameLine(e.nameInStrip(r.W, end-(r.X+titleAt)-title.Width()-ink.Width(mark)-1), style)
		end = c.PutLineRight(r.X, r.Y, r.W-1, name.Short(r.W/3, g.Ellipsis)) - 1
	}
	room := end - (r.X + titleAt)
	title = title.Short(room-ink.Width(mark), g.Ellipsis)
	c.PutLine(r.X+titleAt, r.Y, room, append(title, ink.Span{Text: mark, Style: style.Bold(e.unseen)}))
}

// timeStyle returns the style of a question's time left: that of its row, and in the last minute a stronger one.
func (v display) timeStyle(e entry, row ink.Style) ink.Style {
	if e.Standing != queue.StandingOpen || !e.HasClock() {
		return row
	}
	if style := ink.Time(say.ShownLeft(*e.Session, v.now), v.warn); style != ink.Plain {
		return style
	}
	return row
}

// ownRow is the number of rows from which the number of questions that are not shown has a row of its own. With fewer
// rows it is at the end of a question's row.
const ownRow = 4

// slot is one row of the queue on screen: a question, or the number of questions that are not shown.
type slot struct {
	entry        int // the index of the question; -1: the row only counts
	above, below int // the number of questions that are not shown above this row, and below it
	place, of    int // shown in place of both counts: the place of the question on view in the queue; of 0: not shown
}

// slotsAround decides which questions have one of the given rows: the one under the cursor, its neighbours, and the one
// that ends first.
func (v display) slotsAround(rows int) []slot {
	at, end := max(v.cursor, 0), v.n-rows+2
	switch {
	case v.n <= rows:
		return appendSlots(nil, 0, v.n)
	case rows < ownRow:
		return v.tightSlots(at, rows)
	case at <= rows-2:
		return append(appendSlots(nil, 0, rows-1), slot{entry: -1, below: v.n - rows + 1})
	case at >= end:
		return appendSlots([]slot{{entry: 0}, {entry: -1, above: end - 1}}, end, v.n)
	}
	from := at - rows + 4
	slots := appendSlots([]slot{{entry: 0}, {entry: -1, above: from - 1}}, from, at+1)
	return append(slots, slot{entry: -1, below: v.n - at - 1})
}

// tightSlots does the same as slotsAround for so few rows that no row only counts. at is the index of the question
// under the cursor.
func (v display) tightSlots(at, rows int) []slot {
	if rows < 1 {
		return nil
	}
	var slots []slot
	if rows > 1 {
		slots = append(slots, slot{entry: 0})
		at = max(at, 1)
	}
	rest := rows - len(slots)
	from := min(at, v.n-rest)
	slots = appendSlots(slots, from, from+rest)
	slots[len(slots)-rest].above = from - (rows - rest)
	slots[rows-1].below = v.n - from - rest
	return slots
}

// otherSlots gives the rows to the questions that are not on view, the one that ends first on top. If there are too few
// rows, the last one also says which place in the queue the question on view has.
func (v display) otherSlots(rows int) []slot {
	if v.n <= rows {
		return appendSlots(nil, 0, v.n)
	}
	var slots []slot
	for at := 0; at < v.n && len(slots) < rows; at++ {
		if at != v.cursor {
			slots = append(slots, slot{entry: at})
		}
	}
	switch last := len(slots) - 1; {
	case last < 0:
	case v.cursor < 0:
		slots[last].below = v.n - rows
	case v.n-1 > rows:
		slots[last].place, slots[last].of = v.cursor+1, v.n
	}
	return slots
}

// appendSlots appends a slot for each question between two indexes.
func appendSlots(slots []slot, from, to int) []slot {
	for at := from; at < to; at++ {
		slots = append(slots, slot{entry: at})
	}
	return slots
}

// words returns the words that count the questions that are not shown. long: the words have a row of their own.
func (s slot) words(g ink.Glyphs, long bool) string {
	if s.of > 0 {
		return fmt.Sprintf(" %d of %d", s.place, s.of)
	}
	words := ""
	for _, c := range []struct {
		sign string
		n    int
	}{{g.Up, s.above}, {g.Down, s.below}} {
		switch {
		case c.n == 0:
		case long:
			words += fmt.Sprintf(" %s %d more", c.sign, c.n)
		default:
			words += fmt.Sprintf(" %s%d", c.sign, c.n)
		}
	}
	return words
}

// stripSlots decides which questions have a row in the strip: those around the question on view, or, if there are few
// rows and the queue does not have the focus, the other questions.
func (v display) stripSlots(rows int) []slot {
	if v.focus || rows >= ownRow {
		return v.slotsAround(rows)
	}
	return v.otherSlots(rows)
}

// shows reports whether the question at an index has a row in an area of this height: in the strip, or in the list.
func (v display) shows(at, rows int, list bool) bool {
	slots := v.stripSlots
	if list {
		slots, rows = v.slotsAround, v.listSlots(rows)
	}
	for _, s := range slots(rows) {
		if s.entry == at && at >= 0 {
			return true
		}
	}
	return false
}
