package panes

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Entry is one row of the queue.
type Entry struct {
	queue.Waiting
	Name   string // the agent's name, made distinct
	Unseen bool
	Draft  bool
	Where  string // where it is attached
	Done   string // how far a form of several questions is
}

// Missed is a question that timed out or was withdrawn, and nobody saw it.
type Missed struct {
	At        time.Time
	Title     string
	Dir       string
	Withdrawn bool // by the caller; else it timed out
}

// missedCount counts what was missed, by how it ended.
func missedCount(missed []Missed) string {
	withdrawn := 0
	for _, m := range missed {
		if m.Withdrawn {
			withdrawn++
		}
	}
	return say.Missed(len(missed)-withdrawn, withdrawn)
}

// QueueView is what the queue shows: below the question as a strip, or left of it as a list.
type QueueView struct {
	N      int             // how many wait
	Entry  func(int) Entry // asked for the rows on screen only
	Cursor int             // the row of the session on screen; -1: it is none of them
	Now    time.Time
	Warn   time.Duration
	Focus  bool
	Missed []Missed
	None   string // said where there is no row: nothing matches
}

// DrawStrip draws one row per question: without the focus the others first, the soonest on top.
func (v QueueView) DrawStrip(c ink.Canvas, r ink.Rect) {
	c.Fill(r, ink.Plain) // a squeezed form may have run over
	if v.N == 0 && r.H > 0 {
		c.Put(r.X+2, r.Y, r.W-3, ink.Plain, ink.Cut(v.None, r.W-3, c.Glyphs.Ellipsis))
	}
	for n, s := range v.strip(r.H) {
		v.drawSlot(c, r.Row(n), s, false)
	}
}

// drawSlot draws a row of the queue, with the counts of what is left out.
func (v QueueView) drawSlot(c ink.Canvas, r ink.Rect, s slot, list bool) {
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
	v.drawEntry(c, room, v.Entry(s.entry), s.entry == v.Cursor, list)
}

// ListRows is how many rows DrawList takes where it has all it wants.
func (v QueueView) ListRows() int {
	if len(v.Missed) > 0 {
		return 2*v.N + len(v.Missed) + 2
	}
	return 2 * v.N
}

// listSlots is how many slots of the list, of two rows each, fit into so many rows.
func (v QueueView) listSlots(rows int) int {
	if missed := v.listMissed(rows); missed > 0 {
		rows -= missed + 2
	}
	return max(rows/2, 1)
}

// listMissed is how many of so many rows of the list are for what was missed.
func (v QueueView) listMissed(rows int) int { return min(len(v.Missed), max(rows/3-2, 0)) }

// DrawList draws two rows per question with a fuse, and below them what was missed.
func (v QueueView) DrawList(c ink.Canvas, r ink.Rect) {
	y := r.Y
	if v.N == 0 && v.None != "" && r.H > 0 {
		c.Put(r.X+2, y, r.W-3, ink.Plain, ink.Cut(v.None, r.W-3, c.Glyphs.Ellipsis))
		y++
	}
	for _, s := range v.around(v.listSlots(r.H)) {
		v.drawSlot(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, s, true)
		if y++; s.entry >= 0 {
			v.drawUnder(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, v.Entry(s.entry))
			y++
		}
	}
	if missed := v.listMissed(r.H); missed > 0 {
		c.Put(r.X+2, y+1, r.W-3, ink.Danger, ink.Cut(missedCount(v.Missed), r.W-3, c.Glyphs.Ellipsis))
		drawMissed(c, ink.Rect{X: r.X + 2, Y: y + 2, W: r.W - 3, H: missed}, v.Missed)
	}
}

func (v QueueView) drawUnder(c ink.Canvas, r ink.Rect, e Entry) {
	const fuse = 8
	room := r.W - 9 - fuse - 3
	c.Put(r.X+9, r.Y, room, dimFor(e), ink.Cut(e.who(room), room, c.Glyphs.Ellipsis))
	lit := say.Lit(e.Session, v.Now, fuse)
	for i := range fuse {
		glyph := c.Glyphs.Rule
		if i < lit {
			glyph = c.Glyphs.Fuse
		}
		c.Put(r.X+r.W-fuse-1+i, r.Y, 1, dimFor(e), glyph)
	}
}

// why says why the question hurries nobody, in full and in a word; empty: it does hurry.
func (e Entry) why() (long, short string) { return say.Standing(e.Standing, e.Where) }

// names are the ways to say whose question it is and why it hurries nobody, longest first: the name goes before the
// reason does.
func (e Entry) names() []string {
	dir := e.Origin.Dir()
	if dir == "" {
		dir = e.Name
	}
	long, short := e.why()
	if long == "" {
		return []string{e.Name, dir}
	}
	return []string{e.Name + " · " + long, e.Name + " · " + short, dir + " · " + short, short}
}

// who is the longest of names that fits w cells, else the shortest.
func (e Entry) who(w int) string { return ink.Longest(e.names(), w) }

func dimFor(e Entry) ink.Style {
	if e.Standing != queue.StandingOpen {
		return ink.Dim
	}
	return ink.Plain
}

// drawEntry draws a question's row; in the list its agent stands in the row below.
func (v QueueView) drawEntry(c ink.Canvas, r ink.Rect, e Entry, cursor, list bool) {
	g := c.Glyphs
	style := dimFor(e)
	if cursor && v.Focus {
		style = style.Reverse(true)
		c.Fill(r, style)
	}
	if cursor {
		c.Put(r.X, r.Y, 1, style, g.Cursor)
	}
	timeStyle := style
	if say.Urgent(e.Session, v.Now, v.Warn) && e.Standing == queue.StandingOpen {
		timeStyle = ink.Danger.Bold(true).Reverse(true)
	}
	c.PutRight(r.X+2, r.Y, 5, timeStyle, say.TimeLeft(e.Session, v.Now, v.Warn))
	title, mark := e.title(), ""
	if e.Draft {
		mark = " " + g.Note
	}
	end := r.X + r.W - 1
	if !list {
		name := e.inStrip(r.W, end-(r.X+9)-ink.Width(title+mark)-1)
		end = c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(name, r.W/3, g.Ellipsis)) - 1
	}
	room := end - (r.X + 9)
	e.drawTitle(c, ink.Rect{X: r.X + 9, Y: r.Y, W: room, H: 1}, style,
		ink.Cut(title, room-ink.Width(mark), g.Ellipsis)+mark)
}

// approve stands before the title of an approval.
const approve = "approve?"

func (e Entry) title() string {
	title := say.OneLine(e.Ask.Title)
	if e.Ask.Kind == queue.KindApproval {
		title = approve + " " + title
	}
	if e.Done != "" {
		title += " · " + e.Done
	}
	return title
}

// inStrip is what stands right of the title in a row of w cells, of which the title leaves so many.
func (e Entry) inStrip(w, left int) string {
	names := e.names()
	switch {
	case w >= 70:
		return ink.Longest(names, w/3)
	case e.Standing == queue.StandingOpen:
		return names[1]
	}
	return ink.Longest(names[2:], min(w/3, left))
}

// drawTitle draws the title; that it is an approval is bold also once it was seen, and is the last thing to be cut.
func (e Entry) drawTitle(c ink.Canvas, r ink.Rect, style ink.Style, title string) {
	x := r.X
	if rest, ok := strings.CutPrefix(title, approve); ok && e.Ask.Kind == queue.KindApproval {
		x += c.Put(x, r.Y, r.W, style.Bold(true), approve)
		title = rest
	}
	c.Put(x, r.Y, r.X+r.W-x, style.Bold(e.Unseen), title)
}

func drawMissed(c ink.Canvas, r ink.Rect, missed []Missed) {
	for n, m := range missed {
		if n == r.H {
			return
		}
		y := r.Y + n
		c.Put(r.X, y, 5, ink.Plain, m.At.Local().Format("15:04"))
		start := r.X + r.W - 1
		if m.Dir != "" {
			start = c.PutRight(r.X, y, r.W-1, ink.Plain, ink.Cut(m.Dir, r.W/3, c.Glyphs.Ellipsis)) - 1
		}
		c.Put(r.X+7, y, start-r.X-7, ink.Plain, ink.Cut(say.OneLine(m.Title), start-r.X-7, c.Glyphs.Ellipsis))
	}
}
