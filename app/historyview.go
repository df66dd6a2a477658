package app

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

func (p *historyPage) draw(c ink.Canvas, r ink.Rect) {
	lower := ink.Rect{X: r.X, Y: r.Y + r.H - 1, W: r.W, H: 1}
	r.H--
	year := p.d.now().Local().Year()
	s, known := p.session()
	if p.reading && known {
		v := panes.SessionView{Title: s.Ask.Title, ID: s.ID, Text: p.lay(s, r.W-1), Top: p.scroll}
		p.scroll, p.below = v.Draw(c, r)
	} else {
		f := p.feed
		v := panes.HistoryView{N: len(f.rows), Row: func(i int) panes.HistoryRow { return f.rows[i].HistoryRow }, Top: p.top, Cursor: p.cursor,
			Empty: p.empty(), Year: year}
		v.Name, v.Right = p.ends(r.W)
		if known {
			v.Preview = p.lay(s, r.W-1)
		}
		if !f.done {
			v.More = "+"
		}
		v.Spared = p.spare(r, len(v.Preview))
		p.top, p.shown = v.Draw(c, r)
	}
	p.drawLower(c, lower)
}

// spare is the rows that previews have needed on a page of this size: with it their rule moves up at most, and not
// with every step of the cursor.
func (p *historyPage) spare(r ink.Rect, lines int) int {
	if p.sparedOn != r {
		p.sparedOn, p.spared = r, 0
	}
	p.spared = max(p.spared, lines)
	return p.spared
}

// laidText is a session's text as it was laid out last: laying out reads Markdown, so not for every draw.
type laidText struct {
	id       string
	revision uint64
	w        int
	whole    bool
	drafts   int
	lines    panes.Laid
}

func (p *historyPage) lay(s queue.Session, w int) panes.Laid {
	t := laidText{id: s.ID, revision: s.Revision, w: w, whole: p.reading, drafts: len(p.drafts)}
	if was := p.laid; was.id == t.id && was.revision == t.revision && was.w == w && was.whole == t.whole && was.drafts == t.drafts {
		return was.lines
	}
	t.lines = p.words(s).Lay(p.d.glyphs, w)
	p.laid = t
	return t.lines
}

// words are a session's text as far as the page shows it: all of it while it is read.
func (p *historyPage) words(s queue.Session) panes.SessionText {
	t := panes.SessionText{Session: s, Home: p.d.o.Home, Year: p.d.now().Local().Year(), Whole: p.reading}
	if p.reading {
		t.Drafts = p.drafts
	}
	return t
}

// ends are the two ends of the rule. Where there is no room for both, what was found comes first.
func (p *historyPage) ends(w int) (name, right string) {
	const rule = 9 // cells of rule and gaps that stay
	name, right = p.name(), p.right()
	if ink.Width(name+right)+rule <= w || p.find == "" {
		return name, right
	}
	if name = "history"; ink.Width(name+right)+rule > w {
		right = p.found()
	}
	return name, right
}

// name is the left end of the rule: how many there are in all, as far as that is known.
func (p *historyPage) name() string {
	n := len(p.feed.rows)
	switch {
	case n == 0:
		return "history"
	case p.find == "" && p.feed.done:
	case p.total >= 0:
		n = p.total + len(p.kept)
	default:
		return "history"
	}
	return "history " + p.d.glyphs.Dot + " " + say.Number(max(n-p.waiting(), 0)) + " settled"
}

// right is the right end of the rule: what narrows the list and what that found, or how far reading has come.
func (p *historyPage) right() string {
	f, dot := p.current(), " "+p.d.glyphs.Dot+" "
	if f.fault != "" {
		return "! not all is read: " + say.OneLine(f.fault)
	}
	if p.find == "" {
		if p.toEnd {
			return "reading" + p.d.glyphs.Ellipsis + " " + say.Number(f.read)
		}
		return ""
	}
	if f.busy {
		return "/" + say.OneLine(p.find) + dot + p.found() + ", searching" + p.d.glyphs.Ellipsis + " " + say.Number(f.read)
	}
	return "/" + say.OneLine(p.find) + dot + p.found()
}

// found counts what was found; with a plus where there may be more.
func (p *historyPage) found() string {
	f := p.current()
	if !f.done && !f.busy {
		return say.Number(len(f.rows)) + "+ found"
	}
	return say.Number(len(f.rows)) + " found"
}

// empty stands where there are no rows.
func (p *historyPage) empty() string {
	f := p.feed
	switch {
	case f.fault != "":
		return "! the history cannot be read: " + say.OneLine(f.fault)
	case p.find != "" && (f.busy || p.soon != nil):
		return "searching" + p.d.glyphs.Ellipsis
	case f.busy:
		return "reading" + p.d.glyphs.Ellipsis
	case p.find != "":
		return "Nothing that was settled has “" + say.OneLine(p.find) + "” in it."
	}
	return "Nothing was settled yet. What you answer is listed here."
}

// drawLower draws the lowest rule, or the line being typed over it.
func (p *historyPage) drawLower(c ink.Canvas, r ink.Rect) {
	label, e := "", p.editor()
	switch e {
	case nil:
		p.d.drawPageLower(c, r)
		return
	case p.finding:
		label = "/ narrow the history: "
	default:
		label = "w write to: "
	}
	drawFind(c, r, label, e)
}

// drawPageLower draws the lowest rule of a page: what waits meanwhile, and how to get there.
func (d *Dashboard) drawPageLower(c ink.Canvas, r ink.Rect) {
	if len(d.waiting) == 0 {
		ink.DrawNamedRule(c, r, "", d.last.fit(d.glyphs, r.W-10))
		return
	}
	s := d.waiting[0].Session
	if on, pending := d.pending(); pending {
		s = on
	}
	back := d.keys.KeyOf(keys.PlaceHistory, keys.ActBack) + " brings it up"
	head, tail := d.waitWords()+" "+d.glyphs.Dot+" ", " "+say.TimeLeft(s, d.now(), d.warn())
	room := r.W - ink.Width(head+tail+back) - 12
	if room < 8 {
		back, room = "", r.W-ink.Width(head+tail)-6
	}
	ink.DrawNamedRule(c, r, head+ink.Cut(say.OneLine(s.Ask.Title), room, d.glyphs.Ellipsis)+tail, back)
}
