package panes

import (
	"fmt"
	"time"

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

// Missed is what timed out or was withdrawn while nobody pressed a key.
type Missed struct {
	At        time.Time
	Title     string
	Dir       string
	Withdrawn bool // by the caller; else it timed out
}

// missedWords counts what was missed, by how it ended.
func missedWords(missed []Missed) string {
	withdrawn := 0
	for _, m := range missed {
		if m.Withdrawn {
			withdrawn++
		}
	}
	switch out := len(missed) - withdrawn; {
	case withdrawn == 0:
		return fmt.Sprintf("! %d timed out while you were away", out)
	case out == 0:
		return fmt.Sprintf("! %d withdrawn while you were away", withdrawn)
	default:
		return fmt.Sprintf("! %d timed out, %d withdrawn while away", out, withdrawn)
	}
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
}

// DrawStrip draws one row per question, scrolled so that the one on screen is seen.
func (v QueueView) DrawStrip(c Canvas, r Rect) {
	top := scrollTo(v.Cursor, v.N, r.H)
	for n := range r.H {
		if top+n >= v.N {
			return
		}
		row := r.Row(n)
		if rest := v.N - top - n; n == r.H-1 && rest > 1 {
			c.Put(row.X, row.Y, row.W, Plain, fmt.Sprintf(" %s %d more", c.Glyphs.Down, rest))
			return
		}
		v.drawEntry(c, row, v.Entry(top+n), top+n == v.Cursor, false)
	}
}

func scrollTo(at, n, rows int) int {
	if n <= rows || at < rows-1 {
		return 0
	}
	return min(at-rows+2, n-rows)
}

// ListRows is how many rows DrawList takes where it has all it wants.
func (v QueueView) ListRows() int {
	if len(v.Missed) > 0 {
		return 2*v.N + len(v.Missed) + 2
	}
	return 2 * v.N
}

// DrawList draws two rows per question with a fuse, and below them what was missed.
func (v QueueView) DrawList(c Canvas, r Rect) {
	missed := min(len(v.Missed), max(r.H/3-2, 0))
	room := r.H
	if missed > 0 {
		room -= missed + 2
	}
	fits := max(room/2, 1)
	top := scrollTo(v.Cursor, v.N, fits)
	y := r.Y
	for n := range fits {
		if top+n >= v.N {
			break
		}
		if rest := v.N - top - n; n == fits-1 && rest > 1 {
			c.Put(r.X, y, r.W, Plain, fmt.Sprintf(" %s %d more", c.Glyphs.Down, rest))
			y++
			break
		}
		e := v.Entry(top + n)
		v.drawEntry(c, Rect{r.X, y, r.W, 1}, e, top+n == v.Cursor, true)
		v.drawUnder(c, Rect{r.X, y + 1, r.W, 1}, e)
		y += 2
	}
	if missed > 0 {
		c.Put(r.X+2, y+1, r.W-3, Danger, Cut(missedWords(v.Missed), r.W-3, c.Glyphs.Ellipsis))
		drawMissed(c, Rect{r.X + 2, y + 2, r.W - 3, missed}, v.Missed)
	}
}

func (v QueueView) drawUnder(c Canvas, r Rect, e Entry) {
	const fuse = 8
	c.Put(r.X+9, r.Y, r.W-9-fuse-3, dimFor(e), Cut(e.who(), r.W-9-fuse-3, c.Glyphs.Ellipsis))
	lit := Lit(e.Session, v.Now, fuse)
	for i := range fuse {
		glyph := c.Glyphs.Rule
		if i < lit {
			glyph = c.Glyphs.Fuse
		}
		c.Put(r.X+r.W-fuse-1+i, r.Y, 1, dimFor(e), glyph)
	}
}

// who names the agent, and why the question hurries nobody.
func (e Entry) who() string {
	switch e.Standing {
	case queue.StandingGone:
		return e.Name + " · gone"
	case queue.StandingAttached:
		if e.Where != "" {
			return e.Name + " · in " + e.Where
		}
		return e.Name + " · in its own form"
	case queue.StandingTeam:
		return e.Name + " · with the team"
	}
	return e.Name
}

func dimFor(e Entry) tcellStyle {
	if e.Standing != queue.StandingOpen {
		return Dim
	}
	return Plain
}

// drawEntry draws a question's row; in the list its agent stands in the row below.
func (v QueueView) drawEntry(c Canvas, r Rect, e Entry, cursor, list bool) {
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
	if Urgent(e.Session, v.Now, v.Warn) && e.Standing == queue.StandingOpen {
		timeStyle = Danger.Bold(true).Reverse(true)
	}
	c.PutRight(r.X+2, r.Y, 5, timeStyle, Left(e.Session, v.Now, v.Warn))
	end := r.X + r.W - 1
	if !list {
		name := e.who()
		if r.W < 70 && e.Standing == queue.StandingOpen {
			if name = e.Origin.Dir(); name == "" {
				name = e.Name
			}
		}
		end = c.PutRight(r.X, r.Y, r.W-1, style, Cut(name, r.W/3, g.Ellipsis)) - 1
	}
	title := line(e.Ask.Title)
	if e.Ask.Kind == queue.KindApproval {
		title = "approve? " + title
	}
	if e.Done != "" {
		title += " · " + e.Done
	}
	mark := ""
	if e.Draft {
		mark = " " + g.Note
	}
	if e.Unseen {
		style = style.Bold(true)
	}
	room := end - (r.X + 9)
	c.Put(r.X+9, r.Y, room, style, Cut(title, room-Width(mark), g.Ellipsis)+mark)
}

func drawMissed(c Canvas, r Rect, missed []Missed) {
	for n, m := range missed {
		if n == r.H {
			return
		}
		y := r.Y + n
		c.Put(r.X, y, 5, Plain, m.At.Local().Format("15:04"))
		start := r.X + r.W - 1
		if m.Dir != "" {
			start = c.PutRight(r.X, y, r.W-1, Plain, Cut(m.Dir, r.W/3, c.Glyphs.Ellipsis)) - 1
		}
		c.Put(r.X+7, y, start-r.X-7, Plain, Cut(line(m.Title), start-r.X-7, c.Glyphs.Ellipsis))
	}
}
