package team

import (
	"context"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/widen"
)

// Page covers the question: asking the team, and the review of what they said.
type Page struct {
	*tview.Box
	room *Room
	rows map[keys.Place]panes.Table
	on   stage // what top and seen are of
	gone bool  // its stage ended; it is shown only because another page covered it
	top  int   // the first line of the sheet on screen
	seen int   // so many of its first lines were on screen before
	laid ink.Laid[laidKey]
}

// stage identifies the stage, and the part, that the page shows.
type stage struct {
	stage widen.Stage
	part  widen.Part
}

func newPage(r *Room) *Page {
	p := &Page{Box: tview.NewBox(), room: r}
	p.rows = p.bind()
	w, h := r.host.Size()
	p.Box.SetRect(0, 0, w, max(h-2, 1)) // until the layout says more
	p.turn()
	return p
}

// turn begins at the first line where another stage is shown, and shows the part that keys go to.
func (p *Page) turn() {
	c := p.consult()
	was, now := p.on, stage{c.Stage, c.Part}
	switch p.on = now; {
	case was == now:
	case now.stage != widen.Asking:
		p.top = 0
		if now.stage != widen.Calling {
			p.seen = 0
		}
	case c.Fault != nil: // it says why asking failed
		p.top = 0
	default:
		s := p.sheet()
		p.read(s)
		p.top = s.starts[c.Part]
	}
}

// End leaves the page as another one takes its place.
func (p *Page) End() {
	if !p.gone {
		p.gone, p.room.page = true, nil
		p.room.consult().Away()
	}
}

// consult returns the consultation that the page is of; an empty one where that ended.
func (p *Page) consult() *widen.Consult {
	if p.gone {
		return &widen.Consult{}
	}
	return p.room.consult()
}

// Place returns the place in which keys are looked up now.
func (p *Page) Place() keys.Place { return say.TeamPlace(p.consult()) }

// Table binds the keys of the page.
func (p *Page) Table() panes.Table {
	if p.gone {
		return panes.Table{{Action: deed.Back, Do: func(string) { p.room.host.Close() }}}
	}
	return p.rows[p.Place()]
}

// Field returns the line being typed; nil: none is.
func (p *Page) Field() *editor.Field {
	if p.gone {
		return nil
	}
	return p.room.edited()
}

// Typed tells the desk the line's new text.
func (p *Page) Typed() { p.room.Typed() }

// InputHandler gives a key to the line.
func (p *Page) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return p.WrapInputHandler(func(ev *tcell.EventKey, _ func(tview.Primitive)) { p.room.key(ev) })
}

// PasteHandler gives pasted text to the line.
func (p *Page) PasteHandler() func(string, func(tview.Primitive)) {
	return p.WrapPasteHandler(func(text string, _ func(tview.Primitive)) { p.room.paste(text) })
}

// Foot says what Enter does, and the keys of the place.
func (p *Page) Foot() panes.Foot {
	return panes.Foot{Line: p.enterLine(), Hints: panes.Hints(p.room.host.Keys(), p.Place(), p.Table())}
}

func (p *Page) enterLine() say.Line {
	c, in := p.consult(), p.room.speech()
	_, again := p.room.host.Seat().Guard.RanOn()
	if p.Field() != nil && (again || c.Stage != widen.Asking) {
		return p.room.enterLine()
	}
	unread := 0
	if c.Stage == widen.Asking || c.Stage == widen.Reviewing {
		unread = p.unread()
	}
	return say.TeamEnter(c, unread, in)
}

// bind returns the page's tables, by place. Each begins with the rows that all have.
func (p *Page) bind() map[keys.Place]panes.Table {
	deeds := func(list ...keys.Action) (t panes.Table) {
		for _, a := range list {
			t = append(t, panes.Row{Action: a, Deed: true})
		}
		return t
	}
	with := func(more ...panes.Table) panes.Table {
		all := panes.Table{{Action: deed.Enter, Deed: true},
			{Action: deed.Back, Deed: true, Word: p.backWord}}
		return slices.Concat(append([]panes.Table{all}, more...)...)
	}
	part := panes.Row{Action: deed.Area, Deed: true, Word: panes.Says("next part", "next"),
		When: func() bool { return p.consult().Stage == widen.Asking }}
	parts := append(panes.Table{part}, deeds(deed.AreaBack)...)
	prompt := panes.Table{{Action: deed.PromptToo, Deed: true, Word: p.promptWord,
		When: func() bool { return !queue.Blank(p.consult().Session.Ask.Prompt) }}}
	until := append(deeds(deed.Wait, deed.Up, deed.Down), panes.Row{Action: deed.GoOn, Deed: true,
		Word: panes.Says("answer others", "others")})
	review := append(deeds(deed.Accept, deed.Defer), panes.Row{Action: deed.Fetch, Deed: true,
		Word: panes.Says("get again", "get")},
		panes.Row{Action: deed.Editor, Do: func(string) { p.edit() }, WhyNot: panes.Because(p.whyNotEdited)})
	return map[keys.Place]panes.Table{
		keys.PlaceTeamLine:   with(parts),
		keys.PlaceLetter:     with(parts, prompt, p.scrolls()),
		keys.PlaceTeamChoice: with(parts, until, p.scrolls()[2:]), // up and down choose
		keys.PlaceTeamReview: with(review, p.scrolls()),
		keys.PlaceTeamWait:   with(),
	}
}

// backWord says what the way back does.
func (p *Page) backWord(keys.Word) keys.Word {
	if p.Field() == nil && p.consult().Stage == widen.Summing {
		return keys.Word{Long: "continue without it"}
	}
	return keys.Word{Long: "back"}
}

func (p *Page) promptWord(w keys.Word) keys.Word {
	if p.consult().WithPrompt {
		return keys.Word{Long: "leave it out"}
	}
	return w
}

func (p *Page) whyNotEdited() string {
	if p.room.o.Edit == nil {
		return say.NoEditor
	}
	return say.TeamWhyNot(p.room.host.Seat().Team.MayFetch(), say.FaceScreen)
}

// edit hands the answer to the person's editor. Nothing is sent by that: what Enter would do then is said.
func (p *Page) edit() {
	c := p.consult()
	if c.Stage != widen.Reviewing {
		return // it comes a moment after its key
	}
	text, err := c.Answer(), error(nil)
	was := text
	lent := p.room.host.Lend(func(ctx context.Context) { text, err = p.room.o.Edit(ctx, was) })
	switch {
	case !lent:
		p.room.host.Say(say.TerminalLent)
		return
	case err != nil:
		p.room.host.Say(say.EditorTrouble(err))
		return
	}
	team := p.room.host.Seat().Team
	if team.Edited(text); c.Final == nil {
		p.room.host.Say("nothing was written: the team's answer is unchanged")
		return
	}
	p.room.o.Hand().Focus(deed.Accept, deed.Arg{}, p.room.host.Seat().Desk().Now())
}

// measure limits the cells that a line of text takes.
const measure = 88

// sheet holds the text of the page, wrapped at w cells.
type sheet struct {
	w      int
	lines  []ink.Line
	laid   *ink.Laid[laidKey]
	starts []int // the first line of each part
}

// laidKey names a text laid out in a style at a width, so many cells in.
type laidKey struct {
	text  string
	w, in int
	style ink.Style
}

// head adds a heading, behind an empty line where it is not the first.
func (s *sheet) head(words string) {
	if len(s.lines) > 0 {
		s.lines = append(s.lines, nil)
	}
	s.add(words, ink.Bold, 0)
}

// add adds a text in a style, so many cells in. A text of several paragraphs keeps its lines.
func (s *sheet) add(text string, style ink.Style, in int) {
	s.lines = append(s.lines, s.wrapped(text, style, in)...)
}

// wrapped returns the lines that add would add.
func (s *sheet) wrapped(text string, style ink.Style, in int) []ink.Line {
	return s.laid.Once(laidKey{text, s.w, in, style}, func() (lines []ink.Line) {
		for _, l := range ink.Wrap(text, max(s.w-in, 1)) {
			lines = append(lines, ink.Line{{Text: strings.Repeat(" ", in) + l, Style: style}})
		}
		return lines
	})
}

// text adds what somebody wrote.
func (s *sheet) text(text string) { s.add(say.Text(text), ink.Plain, 2) }

// sheet returns the present text of the page.
func (p *Page) sheet() *sheet {
	_, _, w, _ := p.GetRect()
	s := &sheet{w: min(max(w-3, 8), measure), laid: &p.laid}
	c, on := p.consult(), p.room.host.Seat().Session()
	if c.Fault != nil {
		s.add("! "+say.TeamFailed(c.Fault), ink.Warn, 0)
		s.lines = append(s.lines, nil)
	}
	left, given := p.room.host.Seat().Team.SummaryLeft()
	waits := say.TeamWaits(c, say.Who(on.Origin), left, given, p.room.host.Ink(nil).Glyphs.Ellipsis)
	switch {
	case c.Stage == widen.Asking:
		p.asking(s, c)
	case c.Stage == widen.Reviewing:
		p.review(s, c, on)
	case waits != "":
		s.add(waits, ink.Plain, 0)
	default:
		s.add(say.Closed, ink.Plain, 0)
	}
	return s
}

// asking writes the three parts of the page on which the team is asked.
func (p *Page) asking(s *sheet, c *widen.Consult) {
	host, g := p.room.host, p.room.host.Ink(nil).Glyphs
	const in = 4
	rows := func(text string) int { return len(s.wrapped(text, ink.Plain, in)) }
	for n, part := range say.TeamParts(c, host.Seat().Team.Letter(), rows, p.room.speech()) {
		mark := " "
		if widen.Part(n) == c.Part {
			mark = g.Cursor
		}
		s.head(mark + " " + part.Head)
		s.starts = append(s.starts, len(s.lines)-1)
		if names := c.Text(widen.LineNames); widen.Part(n) == widen.PartNames && !queue.Blank(names) {
			head := &s.lines[len(s.lines)-1]
			*head = append(slices.Clone(*head), ink.Span{Text: "  " + say.OneLine(names), Style: ink.Dim})
		}
		for _, t := range part.Texts {
			switch {
			case t.Warns:
				s.add("! "+t.Text, ink.Warn, in)
			case t.Aside:
				s.add(t.Text, ink.Dim, in)
			default:
				s.add(t.Text, ink.Plain, in)
			}
		}
		for _, ch := range part.Choices {
			sign, style := g.RadioOff, ink.Plain
			if ch.On {
				sign, style = g.RadioOn, ink.Good
			}
			words := ink.Longest(ch.Words, s.w-ink.Width(sign+ch.Key)-in-2)
			s.lines = append(s.lines, ink.Line{{Text: strings.Repeat(" ", in)}, {Text: sign, Style: style},
				{Text: " " + ch.Key + " ", Style: ink.Key}, {Text: words}})
		}
	}
}

// review writes the summary and the proposed answer, and below them what was said.
func (p *Page) review(s *sheet, c *widen.Consult, on queue.Session) {
	s.add(say.Title(on.Ask), ink.Title, 0)
	if len(on.Ask.Questions) > 1 { // the title may name no more than their headers
		for _, q := range on.Ask.Questions {
			s.text(q.Text)
		}
	}
	for _, part := range say.TeamDiscussed(c, on) {
		if part.Head == "" {
			s.lines = append(s.lines, nil)
			s.add(part.Texts[0], ink.Warn, 0)
			continue
		}
		s.head(part.Head)
		for _, text := range part.Texts {
			s.text(text)
		}
	}
	if on.Widen.ThreadURL != "" {
		s.add(say.TeamThread(on.Widen.ThreadURL), ink.Plain, 2)
	}
}

// body returns the rectangle of the sheet: between the page's rules.
func (p *Page) body() ink.Rect {
	x, y, w, h := p.GetRect()
	return ink.Rect{X: x + 1, Y: y + 1, W: w - 2, H: max(h-2, 1)}
}

// fits returns how many lines of the sheet are on screen at a time. A row says how many others there are.
func (p *Page) fits(lines int) int {
	if rows := p.body().H; lines > rows {
		return max(rows-1, 1)
	}
	return lines
}

// from returns the first line on screen.
func (p *Page) from(lines int) int { return min(max(p.top, 0), max(lines-p.fits(lines), 0)) }

// read notes that what is on screen was there.
func (p *Page) read(s *sheet) {
	n := len(s.lines)
	if from := p.from(n); from <= p.seen {
		p.seen = max(p.seen, from+p.fits(n))
	}
}

// unread returns how many lines of the sheet were never on screen. What was jumped over counts.
func (p *Page) unread() int {
	n, seen := len(p.sheet().lines), p.seen
	if from := p.from(n); from <= seen {
		seen = max(seen, from+p.fits(n))
	}
	return max(n-seen, 0)
}

// scrolls returns the keys for reading on.
func (p *Page) scrolls() (t panes.Table) {
	for _, a := range []keys.Action{deed.Up, deed.Down, keys.ActPageUp, keys.ActPageDown, deed.First, deed.Last} {
		row := panes.Row{Action: a, Do: func(string) { p.scroll(a) },
			WhyNot: func(string) string { return p.whyNotScroll(a) }}
		if a == keys.ActPageDown {
			row.When = func() bool { return p.unread() > 0 }
		}
		t = append(t, row)
	}
	return t
}

func (p *Page) scroll(a keys.Action) {
	s := p.sheet()
	n := len(s.lines)
	p.read(s)
	p.top = panes.Scrolled(p.from(n), a, p.fits(n))
	p.top = p.from(n)
}

func (p *Page) whyNotScroll(a keys.Action) string {
	n := len(p.sheet().lines)
	at, last := p.from(n), max(n-p.fits(n), 0)
	return panes.WhyNotScrolled(at, min(max(panes.Scrolled(at, a, p.fits(n)), 0), last), last)
}

// Draw draws the page, both its rules included.
func (p *Page) Draw(screen tcell.Screen) {
	x, y, w, h := p.GetRect()
	host, c := p.room.host, p.room.host.Ink(screen)
	agent := host.Seat().Desk().Name(host.Seat().Session().Origin)
	name := say.TeamPage(p.consult().Stage) + " " + c.Glyphs.Dot + " " + agent
	ink.DrawRule(c, ink.Rect{X: x, Y: y, W: w, H: 1}, ink.PlainLine(name), host.Waits())
	s, body := p.sheet(), p.body()
	from, fits := p.from(len(s.lines)), p.fits(len(s.lines))
	for n, l := range s.lines[from : from+fits] {
		c.PutLine(body.X, body.Y+n, body.W, l)
	}
	if len(s.lines) > fits {
		words := ink.OutOfSight(c.Glyphs, from, len(s.lines)-from-fits)
		c.Put(body.X, body.Y+body.H-1, body.W, ink.Plain, ink.Cut(words, body.W, c.Glyphs.Ellipsis))
	}
	lower := ink.Rect{X: x, Y: y + h - 1, W: w, H: 1}
	switch field := p.Field(); {
	case field != nil && p.consult().Stage == widen.Asking:
		p.drawNames(c, body, s.starts[widen.PartNames]-from)
		host.DrawLower(c, lower)
	case field != nil:
		p.room.drawLine(c, lower)
	default:
		host.DrawLower(c, lower)
	}
}

// drawNames draws the line of names behind its heading, in a row of the body. Before anything is typed, a hint is
// there.
func (p *Page) drawNames(c ink.Canvas, body ink.Rect, at int) {
	label, field := c.Glyphs.Cursor+" "+say.TeamTo+"  ", p.Field()
	row := ink.Rect{X: body.X, Y: body.Y + max(at, 0), W: min(body.W, measure), H: 1}
	field.DrawBehind(c, row, label)
	if used := ink.Width(label); field.Text() == "" {
		c.Put(row.X+used, row.Y, row.W-used, ink.Dim, ink.Cut(say.TeamToHint, row.W-used, c.Glyphs.Ellipsis))
	}
}
