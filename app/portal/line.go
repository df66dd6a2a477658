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
			verbs{g}.refocus()
		}
	}
	if words := say.LineNews(g.chat, g.view, e); words != "" {
		g.notice = words
	}
}

// openLine opens the field for a line to an agent. The field names the agent.
func (v verbs) openLine() {
	if v.chat.Off() {
		v.notice = say.ChatOff(!v.all.d.Stays())
		return
	}
	texts(v).closeField()
	v.chat.Compose()
}

// nextAgent addresses the next agent.
func (v verbs) nextAgent() {
	if !v.chat.Next() {
		v.notice = say.NoOtherAgent
	}
	v.forced = true
}

// takeLineBack takes back the last line that was not delivered yet.
func (v verbs) takeLineBack() {
	if !v.chat.TakeBack() {
		v.notice = say.NoLineToTakeBack
	}
}

// takeLine handles a change of the text in the line field.
func (t texts) takeLine(event pageEvent, now time.Time) {
	if event.Do == doText && t.writing() {
		t.view.Guard.Type(now)
		t.chat.Type(say.Typable(event.Value))
	}
}

// lineView is the bar at the bottom of the page in which the person writes a line to an agent.
type lineView struct {
	fieldView
	State       string // what the agent is doing
	Line, Enter string
	Waits       bool // Enter would send nothing now
	Others      []buttonView
}

// lineFooter returns the bar for writing a line.
func (v viewer) lineFooter() lineView {
	made := lineView{fieldView: *v.field(lineField, say.Capital(say.LineAddressed(v.chat)), "", action.Chat)}
	if v.chat.HasOtherAgent() {
		made.Others = append(made.Others, buttonView{action.Area, labels.NextAgent, ""})
	}
	if a := v.chat.Addressed(); a != nil {
		made.State = strings.Join(say.LineState(v.chat, a), " · ")
		if len(v.chat.Unfetched(a)) > 0 {
			made.Others = append(made.Others, buttonView{action.TakeBack, labels.TakeBack, ""})
		}
	}
	line, sends := say.LineEnter(v.chat, &v.view.Guard, "·", "…", v.speech())
	if n, first := v.all.d.Closing(); n > 0 && !v.chat.Busy() {
		line, sends = lineClosed(say.Title(first.Ask), v.all.d.Name(first.Origin), n-1, v.speech().Enter), false
	}
	var footer footerView
	v.setLine(&footer, line)
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
