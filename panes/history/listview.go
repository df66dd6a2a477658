package history

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// listView draws the list of settled sessions, newest first, and below it a preview of the one under the cursor.
type listView struct {
	Entries     []entry
	Top, Cursor int
	Name, Right string // the ends of the line at the top: `history · 1,284 settled`, `/database · 3 found`
	Empty       string // the words in place of entries
	Preview     laid   // the lines of the session under the cursor; nil while it is not read
	Spared      int    // the least rows of the preview, so that the line above it does not move with the cursor
	More        string // `+` behind the number of entries below, if not all have been read
	Year        int    // the present year; days of other years name theirs
	Here        queue.Names
}

// leastPreview is the least height of a preview; with less room none is drawn.
const leastPreview = 9

// smallPage is the height below which a page has no preview.
const smallPage = 15

// rows returns how many rows of a page with h rows are for the list; the others are for the preview. A small page has
// no preview. A long list also gets the rows that the preview does not need.
func (v listView) rows(h int) int {
	shared := h - 2 // without the lines above the list and above the preview
	list := max(shared/3, shared/2-4)
	if len(v.Entries) == 0 || shared-list < leastPreview || h < smallPage {
		return h - 1
	}
	preview := max(len(v.Preview), v.Spared, leastPreview/2)
	return max(list, min(v.lines(h), shared-preview))
}

// lines returns how many lines all entries take with the headings of their days. It counts no further than most.
func (v listView) lines(most int) int {
	n, day := 0, ""
	for i := 0; i < len(v.Entries) && n < most; i++ {
		if d := v.day(i); d != day {
			n, day = n+1, d
		}
		n++
	}
	return n
}

// listRow is a row of the list: the heading of a day, or an entry.
type listRow struct {
	day   string // empty for an entry
	entry int
}

// list returns what is on screen on a page with h rows: the index of the first entry, so that the cursor is visible;
// the number of entries; and the rows.
func (v listView) list(h int) (top, shown int, rows []listRow) {
	if len(v.Entries) == 0 {
		return 0, 0, nil
	}
	room := v.rows(h)
	top = v.scroll(room)
	day := ""
	for i := top; i < len(v.Entries) && len(rows) < room; i++ {
		if d := v.day(i); d != day {
			rows, day = append(rows, listRow{day: d}), d
			if len(rows) == room {
				break
			}
		}
		rows, shown = append(rows, listRow{entry: i}), shown+1
	}
	return top, shown, rows
}

// scroll returns the first entry on screen, moved only as far as needed so that the cursor is visible in the given
// number of rows. Headings of days take rows too.
func (v listView) scroll(rows int) int {
	top := min(max(v.Top, 0), v.Cursor)
	lines, day := 1, v.day(v.Cursor) // the heading over the first row is always there
	for i := v.Cursor; i >= top; i-- {
		if d := v.day(i); d != day {
			lines, day = lines+1, d
		}
		if lines++; lines > rows {
			return min(i+1, v.Cursor)
		}
	}
	return top
}

// day returns the heading of the day on which the i-th entry was settled.
func (v listView) day(i int) string { return say.Day(v.Entries[i].At, v.Year) }

// draw draws the line at the top, the list and the preview into r.
func (v listView) draw(c ink.Canvas, r ink.Rect) {
	top, shown, list := v.list(r.H)
	rows := v.rows(r.H)
	v.drawList(c, ink.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: rows}, top, list)
	outside := v.outside(c.Glyphs, top, shown)
	if rows == r.H-1 {
		ink.DrawNamedDivider(c, r.Row(0), v.Name, v.rightWith(c.Glyphs, outside, r.W))
		return
	}
	ink.DrawNamedDivider(c, r.Row(0), v.Name, v.Right)
	y, e := r.Y+1+rows, v.Entries[v.Cursor]
	if outside != "" {
		outside += " " + c.Glyphs.Dot + " "
	}
	title := ink.Cut(e.Title, max(r.W-ink.Width(outside)-len(e.ID)-10, 8), c.Glyphs.Ellipsis)
	ink.DrawNamedDivider(c, ink.Rect{X: r.X, Y: y, W: r.W, H: 1}, outside+title, e.ID)
	v.Preview.draw(c, ink.Rect{X: r.X, Y: y + 1, W: r.W, H: r.Y + r.H - y - 1})
}

// rightWith returns the words at the right end of the line at the top of a page that has no room for the preview.
// outside says how many entries are above and below the screen; it is added if there is room.
func (v listView) rightWith(g ink.Glyphs, outside string, w int) string {
	switch {
	case v.Right == "":
		return outside
	case outside != "" && ink.Width(v.Name+v.Right+outside)+10 <= w:
		return v.Right + " " + g.Dot + " " + outside
	}
	return v.Right
}

// outside returns the numbers of entries above and below the screen.
func (v listView) outside(g ink.Glyphs, top, shown int) string {
	var parts []string
	if top > 0 {
		parts = append(parts, g.Up+" "+say.Number(top))
	}
	n := len(v.Entries)
	if below := n - top - shown; below > 0 || n > 0 && v.More != "" {
		parts = append(parts, g.Down+" "+say.Number(below)+v.More)
	}
	return strings.Join(parts, " ")
}

// drawList draws the rows of the list, or the words in place of entries.
func (v listView) drawList(c ink.Canvas, r ink.Rect, top int, rows []listRow) {
	if len(v.Entries) == 0 {
		for i, l := range ink.Wrap(v.Empty, r.W-4) {
			if i+1 < r.H {
				c.Put(r.X+2, r.Y+1+i, r.W-3, ink.Plain, l)
			}
		}
		return
	}
	place := func(e entry) string { return e.place(v.Here) }
	dir := v.widest(top, r.H, 0, func(e entry) string { return e.Dir })
	widest := v.widest(top, r.H, 0, place)
	col := columnsFor(r.W, widest, v.widest(top, r.H, leastEnded, entry.ended), widest > dir)
	for y, row := range rows {
		if row.day != "" {
			c.Put(r.X+2, r.Y+y, r.W-2, ink.Bold, row.day)
			continue
		}
		e := v.Entries[row.entry]
		e.draw(c, r.Row(y), col, place(e), row.entry == v.Cursor)
	}
}

// widest returns the cells of the longest text in one column among the entries on screen, but at least a minimum.
func (v listView) widest(top, rows, least int, text func(entry) string) int {
	w := least
	for i := top; i < min(top+rows, len(v.Entries)); i++ {
		w = max(w, ink.Width(text(v.Entries[i])))
	}
	return w
}

// dividerEnds returns the words at both ends of the line at the top of the page. If there is no room for both, the
// number of matches comes first.
func (l *listing) dividerEnds(g ink.Glyphs, w int) (name, right string) {
	const free = 9 // cells of the line that the words must leave free
	name, right = l.dividerName(g), l.dividerRight(g)
	if ink.Width(name+right)+free <= w || l.find == "" {
		return name, right
	}
	if name = "history"; ink.Width(name+right)+free > w {
		right = l.countFound()
	}
	return name, right
}

// ruleName returns the words at the left end of the line at the top of the page: the number of settled sessions, if it
// is known.
func (l *listing) dividerName(g ink.Glyphs) string {
	n, known := l.settled()
	if !known {
		return "history"
	}
	return "history " + g.Dot + " " + say.Number(n) + " " + say.Noun(n, "question")
}

// ruleRight returns the words at the right end of that line: the search words and the number of matches, or how many
// sessions have been read so far.
func (l *listing) dividerRight(g ink.Glyphs) string {
	f, find := l.feedBeingFilled(), l.find
	said := "/" + say.OneLine(find) + " " + g.Dot + " " + l.countFound()
	switch {
	case f.fault != "":
		return "! the history is incomplete: " + say.OneLine(f.fault)
	case find == "" && l.toEnd:
		return "reading" + g.Ellipsis + " " + say.Number(f.read)
	case find == "":
		return ""
	case f.busy:
		return said + ", searching" + g.Ellipsis + " " + say.Number(f.read)
	}
	return said
}

// countFound returns the number of matches, with a plus if there may be more.
func (l *listing) countFound() string {
	f := l.feedBeingFilled()
	if !f.done && !f.busy {
		return say.Number(len(f.entries)) + "+ found"
	}
	return say.Number(len(f.entries)) + " found"
}

// wordsWhenEmpty returns the words that are shown if there are no entries.
func (l *listing) wordsWhenEmpty(g ink.Glyphs) string {
	f, find := l.feed, l.find
	switch {
	case f.fault != "":
		return "! the history cannot be read: " + say.OneLine(f.fault)
	case find != "" && (f.busy || l.soon != nil):
		return "searching" + g.Ellipsis
	case f.busy:
		return "reading" + g.Ellipsis
	case find != "":
		return "No earlier question has “" + say.OneLine(find) + "” in it."
	}
	return "Nothing answered yet. Your answers will appear here."
}
