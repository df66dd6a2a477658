package history

import (
	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Draw draws the list or the open session, and the last row.
func (r *Room) Draw(screen tcell.Screen) {
	c, at := r.host.Ink(screen), r.page()
	if s, known := r.list.current(); r.open.on && known {
		r.sessionView(s, at).draw(c, at)
	} else {
		r.listView(at).draw(c, at)
	}
	r.drawLower(c, ink.Rect{X: at.X, Y: at.Y + at.H, W: at.W, H: 1})
}

// drawLower draws the last row: the pending questions, or the line that is typed there.
func (r *Room) drawLower(c ink.Canvas, at ink.Rect) {
	if r.finding != nil {
		r.finding.DrawBehind(c, at, "/ filter the history: ")
		return
	}
	r.host.DrawLower(c, at)
}

// sessionView returns what the page shows of the open session in a rectangle.
func (r *Room) sessionView(s queue.Session, at ink.Rect) sessionView {
	return sessionView{Title: say.Title(s.Ask), ID: s.ID, Text: r.lay(s, at.W-1), Top: r.open.top}
}

// listView returns what the page shows of the list in a rectangle.
func (r *Room) listView(at ink.Rect) listView {
	f, g := r.list.feed, r.glyphs()
	v := listView{Entries: f.entries, Top: r.list.top, Cursor: r.list.cursor, Empty: r.list.wordsWhenEmpty(g),
		Year: r.year(), Spared: r.spared.rows, Here: r.here()}
	v.Name, v.Right = r.list.dividerEnds(g, at.W)
	if s, known := r.list.current(); known {
		v.Preview = r.lay(s, at.W-1)
	}
	if !f.done {
		v.More = "+"
	}
	return v
}

// here returns the names of this machine, to tell other machines from it.
func (r *Room) here() queue.Names { return queue.Names{Host: r.host.View().Desk().Queue().Host} }

func (r *Room) year() int { return r.host.View().Desk().Now().Local().Year() }

func (r *Room) glyphs() ink.Glyphs { return r.host.Ink(nil).Glyphs }

// laidText caches the lines of a session's text, because parsing its Markdown is too slow for every draw.
type laidText struct {
	of    laidOf
	lines laid
}

// laidOf holds the values that the lines depend on.
type laidOf struct {
	id       string
	revision uint64
	w        int
	whole    bool
	drafts   int
}

// lay returns a session's text in lines of w cells, from the cache if possible.
func (r *Room) lay(s queue.Session, w int) laid {
	of := laidOf{id: s.ID, revision: s.Revision, w: w, whole: r.open.on, drafts: len(r.open.drafts)}
	if r.laidLast.of != of {
		r.laidLast = laidText{of, r.textOf(s).lay(r.glyphs(), w)}
	}
	return r.laidLast.lines
}

// textOf returns what the page shows of a session's text: all of it if the session is open.
func (r *Room) textOf(s queue.Session) sessionText {
	t := sessionText{Session: s, Home: r.o.Home, Here: r.here(), Year: r.year(), Whole: r.open.on}
	if r.open.on {
		t.Drafts = r.open.drafts
	}
	return t
}

// Footer returns what Enter does here, and the keys.
func (r *Room) Footer() panes.Footer {
	return panes.Footer{Line: r.line(), Hints: panes.Hints(r.host, r.Place(), r.table)}
}

// line returns the Enter line.
func (r *Room) line() say.Line {
	g := r.glyphs()
	_, known := r.list.current()
	switch {
	case r.finding != nil:
		return say.Words(g.Enter + " done").Behind(say.Tail{r.list.dividerRight(g), ""})
	case r.list.toEnd:
		return say.Words("reading on to the oldest" + g.Ellipsis)
	case r.open.on:
		return say.Words(g.Enter + " back to the list")
	case known:
		return say.Line{Pieces: []say.Piece{say.Fixed("Open")}, Leads: true}
	}
	return say.Words("")
}

// backWord returns the word for the effect of back.
func (r *Room) backWord(action.Word) action.Word {
	_, known := r.list.current()
	all := action.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	switch {
	case r.finding != nil:
		return all
	case r.list.toEnd:
		return action.Word{Long: "stay here"}
	case !r.open.on && !known && r.list.find != "":
		return all
	}
	return action.Word{Long: "back"}
}

// sessionView draws the whole text of one session.
type sessionView struct {
	Title string
	ID    string
	Text  laid // wrapped for the page
	Top   int
}

// span returns, for a page of h rows, the first line on screen, the number of lines on screen, and the number of lines
// below.
func (v sessionView) span(h int) (top, shown, below int) {
	if shown = max(h-1, 0); len(v.Text) > shown {
		shown = max(shown-1, 0)
	}
	top = min(max(v.Top, 0), max(len(v.Text)-shown, 0))
	return top, shown, max(len(v.Text)-top-shown, 0)
}

// draw draws the text into r, with the line at its top.
func (v sessionView) draw(c ink.Canvas, r ink.Rect) {
	title := ink.Cut(v.Title, max(r.W-len(v.ID)-10, 8), c.Glyphs.Ellipsis)
	ink.DrawNamedDivider(c, r.Row(0), title, v.ID)
	top, shown, below := v.span(r.H)
	lines := v.Text[top:min(top+shown, len(v.Text))]
	lines.draw(c, ink.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: shown})
	c.Put(r.X, r.Y+r.H-1, r.W, ink.Plain, ink.OutOfSight(c.Glyphs, top, below))
}

// draw draws the lines. If not all fit, the last row counts the others.
func (lines laid) draw(c ink.Canvas, r ink.Rect) {
	for n := range min(r.H, len(lines)) {
		y := r.Y + n
		if rest := len(lines) - n; n == r.H-1 && rest > 1 {
			c.Put(r.X, y, r.W, ink.Plain, ink.OutOfSight(c.Glyphs, 0, rest))
			return
		}
		l := lines[n]
		c.PutLine(r.X, y, r.W, l.Line)
		if l.right != "" {
			c.PutRight(r.X, y, r.W-1, ink.Plain, l.right)
		}
	}
}
