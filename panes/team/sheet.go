package team

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// measure is the most cells that a line of text takes.
const measure = 88

// sheet holds the text of the page, wrapped at w cells.
type sheet struct {
	w     int
	lines []ink.Line
	laid  *ink.Laid[laidKey]
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

// wrapped returns the lines of that.
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
func (p *Page) sheet() []ink.Line {
	_, _, w, _ := p.GetRect()
	s := &sheet{w: min(max(w-3, 8), measure), laid: &p.laid}
	c, on := p.consult(), p.room.host.Seat().Session()
	if c.Fault != nil {
		s.add("! "+say.TeamFailed(c.Fault), ink.Warn, 0)
		s.lines = append(s.lines, nil)
	}
	g := p.room.host.Ink(nil).Glyphs
	switch c.Stage {
	case desk.TeamLetter:
		p.letter(s, c)
	case desk.TeamCalling:
		s.add(say.TeamCalling(len(c.Invited), g.Ellipsis), ink.Plain, 0)
	case desk.TeamChoice:
		for _, l := range say.TeamAskedLines(on) {
			s.add(l, ink.Plain, 0)
		}
	case desk.TeamFetching:
		s.add(say.TeamFetching(g.Ellipsis), ink.Plain, 0)
	case desk.TeamSumming:
		left, given := p.room.team().SummaryLeft()
		s.add(say.TeamSumming(say.Who(on.Origin), left, given), ink.Plain, 0)
	case desk.TeamReview:
		p.review(s, c, on)
	default:
		s.add(say.Closed, ink.Plain, 0)
	}
	return s.lines
}

// letter writes who is asked, and the whole text that they will read.
func (p *Page) letter(s *sheet, c *desk.Consultation) {
	l := p.room.team().Letter()
	s.head(say.TeamTo)
	s.text(say.TeamNames(c.Invited, len(c.Invited)))
	if c.ByName && len(c.Unknown) > 0 {
		s.add("! "+say.TeamByName+" "+say.OneLine(strings.Join(c.Unknown, ", ")), ink.Warn, 2)
	}
	if len(c.Invited) >= queue.MaxTeam {
		s.add(say.TeamMost(queue.MaxTeam), ink.Dim, 2)
	}
	s.head(say.TeamReads)
	s.text(l.Title)
	if !queue.Blank(l.Question) && l.Question != l.Title {
		s.text(l.Question)
	}
	if c.WithPrompt {
		s.head(say.TeamPromptToo)
		s.text(l.Prompt)
	} else if prompt := p.room.host.Seat().Session().Ask.Prompt; !queue.Blank(prompt) {
		s.lines = append(s.lines, nil)
		n := len(s.wrapped(say.Text(prompt), ink.Plain, 2))
		s.add(say.TeamPromptLeft(n, speech(p.room.host)), ink.Dim, 0)
	}
}

// review is the summary and the proposed answer, and below them what was said.
func (p *Page) review(s *sheet, c *desk.Consultation, on queue.Session) {
	r := c.Review
	s.add(say.Title(on.Ask), ink.Title, 0)
	if len(on.Ask.Questions) > 1 { // the title may name no more than their headers
		for _, q := range on.Ask.Questions {
			s.text(q.Text)
		}
	}
	if r.Empty() {
		s.lines = append(s.lines, nil)
		s.add(say.TeamNoSummary, ink.Warn, 0)
	} else {
		s.head(say.TeamSummary)
		s.text(r.CandidateSummary)
		s.head(say.TeamProposed)
		s.text(r.CandidateAnswer)
	}
	if c.Final != nil {
		s.head(say.TeamYours)
		if queue.Blank(*c.Final) {
			s.text(say.TeamYoursNone)
		} else {
			s.text(*c.Final)
		}
	}
	p.said(s, r.DiscussionFetch, on)
}

// said is the discussion, who was asked, and where they talk.
func (p *Page) said(s *sheet, d widen.Discussion, on queue.Session) {
	s.head(say.TeamSaidBy(d.MessageCount, d.More()))
	for _, m := range d.Messages {
		s.text(m)
	}
	if len(d.Messages) == 0 {
		s.text(say.TeamSaidNone)
	}
	s.head(say.TeamToThen)
	s.text(say.TeamNames(on.Widen.Team, len(on.Widen.Team)))
	if on.Widen.ThreadURL != "" {
		s.add(say.TeamThread(on.Widen.ThreadURL), ink.Plain, 2)
	}
}

// choice is a row below the sheet that says what a key marks.
type choice struct {
	key   string
	words []string // longest form first
	on    bool
}

func (p *Page) choices() []choice {
	c, m := p.consult(), p.room.host.Keys()
	switch c.Stage {
	case desk.TeamLetter:
		send := []string{say.TeamSend(len(c.Invited))}
		return []choice{{m.KeyOf(keys.PlaceLetter, keys.ActLetterSend), send, c.Marked}}
	case desk.TeamChoice:
		return []choice{{m.KeyOf(keys.PlaceTeamChoice, keys.ActWait), say.TeamWaits, !c.Parks},
			{m.KeyOf(keys.PlaceTeamChoice, keys.ActGoOn), say.TeamGoesOn, c.Parks}}
	}
	return nil
}

// body returns the rectangle of the sheet: between the page's rules, above the choices.
func (p *Page) body() ink.Rect {
	x, y, w, h := p.GetRect()
	return ink.Rect{X: x + 1, Y: y + 1, W: w - 2, H: max(h-2-len(p.choices()), 1)}
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

// unread returns how many lines of the sheet were never on screen.
func (p *Page) unread() int {
	n := len(p.sheet())
	return max(n-max(p.seen, p.from(n)+p.fits(n)), 0)
}

// scrolls returns the keys for reading on.
func (p *Page) scrolls() (t panes.Table) {
	for _, a := range []keys.Action{keys.ActUp, keys.ActDown, keys.ActPageUp, keys.ActPageDown, keys.ActHalfUp,
		keys.ActHalfDown, keys.ActFirst, keys.ActLast} {
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
	n := len(p.sheet())
	p.seen = max(p.seen, p.from(n)+p.fits(n))
	p.top = panes.Scrolled(p.from(n), a, p.fits(n))
	p.top = p.from(n)
}

func (p *Page) whyNotScroll(a keys.Action) string {
	n := len(p.sheet())
	at, last := p.from(n), max(n-p.fits(n), 0)
	return panes.WhyNotScrolled(at, min(max(panes.Scrolled(at, a, p.fits(n)), 0), last), last)
}

// Draw draws the page, both its rules included.
func (p *Page) Draw(screen tcell.Screen) {
	x, y, w, h := p.GetRect()
	host, c := p.room.host, p.room.host.Ink(screen)
	name := p.name() + " " + c.Glyphs.Dot + " " + host.Seat().Desk().Name(host.Seat().Session().Origin)
	ink.DrawRule(c, ink.Rect{X: x, Y: y, W: w, H: 1}, ink.PlainLine(name), host.Waits())
	lines, body := p.sheet(), p.body()
	from, fits := p.from(len(lines)), p.fits(len(lines))
	for n, l := range lines[from : from+fits] {
		c.PutLine(body.X, body.Y+n, body.W, l)
	}
	if len(lines) > fits {
		words := ink.OutOfSight(c.Glyphs, from, len(lines)-from-fits)
		c.Put(body.X, body.Y+body.H-1, body.W, ink.Plain, ink.Cut(words, body.W, c.Glyphs.Ellipsis))
	}
	p.drawChoices(c, body)
	lower := ink.Rect{X: x, Y: y + h - 1, W: w, H: 1}
	if p.Field() != nil {
		p.room.line.draw(c, lower)
		return
	}
	host.DrawLower(c, lower)
}

// drawChoices draws below the body what is marked: Enter does that.
func (p *Page) drawChoices(c ink.Canvas, body ink.Rect) {
	for n, ch := range p.choices() {
		sign, style := c.Glyphs.RadioOff, ink.Plain
		if ch.on {
			sign, style = c.Glyphs.RadioOn, ink.Good
		}
		at := body.X + c.Put(body.X, body.Y+body.H+n, 3, style, sign) + 1
		at += c.Put(at, body.Y+body.H+n, 3, ink.Key, ch.key) + 1
		room := body.X + body.W - at
		c.Put(at, body.Y+body.H+n, room, ink.Plain, ink.Cut(ink.Longest(ch.words, room), room, c.Glyphs.Ellipsis))
	}
}

// name returns the page's name in its rule.
func (p *Page) name() string {
	switch p.stage() {
	case desk.TeamChoice:
		return say.TeamAskedName
	case desk.TeamFetching, desk.TeamSumming:
		return say.TeamFetchName
	case desk.TeamReview:
		return say.TeamReviewName
	}
	return say.TeamLetterName
}
