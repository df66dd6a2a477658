package portal

import (
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// consult returns the consultation of the team (what is asked, and what they said) whose page or line is open on the
// question of this page; nil: none is open.
func (p *page) consult() *widen.Consult {
	c := p.view.Team.Begun
	switch {
	case c == nil, p.form() == nil, !p.session().Pending(), p.held() != nil, !c.OnPage() && c.Line() == widen.NoLine:
		return nil
	}
	return c
}

// isTyping reports whether a text is being typed on the page.
func (p *page) isTyping() bool {
	if p.view == nil { // the view is being created
		return false
	}
	c, f := p.consult(), p.view.Form()
	return c != nil && c.Line() != widen.NoLine || p.writing() || f != nil && f.Typing() != form.FieldNone
}

// followTeam shows what an event of the desk means for the consultation of the team on this page.
func (p *page) followTeam(e desk.Event) {
	news, is := e.(desk.TeamNews)
	if !is || news.View != p.view {
		return
	}
	shown := news.Err != nil && p.consult() != nil // the page about the team says why it failed
	if words := say.TeamNews(news, say.OnPage); words != "" && !shown {
		p.notice = words
	}
	p.refocus()
}

// takeTeam takes the text that is typed into the line about the team.
func (p *page) takeTeam(event pageEvent, now time.Time) {
	c := p.consult()
	if c == nil {
		return
	}
	if event.Do == doBegin {
		p.toPart(widen.PartNames)
	}
	if event.Do == doText && c.Line() != widen.NoLine {
		p.board.Drop()
		p.view.Guard.Type(now)
		c.Type(say.OneLine(say.Typable(event.Value)))
		p.view.HoldClock()
	}
}

// partOfClick maps what is clicked on the page for asking the team to the part of the page that the click goes to.
var partOfClick = map[action.Name]widen.Part{action.PromptToo: widen.PartLetter, action.BeforeToo: widen.PartLetter,
	action.Wait: widen.PartUntil, action.GoOn: widen.PartUntil}

// toPart moves the cursor to the part of the page for asking the team in which the person clicked.
func (p *page) toPart(part widen.Part) {
	if c := p.consult(); c != nil && c.Stage == widen.Asking && c.Part != part {
		_ = p.view.Team.Do(desk.Just(func(c *widen.Consult) error { return c.Turn(int(part - c.Part)) }))
	}
}

// consulting returns the page about the team at the present stage of the consultation.
func (p *page) consulting(v shown, c *widen.Consult) *consultView {
	made := &consultView{Name: say.Capital(say.TeamPage(c.Stage)), Agent: p.pages.desk.Name(p.last.Origin)}
	if c.Fault != nil {
		made.Fault = say.TeamFailed(c.Fault)
	}
	left, given := p.view.Team.SummaryLeft()
	made.Waits = say.TeamWaits(c, v.agent(), left, given, "…")
	switch c.Stage {
	case widen.Asking:
		for n, part := range say.TeamParts(c, p.view.Team.Letter(), nil, v.in) {
			part.Head = say.Capital(part.Head)
			made.Parts = append(made.Parts, consultPart{TeamPart: part, On: widen.Part(n) == c.Part})
		}
		made.Parts[widen.PartNames].Names = v.field(teamField, say.TeamToHint, say.TeamToHint, "")
		letter := &made.Parts[widen.PartLetter]
		add := func(id string, a action.Name, label string, on bool) {
			key := v.in.Keys.KeyOf(action.PlaceLetter, a)
			letter.Adds = append(letter.Adds, addView{ID: id, Does: string(a), Label: label, Key: key, On: on})
		}
		if !queue.Blank(c.Session.Ask.Prompt) {
			add("team-prompt", action.PromptToo, "They read the agent's message too", c.WithPrompt)
		}
		if c.Before != "" {
			add("team-before", action.BeforeToo, "They read what the agent was doing too", c.WithBefore)
		}
	case widen.Reviewing:
		made.Review = reviewTexts(c, p.last)
	default:
	}
	return made
}

// reviewTexts returns what the team said and the proposed answer, as the page shows them.
func reviewTexts(c *widen.Consult, on queue.Session) []say.Headed {
	list := say.TeamDiscussed(c, on)
	for _, part := range list {
		for i := range part.Texts {
			part.Texts[i] = say.Text(part.Texts[i])
		}
	}
	return list
}

// consultFooter fills in the footer below a page about the team, or the one in which a line about the team is open.
func (p *page) consultFooter(v shown, made *footerView, c *widen.Consult) {
	if c.Line() != widen.NoLine && c.Stage != widen.Asking {
		p.reasonFooter(v, made, c)
		return
	}
	in := v.in
	made.Button, made.TeamBack = wordsGoOn, true
	line := say.TeamEnter(c, 0, in)
	switch made.Waits = true; c.Stage {
	case widen.Asking:
		if c.Sends() {
			made.Button = "Ask them"
		}
		made.Waits = c.WhyNot((*widen.Consult).Enter) != nil
	case widen.Reviewing:
		made.Others = v.buttons(buttonView{action.Accept, "Accept the answer…", ""},
			buttonView{action.Fetch, "Get it again…", ""}, buttonView{action.Defer, wordsDefer, ""})
	default:
	}
	says := p.view.Guard.Says(p.pages.desk.Now())
	if l := say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, in); len(l.Pieces) > 0 {
		line = l
	}
	if _, again := p.view.Guard.Doubts(true); again && c.Line() != widen.NoLine {
		line = say.Words(say.PressAgain(in.Enter))
	}
	made.setLine(line, in)
}

// reasonFooter fills in the footer while the person types why they defer the question, or why they accept or give an
// answer.
func (p *page) reasonFooter(v shown, made *footerView, c *widen.Consult) {
	in := v.in
	made.Detail = true
	var line say.Line
	if c.Line() == widen.LineDeferral {
		ready := c.WhyNot((*widen.Consult).Enter) == nil
		made.Reason, made.EndIt = v.field(teamField, "Why does it have to wait?", "", action.Defer), "Put it off"
		line, made.Waits = say.TeamDeferEnter(ready, p.session().Widen != nil, in), !ready
	} else {
		label := say.Capital(say.TeamRationaleLabels()[0])
		made.Reason, made.EndIt = v.field(teamField, label, "", ""), wordsSend
		if p.view.Team.AsksWhy() {
			line = say.TeamSends(say.TeamPicked(p.session().Ask, p.form().Answer()), false, true, in)
		} else {
			line = say.TeamAccepts(c, in)
		}
	}
	if _, again := p.view.Guard.Doubts(true); again {
		line = say.Words(say.PressAgain(in.Enter))
	}
	made.setLine(line, in)
}
