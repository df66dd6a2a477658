package list

import (
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// view is the queue as it stands at one moment.
type view struct {
	n      int             // how many are listed
	entry  func(int) entry // asked for the rows on screen only
	cursor int             // the row of the session on view; -1: it is none of them
	now    time.Time
	warn   time.Duration
	focus  bool
	missed []queue.Session
	none   string // said where there is no row: nothing matches
}

// drawStrip draws one row per question: without the focus the others first, the soonest on top.
func (v view) drawStrip(c ink.Canvas, r ink.Rect) {
	c.Fill(r, ink.Plain) // a squeezed form may have run over
	if v.n == 0 && r.H > 0 {
		c.Put(r.X+2, r.Y, r.W-3, ink.Plain, ink.Cut(v.none, r.W-3, c.Glyphs.Ellipsis))
	}
	for n, s := range v.strip(r.H) {
		v.drawSlot(c, r.Row(n), s, false)
	}
}

// drawSlot draws a row of the queue, with the counts of what is left out.
func (v view) drawSlot(c ink.Canvas, r ink.Rect, s slot, list bool) {
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
	v.drawEntry(c, room, v.entry(s.entry), s.entry == v.cursor, list)
}

// listRows is how many rows drawList takes where it has all it wants.
func (v view) listRows() int {
	if len(v.missed) > 0 {
		return 2*v.n + len(v.missed) + 2
	}
	return 2 * v.n
}

// listSlots is how many slots of the list, of two rows each, fit into so many rows.
func (v view) listSlots(rows int) int {
	if missed := v.listMissed(rows); missed > 0 {
		rows -= missed + 2
	}
	return max(rows/2, 1)
}

// listMissed is how many of so many rows of the list are for what was missed.
func (v view) listMissed(rows int) int { return min(len(v.missed), max(rows/3-2, 0)) }

// drawList draws two rows per question with a fuse, and below them what was missed.
func (v view) drawList(c ink.Canvas, r ink.Rect) {
	y := r.Y
	if v.n == 0 && v.none != "" && r.H > 0 {
		c.Put(r.X+2, y, r.W-3, ink.Plain, ink.Cut(v.none, r.W-3, c.Glyphs.Ellipsis))
		y++
	}
	for _, s := range v.around(v.listSlots(r.H)) {
		v.drawSlot(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, s, true)
		if y++; s.entry >= 0 {
			v.drawUnder(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, v.entry(s.entry))
			y++
		}
	}
	if missed := v.listMissed(r.H); missed > 0 {
		c.Put(r.X+2, y+1, r.W-3, ink.Danger, ink.Cut(say.MissedOf(v.missed), r.W-3, c.Glyphs.Ellipsis))
		ink.DrawMissed(c, ink.Rect{X: r.X + 2, Y: y + 2, W: r.W - 3, H: missed}, v.missed)
	}
}

// drawUnder draws the second row of a question in the list: its agent, and its fuse.
func (v view) drawUnder(c ink.Canvas, r ink.Rect, e entry) {
	const fuse = 8
	room := r.W - 9 - fuse - 3
	c.PutLine(r.X+9, r.Y, room, e.named(ink.Cut(e.who(room), room, c.Glyphs.Ellipsis), e.style()))
	lit := say.Lit(e.Session, v.now, fuse)
	for i := range fuse {
		glyph := c.Glyphs.Rule
		if i < lit {
			glyph = c.Glyphs.Fuse
		}
		c.Put(r.X+r.W-fuse-1+i, r.Y, 1, e.style(), glyph)
	}
}

// drawEntry draws a question's row; in the list its agent stands in the row below.
func (v view) drawEntry(c ink.Canvas, r ink.Rect, e entry, cursor, list bool) {
	g := c.Glyphs
	style := e.style()
	if cursor && v.focus {
		style = c.Theme.Cursor(style)
		c.FillCursor(r)
	}
	if cursor {
		c.Put(r.X, r.Y, 1, style, g.Cursor)
	}
	c.PutRight(r.X+2, r.Y, 5, v.timeStyle(e, style), say.TimeLeft(e.Session, v.now, v.warn))
	title, mark := e.title(), ""
	if e.draft {
		mark = " " + g.Note
	}
	end := r.X + r.W - 1
	if !list {
		name := e.inStrip(r.W, end-(r.X+9)-ink.Width(title+mark)-1)
		name = ink.Cut(name, r.W/3, g.Ellipsis)
		end = c.PutLineRight(r.X, r.Y, r.W-1, e.named(name, style)) - 1
	}
	room := end - (r.X + 9)
	e.drawTitle(c, ink.Rect{X: r.X + 9, Y: r.Y, W: room, H: 1}, style,
		ink.Cut(title, room-ink.Width(mark), g.Ellipsis)+mark)
}

// timeStyle is the style of a question's time in a row of a style: as of the row, until its last minute.
func (v view) timeStyle(e entry, row ink.Style) ink.Style {
	if e.Standing != queue.StandingOpen || e.Deadline.IsZero() {
		return row
	}
	if style := ink.Time(say.ShownLeft(e.Session, v.now), v.warn); style != ink.Plain {
		return style
	}
	return row
}
