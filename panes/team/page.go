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
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/widen"
)

// Page is shown in place of the question while the team is asked, and while the person reviews what they said.
type Page struct {
	*tview.Box
	room *Room
	rows map[action.Place]panes.Table
	on   stage // the stage that top and seen belong to
	gone bool  // the consultation does not need the page any more; it is still open behind another page
	top  int   // the first line on screen
	seen int   // how many lines, from the first one, were on screen
	laid ink.Laid[laidKey]
}

// stage identifies what the page shows: a stage of the consultation, and a part of the page.
type stage struct {
	stage widen.Stage
	part  widen.Part
}

// newPage returns the page, scrolled to its first line.
func newPage(r *Room) *Page {
	p := &Page{Box: tview.NewBox(), room: r}
	p.rows = p.bind()
	w, h := r.host.Size()
	p.Box.SetRect(0, 0, w, max(h-2, 1)) // until the screen sets the size
	p.followStage()
	return p
}

// followStage scrolls to the first line if the consultation has come to another stage, or to the part of the page that
// has the cursor.
func (p *Page) followStage() {
	c := p.consult()
	was, now := p.on, stage{c.Stage, c.Part}
	switch p.on = now; {
	case was == now:
	case now.stage != widen.Asking:
		p.top = 0
		if now.stage != widen.Calling {
			p.seen = 0
		}
	case c.Fault != nil: // the first lines say why asking failed
		p.top = 0
	default:
		s := p.sheet()
		p.noteSeen(s)
		p.top = s.starts[c.Part]
	}
}

// End closes the page, because another page replaces it.
func (p *Page) End() {
	if !p.gone {
		p.gone, p.room.page = true, nil
		p.room.consult().Away()
	}
}

// consult returns the consultation of the team that the page shows; an empty one if it has ended.
func (p *Page) consult() *widen.Consult {
	if p.gone {
		return &widen.Consult{}
	}
	return p.room.consult()
}

// Place returns the place of the key table in which keys are looked up now.
func (p *Page) Place() action.Place { return say.TeamPlace(p.consult()) }

// Table binds the keys of the page.
func (p *Page) Table() panes.Table {
	if p.gone {
		return panes.Table{{Name: action.Back, Do: action.Just(func() { p.room.host.Close() })}}
	}
	return p.rows[p.Place()]
}

// Field returns the field that is being typed into; nil: none.
func (p *Page) Field() *editor.Field {
	if p.gone {
		return nil
	}
	return p.room.openField()
}

// Typed gives the consultation the new text.
func (p *Page) Typed() { p.room.Typed() }

// Footer says what Enter does, and the keys of the place.
func (p *Page) Footer() panes.Footer {
	return panes.Footer{Line: p.enterLine(), Hints: panes.Hints(p.room.host, p.Place(), p.Table())}
}

// enterLine says what Enter does on the page.
func (p *Page) enterLine() say.Line {
	c, in := p.consult(), p.room.speech()
	_, again := p.room.host.View().Guard.Doubts(true)
	if p.Field() != nil && (again || c.Stage != widen.Asking) {
		return p.room.enterLine()
	}
	return say.TeamEnter(c, p.unread(), in)
}

// bind returns the page's tables, by place. Each begins with the rows that all tables have.
func (p *Page) bind() map[action.Place]panes.Table {
	acts := func(list ...action.Name) (t panes.Table) {
		for _, a := range list {
			t = append(t, action.Row{Name: a})
		}
		return t
	}
	with := func(more ...panes.Table) panes.Table {
		all := panes.Table{{Name: action.Enter},
			{Name: action.Back, Now: action.Named(p.backWord)}}
		return slices.Concat(append([]panes.Table{all}, more...)...)
	}
	part := action.Row{Name: action.Area, Now: action.Hinted(nextSection),
		Offered: action.If(func() bool { return p.consult().Stage == widen.Asking })}
	parts := append(panes.Table{part}, acts(action.AreaBack)...)
	prompt := panes.Table{{Name: action.PromptToo, Now: action.Named(p.promptWord),
		Offered: action.If(func() bool { return !queue.Blank(p.consult().Session.Ask.Prompt) })},
		{Name: action.BeforeToo, Now: action.Named(p.beforeWord),
			Offered: action.If(func() bool { return p.consult().Before != "" })}}
	until := append(acts(action.Wait, action.Up, action.Down), action.Row{Name: action.GoOn,
		Now: action.Says("other questions", "move on")})
	accept := action.Row{Name: action.Accept, Offered: action.If(p.canAccept)}
	review := append(append(panes.Table{accept}, acts(action.Defer)...), action.Row{Name: action.Fetch,
		Now: action.Says("refresh", "")},
		action.Row{Name: action.Editor, Do: action.Just(func() { p.edit() }), Needs: action.Unless(p.whyNotEdited)})
	return map[action.Place]panes.Table{
		action.PlaceTeamLine:   with(parts),
		action.PlaceLetter:     with(parts, prompt, p.scrolls()),
		action.PlaceTeamChoice: with(parts, until, p.scrolls()[2:]), // up and down do not scroll here
		action.PlaceTeamReview: with(review, p.scrolls()),
		action.PlaceTeamWait:   with(),
	}
}

// nextSection returns the hint for the key that goes to the next section, which is wanted more here than elsewhere.
func nextSection(h action.Hint) action.Hint {
	h.Room = action.Always
	return h.Say(action.Word{Long: "next section", Short: "next"})
}

// backWord returns the words in the footer for the key that goes back.
func (p *Page) backWord(action.Word) action.Word {
	if p.Field() == nil && p.consult().Stage == widen.Summing {
		return action.Word{Long: "continue without it"}
	}
	return action.Word{Long: "back"}
}

// canAccept reports whether the review has an answer to accept, or the question needs none.
func (p *Page) canAccept() bool {
	_, how := p.consult().Accepts()
	return how != widen.AcceptNothing
}

// promptWord returns the words in the footer for the key that adds the agent's prompt, or leaves it out.
func (p *Page) promptWord(w action.Word) action.Word {
	if p.consult().WithPrompt {
		return action.Word{Long: "leave it out"}
	}
	return w
}

// beforeWord returns the words in the footer for the key that adds what the agent was doing, or leaves it out.
func (p *Page) beforeWord(w action.Word) action.Word {
	if p.consult().WithBefore {
		return action.Word{Long: "leave out what it was doing", Short: "leave out"}
	}
	return w
}

// whyNotEdited explains why the team's answer cannot be opened in the person's editor.
func (p *Page) whyNotEdited() string {
	if p.room.o.Edit == nil {
		return say.NoEditor
	}
	return say.TeamWhyNot(p.room.host.View().Team.WhyNot((*widen.Consult).FetchAgain), say.OnScreen)
}

// edit opens the team's answer in the person's editor. That sends nothing; afterwards Enter accepts the answer.
func (p *Page) edit() {
	c := p.consult()
	if c.Stage != widen.Reviewing {
		return // edit runs a moment after its key, so the stage may be another one by now
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
	team := p.room.host.View().Team
	if team.Edited(text); c.Final == nil {
		p.room.host.Say("nothing was written: the team's answer is unchanged")
		return
	}
	p.room.o.Keyboard().Focus(action.Accept, action.Arg{}, p.room.host.View().Desk().Now())
}

// measure is the most cells of a line of text.
const measure = 88

// sheet holds the text of the page, wrapped at w cells.
type sheet struct {
	w      int
	lines  []ink.Line
	laid   *ink.Laid[laidKey]
	starts []int // the first line of each part
}

// laidKey identifies a text that is wrapped at a width, in a style, and indented by some cells.
type laidKey struct {
	text      string
	w, indent int
	style     ink.Style
}

// head adds a heading, with an empty line before it unless it is the first.
func (s *sheet) head(words string) {
	if len(s.lines) > 0 {
		s.lines = append(s.lines, nil)
	}
	s.add(words, ink.Bold, 0)
}

// add adds a text in a style, indented by the given number of cells. Line breaks in the text are kept.
func (s *sheet) add(text string, style ink.Style, indent int) {
	s.lines = append(s.lines, s.wrapped(text, style, indent)...)
}

// wrapped returns the lines that add would add.
func (s *sheet) wrapped(text string, style ink.Style, indent int) []ink.Line {
	return s.laid.Once(laidKey{text, s.w, indent, style}, func() (lines []ink.Line) {
		for _, l := range ink.Wrap(text, max(s.w-indent, 1)) {
			lines = append(lines, ink.Line{{Text: strings.Repeat(" ", indent) + l, Style: style}})
		}
		return lines
	})
}

// text adds a text that an agent or a teammate wrote.
func (s *sheet) text(text string) { s.add(say.Text(text), ink.Plain, 2) }

// sheet returns the present text of the page.
func (p *Page) sheet() *sheet {
	_, _, w, _ := p.GetRect()
	s := &sheet{w: min(max(w-3, 8), measure), laid: &p.laid}
	c, on := p.consult(), p.room.host.View().Session()
	if c.Fault != nil {
		s.add("! "+say.TeamFailed(c.Fault), ink.Warn, 0)
		s.lines = append(s.lines, nil)
	}
	left, given := p.room.host.View().Team.SummaryLeft()
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

// asking writes the three parts of the page for asking the team: who is asked, what they read, and what happens until
// they reply.
func (p *Page) asking(s *sheet, c *widen.Consult) {
	host, g := p.room.host, p.room.host.Ink(nil).Glyphs
	const indent = 4
	rows := func(text string) int { return len(s.wrapped(text, ink.Plain, indent)) }
	for n, part := range say.TeamParts(c, host.View().Team.Letter(), rows, p.room.speech()) {
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
				s.add("! "+t.Text, ink.Warn, indent)
			case t.Aside:
				s.add(t.Text, ink.Dim, indent)
			default:
				s.add(t.Text, ink.Plain, indent)
			}
		}
		for _, ch := range part.Choices {
			sign, style := g.RadioOff, ink.Plain
			if ch.On {
				sign, style = g.RadioOn, ink.Good
			}
			words := ink.Longest(ch.Words, s.w-ink.Width(sign+ch.Key)-indent-2)
			s.lines = append(s.lines, ink.Line{{Text: strings.Repeat(" ", indent)}, {Text: sign, Style: style},
				{Text: " " + ch.Key + " ", Style: ink.Key}, {Text: words}})
		}
	}
}

// review writes the summary and the proposed answer, and below them what the team said.
func (p *Page) review(s *sheet, c *widen.Consult, on queue.Session) {
	s.add(say.Title(on.Ask), ink.Title, 0)
	if len(on.Ask.Questions) > 1 { // the title may have only their headers
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
	if _, where := say.TeamPanel(on); where != "" {
		s.add(where, ink.Plain, 2)
	}
}

// body returns the rectangle of the text, without the lines at the top and bottom of the page.
func (p *Page) body() ink.Rect {
	x, y, w, h := p.GetRect()
	return ink.Rect{X: x + 1, Y: y + 1, W: w - 2, H: max(h-2, 1)}
}

// window returns which lines of the text are on screen: the first one, and how many.
func (p *Page) window(s *sheet) (first, shown int) {
	return panes.Window(p.top, len(s.lines), p.body().H)
}

// noteSeen notes that the person has seen the lines that are on screen, and returns how many lines of the text they
// never saw. Lines behind a part that was jumped over count as unread.
func (p *Page) noteSeen(s *sheet) (unread int) {
	if from, shown := p.window(s); from <= p.seen {
		p.seen = max(p.seen, from+shown)
	}
	return max(len(s.lines)-p.seen, 0)
}

// unread returns how many lines were never on screen.
func (p *Page) unread() int {
	now := *p // what is on screen is noted only when it changes
	return now.noteSeen(p.sheet())
}

// scrolls returns the rows of the keys that scroll.
func (p *Page) scrolls() panes.Table {
	return panes.ScrollRows(p.scrolledTo, p.scrollTo, func() bool { return p.unread() > 0 })
}

// scrolledTo returns where the text is scrolled to, for panes.ScrollRows.
func (p *Page) scrolledTo() (top, page, last int) {
	s := p.sheet()
	first, shown := p.window(s)
	return first, shown, len(s.lines) - shown
}

// scrollTo scrolls to a line.
func (p *Page) scrollTo(top int) {
	s := p.sheet()
	p.noteSeen(s)
	p.top = top
	p.top, _ = p.window(s)
}

// Draw draws the page, with the lines at its top and bottom.
func (p *Page) Draw(screen tcell.Screen) {
	x, y, w, h := p.GetRect()
	host, c := p.room.host, p.room.host.Ink(screen)
	agent := host.View().Desk().Name(host.View().Session().Origin)
	name := say.TeamPage(p.consult().Stage) + " " + c.Glyphs.Dot + " " + agent
	ink.DrawDivider(c, ink.Rect{X: x, Y: y, W: w, H: 1}, ink.PlainLine(name), host.Waits())
	s, body := p.sheet(), p.body()
	from, fits := p.window(s)
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

// drawNames draws the field for the names of the people to ask, behind its heading. Before anything is typed it shows a
// hint.
func (p *Page) drawNames(c ink.Canvas, body ink.Rect, at int) {
	label, field := c.Glyphs.Cursor+" "+say.TeamTo+"  ", p.Field()
	row := ink.Rect{X: body.X, Y: body.Y + max(at, 0), W: min(body.W, measure), H: 1}
	field.DrawBehind(c, row, label)
	if used := ink.Width(label); field.Text() == "" {
		c.Put(row.X+used, row.Y, row.W-used, ink.Dim, ink.Cut(say.TeamToHint, row.W-used, c.Glyphs.Ellipsis))
	}
}
