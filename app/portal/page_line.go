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
func (g *page) writing() bool { return g.chat.Open() }

// followLine shows what an event of the desk means for the line that is written on this page.
func (g *page) followLine(e desk.Event) {
	switch e := e.(type) {
	case desk.LineChanged:
		g.forced = g.forced || e.View == g.view
	case desk.LineSent: // the desk has closed the field, unless sending failed or more was typed
		if e.View == g.view && !g.writing() {
			g.refocus()
		}
	}
	if words := say.LineNews(g.chat, g.view, e); words != "" {
		g.notice = words
	}
}

// openLine opens the field for a line to an agent. The field names the agent.
func (g *page) openLine() {
	if g.chat.Off() {
		g.notice = say.ChatOff(!g.pages.desk.Stays())
		return
	}
	g.closeField()
	g.chat.Compose()
}

// nextAgent addresses the next agent.
func (g *page) nextAgent() {
	if !g.chat.Next() {
		g.notice = say.NoOtherAgent
	}
	g.forced = true
}

// takeLineBack takes back the last line that was not delivered yet.
func (g *page) takeLineBack() {
	if !g.chat.TakeBack() {
		g.notice = say.NoLineToTakeBack
	}
}

// takeLine handles a change of the text in the line field.
func (g *page) takeLine(event pageEvent, now time.Time) {
	if event.Do == doText && g.writing() {
		g.view.Guard.Type(now)
		g.chat.Type(say.Typable(event.Value))
	}
}

// lineFooter returns the footer for writing a line.
func (g *page) lineFooter(v shown) *lineView {
	label := say.Capital(say.LineAddressed(g.chat))
	made := &lineView{Text: g.chat.Text(), fieldView: *v.field(lineField, label, "", action.Chat)}
	if g.chat.HasOtherAgent() {
		made.Others = append(made.Others, buttonView{action.Area, wordsNextAgent, ""})
	}
	if a := g.chat.Addressed(); a != nil {
		made.State = strings.Join(say.LineState(g.chat, a), " · ")
		if len(g.chat.Unfetched(a)) > 0 {
			made.Others = append(made.Others, buttonView{action.TakeBack, "Take the last line back", ""})
		}
	}
	line, sends := say.LineEnter(g.chat, &g.view.Guard, "·", "…", v.in)
	if n, first := g.pages.desk.Closing(); n > 0 && !g.chat.Busy() {
		line, sends = lineClosed(say.Title(first.Ask), g.pages.desk.Name(first.Origin), n-1, v.in.Enter), false
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
