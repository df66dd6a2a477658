package statistics

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

// view holds the numbers that a page shows: how much was asked, how long answers took and how sessions ended.
type view struct {
	stats       queue.Stats
	today       time.Time
	all         bool // the numbers are for all time, not for the last days
	name, right string
	empty       string // the words in place of the picture
	top         int
}

const (
	twoColumns   = 76 // the least width for two columns, in cells
	narrowAgents = 36 // the width below which the columns of agents are narrower
	longestBar   = 48 // the most cells of a bar
	mostAgents   = 8  // the most agents that are listed
)

// picture holds all lines of a view. On screen are room lines from top on; below is the number of lines below them.
type picture struct {
	lines            []ink.Line
	y                int // the row of the first line on screen
	room, top, below int
}

// layOut returns the lines of the view for the rectangle r, and decides which are on screen. A view without numbers has
// no lines.
func (v view) layOut(g ink.Glyphs, r ink.Rect) picture {
	if v.empty != "" {
		return picture{}
	}
	p := picture{lines: v.lines(g, r.W-3, r.H-2), y: r.Y + 1, room: r.H - 1}
	if len(p.lines) < p.room { // a blank line under the top line if there is room
		p.y, p.room = p.y+1, p.room-1
	}
	if len(p.lines) > p.room {
		p.room--
	}
	p.top = min(max(v.top, 0), max(len(p.lines)-p.room, 0))
	p.below = max(len(p.lines)-p.top-p.room, 0)
	return p
}

// draw draws the page into r, with the line at its top.
func (v view) draw(c ink.Canvas, r ink.Rect) {
	ink.DrawNamedDivider(c, r.Row(0), v.name, v.right)
	if v.empty != "" {
		for i, l := range ink.Wrap(v.empty, r.W-4) {
			c.Put(r.X+2, r.Y+2+i, r.W-3, ink.Plain, l)
		}
		return
	}
	p := v.layOut(c.Glyphs, r)
	for n := range min(p.room, len(p.lines)-p.top) {
		c.PutLine(r.X+2, p.y+n, r.W-2, p.lines[p.top+n])
	}
	c.Put(r.X, p.y+p.room, r.W, ink.Plain, ink.OutOfSight(c.Glyphs, p.top, p.below))
}

// lines returns the lines at w cells: two columns side by side if they fit, else one.
func (v view) lines(g ink.Glyphs, w, h int) []ink.Line {
	d := drawing{view: v, g: g, w: w, high: 5}
	if h >= 30 {
		d.high = 10
	}
	if w < twoColumns {
		return stack(d.questions(), d.medians(), d.spread(), d.outcomes(), d.agents())
	}
	const gutter, leastRight = 4, 38
	cells := min(max((w-gutter-leastRight-axis)/Days, 1), 4)
	d.w = axis + cells*Days // the charts decide the width of the left column
	left := stack(d.questions(), d.medians(), d.outcomes())
	leftW := d.w
	d.w = w - gutter - leftW
	right := stack(d.spread(), d.agents())
	var lines []ink.Line
	for i := range max(len(left), len(right)) {
		var l ink.Line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			l = append(l[:len(l):len(l)], ink.Span{Text: strings.Repeat(" ", leftW+gutter-l.Width()), Style: ink.Plain})
			l = append(l, right[i]...)
		}
		lines = append(lines, l)
	}
	return lines
}

// stack joins parts, with an empty line between them.
func stack(parts ...[]ink.Line) []ink.Line {
	var lines []ink.Line
	for _, p := range parts {
		if len(p) > 0 && len(lines) > 0 {
			lines = append(lines, ink.Line{})
		}
		lines = append(lines, p...)
	}
	return lines
}
