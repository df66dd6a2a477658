package portal

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// What the person is asked about the team is a form in front of the page's question (desk.Teamwork). The page shows it
// as any other question; this file has what is different about it.

// isTyping reports whether a text is being typed on the page.
func (p *page) isTyping() bool {
	if p.view == nil { // the view is being created
		return false
	}
	f := p.view.Form()
	return p.writing() || f != nil && f.Typing() != form.FieldNone
}

// asksOfTeam reports whether the page asks the person something about the team.
func (p *page) asksOfTeam() bool { return p.form() != nil && p.view.OfTeam() }

// shownForm returns the form on the page: that of its question or about the team, also while an answer is held back.
func (p *page) shownForm() *form.Form {
	if f := p.form(); f != nil {
		return f
	}
	return p.view.FormOf(p.id)
}

// followTeam shows what an event of the desk means for the consultation of the team on this page.
func (p *page) followTeam(e desk.Event) {
	news, is := e.(desk.TeamNews)
	if !is || news.View != p.view {
		return
	}
	if words := say.TeamNews(news, say.OnPage); words != "" && !p.asksOfTeam() {
		p.message = words
	}
	p.forced = true
	p.refocus()
}

// teamNotices returns the sentences above a question about the team's part in it: that they are being asked, and why
// that failed.
func (p *page) teamNotices() (list []string) {
	c := p.view.Team.Begun
	switch {
	case c == nil, p.form() == nil:
	case c.Stage == widen.Calling:
		list = append(list, say.TeamAsking)
	case c.Fault != nil && p.asksOfTeam():
		list = append(list, say.TeamFailed(c.Fault))
	}
	return list
}
