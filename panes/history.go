package panes

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// HistoryRow is one settled session as the list shows it: small, so that 100,000 of them fit in memory.
type HistoryRow struct {
	ID     string
	At     time.Time // when it was settled
	Took   time.Duration
	Ended  string // queue.Outcome.Ended; of a message to an agent: sent, not sent, waiting
	Title  string // visible, on one line
	Answer string // visible, on one line
	Dir    string
	Note   bool // the person added a note or a comment
}

const (
	mostAnswer  = 120 // cells of an answer that a row keeps
	messageSent = "sent"
	messageLost = "not sent"
)

// MessageWaits is how a message is called that its agent has not fetched.
const MessageWaits = "waiting"

// HistoryRowOf is a settled session's row, or that of a message which waits for its agent.
func HistoryRowOf(s queue.Session) HistoryRow {
	if s.Outcome == nil {
		return HistoryRow{ID: s.ID, At: s.AskedAt, Ended: MessageWaits, Title: say.OneLine(s.Ask.Title),
			Dir: s.Origin.Dir(), Answer: ink.Cut(s.Summary(), mostAnswer, "…")}
	}
	r := HistoryRow{ID: s.ID, At: s.Outcome.At, Took: s.Took(), Ended: s.Outcome.Ended(),
		Title: say.OneLine(s.Ask.Title), Dir: s.Origin.Dir()}
	if s.IsMessage() {
		if r.Answer = ink.Cut(s.Summary(), mostAnswer, "…"); r.Ended == queue.StatusDelivered {
			r.Ended = messageSent
		} else {
			r.Ended = messageLost
		}
		return r
	}
	r.Answer = ink.Cut(endWords(s), mostAnswer, "…")
	r.Note = annotated(s)
	return r
}

// endWords is the answer, or the reason where there is none.
func endWords(s queue.Session) string {
	o := s.Outcome
	switch {
	case o.Answered(), len(o.Answer.Replies) > 0:
		return s.Ask.Summary(o.Answer)
	case !queue.Blank(o.Reason):
		return "“" + say.OneLine(o.Reason) + "”"
	}
	return ""
}

// annotated reports whether the answer holds a note or a comment that the caller did not attach itself.
func annotated(s queue.Session) bool {
	ans := s.Outcome.Answer
	if !queue.Blank(ans.Comment) && ans.Comment != s.Ask.Comment {
		return true
	}
	for i, r := range ans.Replies {
		for id, note := range r.Notes {
			if i >= len(s.Ask.Questions) {
				break
			}
			if o, ok := s.Ask.Questions[i].Option(id); ok && note != o.Note {
				return true
			}
		}
	}
	return false
}

// HistoryView is the list of settled sessions, newest first, and below it the one under the cursor.
type HistoryView struct {
	N           int
	Row         func(int) HistoryRow // asked for the rows on screen only
	Top, Cursor int
	Name, Right string // in the rule: `history · 1,284 settled`, `/database · 3 found`
	Empty       string // in place of rows
	Preview     Laid   // of the one under the cursor, for r.W-1 cells; nil: not read yet, or none
	Spared      int    // rows the preview is spared, whatever it has: what others needed, so that its rule stays
	More        string // behind the count of what is below, where more is there than was read: `+`
	Year        int    // now's; days of other years name theirs
}

// leastPreview is the least height of a preview; with less room there is none.
const leastPreview = 9

// rows is how many rows of a page h cells high are for the list; the rest is the preview, none in a small one. The
// list has the rows the preview leaves, if it has more to show.
func (v HistoryView) rows(h int) int {
	list := max((h-2)/3, (h-2)/2-4)
	if v.N == 0 || h-2-list < leastPreview || h < 15 {
		return h - 1
	}
	spared := max(len(v.Preview), v.Spared, leastPreview/2)
	return max(list, min(v.lines(h), h-2-spared))
}

// lines is how many lines all rows take with their days, counted up to most.
func (v HistoryView) lines(most int) int {
	n, day := 0, ""
	for i := 0; i < v.N && n < most; i++ {
		if d := v.day(v.Row(i)); d != day {
			n, day = n+1, d
		}
		n++
	}
	return n
}

// Draw draws rule, list and preview into r, and returns the first row shown, moved so that the cursor is seen, and
// how many rows are on screen.
func (v HistoryView) Draw(c ink.Canvas, r ink.Rect) (top, shown int) {
	rows := v.rows(r.H)
	top, shown = v.drawList(c, ink.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: rows})
	outside := v.outside(c.Glyphs, top, shown)
	if rows == r.H-1 {
		right := v.Right
		if outside != "" && right != "" && ink.Width(v.Name+right+outside)+10 <= r.W {
			right += " " + c.Glyphs.Dot + " "
		}
		if right == "" || strings.HasSuffix(right, " ") {
			right += outside
		}
		ink.DrawNamedRule(c, r.Row(0), v.Name, right)
		return top, shown
	}
	ink.DrawNamedRule(c, r.Row(0), v.Name, v.Right)
	y, row := r.Y+1+rows, v.Row(v.Cursor)
	if outside != "" {
		outside += " " + c.Glyphs.Dot + " "
	}
	ink.DrawNamedRule(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1},
		outside+ink.Cut(row.Title, max(r.W-ink.Width(outside)-len(row.ID)-10, 8), c.Glyphs.Ellipsis), row.ID)
	drawText(c, ink.Rect{X: r.X, Y: y + 1, W: r.W, H: r.Y + r.H - y - 1}, v.Preview)
	return top, shown
}

// outside counts the rows of the list above and below those on screen.
func (v HistoryView) outside(g ink.Glyphs, top, shown int) string {
	var parts []string
	if top > 0 {
		parts = append(parts, g.Up+" "+say.Number(top))
	}
	if below := v.N - top - shown; below > 0 || v.N > 0 && v.More != "" {
		parts = append(parts, g.Down+" "+say.Number(below)+v.More)
	}
	return strings.Join(parts, " ")
}

func (v HistoryView) drawList(c ink.Canvas, r ink.Rect) (top, shown int) {
	if v.N == 0 {
		for i, l := range ink.Wrap(v.Empty, r.W-4) {
			if i+1 < r.H {
				c.Put(r.X+2, r.Y+1+i, r.W-3, ink.Plain, l)
			}
		}
		return 0, 0
	}
	top = v.scroll(r.H)
	col := columnsFor(r.W, v.widestDir(top, r.H))
	y, day := r.Y, ""
	for i := top; i < v.N && y < r.Y+r.H; i++ {
		row := v.Row(i)
		if d := v.day(row); d != day {
			c.Put(r.X+2, y, r.W-2, ink.Bold, d)
			day = d
			if y++; y == r.Y+r.H {
				break
			}
		}
		row.draw(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, col, i == v.Cursor)
		y, shown = y+1, shown+1
	}
	return top, shown
}

// widestDir is the cells of the longest directory among the rows on screen.
func (v HistoryView) widestDir(top, rows int) (w int) {
	for i := top; i < min(top+rows, v.N); i++ {
		w = max(w, ink.Width(v.Row(i).Dir))
	}
	return w
}

// scroll moves the first row as little as needed for the cursor to be among rows lines, headings included.
func (v HistoryView) scroll(rows int) int {
	top := min(max(v.Top, 0), v.Cursor)
	lines, day := 1, v.day(v.Row(v.Cursor)) // the heading over the first row is always there
	for i := v.Cursor; i >= top; i-- {
		if d := v.day(v.Row(i)); d != day {
			lines, day = lines+1, d
		}
		if lines++; lines > rows {
			return min(i+1, v.Cursor)
		}
	}
	return top
}

func (v HistoryView) day(r HistoryRow) string { return say.Day(r.At, v.Year) }

// historyColumns are the cells of a row's columns; zero: there is no room for it.
type historyColumns struct{ ended, title, answer, dir, took int }

func columnsFor(w, widestDir int) historyColumns {
	const fixed = 9 // cursor, time and the gaps around them
	col := historyColumns{took: 5}
	switch {
	case w >= 70:
		col.ended, col.dir = 9, min(max(w/10-3, 5, min(widestDir, w/6)), 18)
		rest := w - 1 - fixed - (col.ended + 2) - (col.dir + 2) - col.took + 1 - 4 // five cells of time take one of the gap
		col.title = min(rest*8/13, 72)
		col.answer = rest - col.title
	case w >= 50:
		rest := w - 1 - fixed - col.took - 4
		col.title = rest * 3 / 5
		col.answer = rest - col.title
	default:
		col.took = 0
		rest := w - fixed - 2
		col.title = rest * 3 / 5
		col.answer = rest - col.title
	}
	return col
}

func (r HistoryRow) draw(c ink.Canvas, at ink.Rect, col historyColumns, cursor bool) {
	g, style := c.Glyphs, ink.Plain
	if cursor {
		style = style.Reverse(true)
		c.Fill(at, style)
		c.Put(at.X, at.Y, 1, style, g.Cursor)
	}
	x := at.X + 2
	put := func(w int, style ink.Style, text string) {
		if w > 0 {
			c.Put(x, at.Y, w, style, ink.Cut(text, w, g.Ellipsis))
			x += w + 2
		}
	}
	put(5, style, r.At.Local().Format("15:04"))
	put(col.ended, endedStyle(r.Ended, style), say.Ended(r.Ended))
	put(col.title, style, r.Title)
	answer, mark := r.Answer, ""
	if col.ended == 0 && say.Ended(r.Ended) != "answered" && r.Ended != messageSent {
		answer = say.Ended(r.Ended)
	}
	if answer == "" {
		if answer = "–"; g.Rule == ink.ASCII.Rule {
			answer = "-"
		}
	}
	if r.Note {
		mark = " " + g.Note
	}
	put(col.answer, style, ink.Cut(answer, col.answer-ink.Width(mark), g.Ellipsis)+mark)
	put(col.dir, style, r.Dir)
	if col.took > 0 && r.Ended != MessageWaits {
		c.PutRight(at.X+at.W-1-col.took, at.Y, col.took, style, say.Took(r.Took))
	}
}

// endedStyle marks what went without an answer of the person; the word says it too.
func endedStyle(ended string, style ink.Style) ink.Style {
	if ended == queue.StatusTimeout || ended == messageLost {
		fg, _, _ := ink.Danger.Decompose()
		return style.Foreground(fg)
	}
	return style
}

// SessionView is the page that holds all of one session.
type SessionView struct {
	Title string
	ID    string
	Text  Laid // for r.W-1 cells
	Top   int
}

// Draw draws the page into r, rule included, and returns the first line shown, kept within the text, and how many
// lines there are below the last one shown.
func (v SessionView) Draw(c ink.Canvas, r ink.Rect) (top, below int) {
	title := ink.Cut(say.OneLine(v.Title), max(r.W-len(v.ID)-10, 8), c.Glyphs.Ellipsis)
	ink.DrawNamedRule(c, r.Row(0), title, v.ID)
	room := r.H - 1
	if len(v.Text) > room {
		room--
	}
	top = min(max(v.Top, 0), max(len(v.Text)-room, 0))
	below = len(v.Text) - top - room
	drawText(c, ink.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: room}, v.Text[top:min(top+room, len(v.Text))])
	c.Put(r.X, r.Y+r.H-1, r.W, ink.Plain, outOfSight(c.Glyphs, top, below))
	return top, max(below, 0)
}

// outOfSight counts the lines above and below those on screen; empty: all of them are.
func outOfSight(g ink.Glyphs, above, below int) string {
	switch {
	case above > 0 && below > 0:
		return fmt.Sprintf(" %s %d %s %s below", g.Up, above, g.Down, say.Count(below, "line"))
	case above > 0:
		return fmt.Sprintf(" %s %s above", g.Up, say.Count(above, "line"))
	case below > 0:
		return fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
	}
	return ""
}

// drawText draws lines; where not all fit, the last row counts the rest.
func drawText(c ink.Canvas, r ink.Rect, lines Laid) {
	for n := range min(r.H, len(lines)) {
		y := r.Y + n
		if rest := len(lines) - n; n == r.H-1 && rest > 1 {
			c.Put(r.X, y, r.W, ink.Plain, outOfSight(c.Glyphs, 0, rest))
			return
		}
		l := lines[n]
		c.PutLine(r.X, y, r.W, l.Line)
		if l.right != "" {
			c.PutRight(r.X, y, r.W-1, ink.Plain, l.right)
		}
	}
}
