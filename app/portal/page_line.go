package portal

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// lineField is the name of the text field for a line to an agent: a short message that the agent gets without having
// asked.
const lineField = "line"

// writing reports whether a line to an agent is being written on the page.
func (p *page) writing() bool { return p.chat.Open() }

// followLine shows what an event of the desk means for the line that is written on this page.
func (p *page) followLine(e desk.Event) {
	switch e := e.(type) {
	case desk.LineChanged:
		p.forced = p.forced || e.View == p.view
	case desk.LineSent: // the desk has closed the field, unless sending failed or more was typed
		if e.View == p.view && !p.writing() {
			p.refocus()
		}
	}
	if words := say.LineNews(p.chat, p.view, e); words != "" {
		p.message = words
	}
}

// openLine opens the field for a line to an agent. The field names the agent.
func (p *page) openLine() {
	if p.chat.Off() {
		p.message = say.ChatOff(!p.pages.desk.Stays())
		return
	}
	p.closeField()
	p.chat.Compose()
}

// nextAgent addresses the next agent.
func (p *page) nextAgent() {
	if !p.chat.Next() {
		p.message = say.NoOtherAgent
	}
	p.forced = true
}

// takeLineBack takes back the last line that was not delivered yet.
func (p *page) takeLineBack() {
	if !p.chat.TakeBack() {
		p.message = say.NoLineToTakeBack
	}
}

// takeLine handles a change of the text in the line field.
func (p *page) takeLine(event pageEvent, now time.Time) {
	if event.Do == doText && p.writing() {
		p.view.Guard.Type(now)
		p.chat.Type(say.Typable(event.Value))
	}
}

// lineFooter returns the footer for writing a line.
func (p *page) lineFooter(v shown) *lineView {
	label := say.Capital(say.LineAddressed(p.chat))
	made := &lineView{Text: p.chat.Text(), fieldView: *v.field(lineField, label, "", action.Chat)}
	if p.chat.HasOtherAgent() {
		made.Others = append(made.Others, buttonView{action.Area, wordsNextAgent, ""})
	}
	if a := p.chat.Addressed(); a != nil {
		made.State = strings.Join(say.LineState(p.chat, a), " · ")
		if len(p.chat.Unfetched(a)) > 0 {
			made.Others = append(made.Others, buttonView{action.TakeBack, "Take the last line back", ""})
		}
	}
	line, sends := say.LineEnter(p.chat, &p.view.Guard, "·", "…", v.in)
	if n, first := p.pages.desk.Closing(); n > 0 && !p.chat.Busy() {
		line, sends = lineClosed(say.Title(first.Ask), p.pages.desk.Name(first.Origin), n-1, v.in.Enter), false
	}
	var footer footerView
	footer.setLine(line, v.in)
	made.Line, made.Enter, made.Waits = footer.Line, footer.Enter, !sends
	return made
}

// lineClosed returns the sentence why no line is sent while questions are pending: the first question, its agent, and
// how many more there are.
func lineClosed(title, agent string, more int, enter string) say.Line {
	rest := " is waiting"
	if more > 0 {
		rest = fmt.Sprintf(" and %d more are waiting", more)
	}
	rest += say.TheTextStays
	return say.Words(enter + " can't send: “" + title + "” from " + say.OneLine(agent) + rest)
}
