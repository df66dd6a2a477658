package chat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
)

// Rows returns how many rows of a w×h screen the open composer takes, above the two rows of the footer: one for the
// line over it, and as many as the text needs, up to a third of the screen.
func (r *Room) Rows(w, h int) int {
	f := r.Field()
	if f == nil {
		return 0
	}
	return min(max(f.Rows(max(w-3, 1)), 1), max(h/3, 1)) + 1
}

// Draw draws the line over the composer and the text.
func (r *Room) Draw(screen tcell.Screen) {
	x, y, w, h := r.GetRect()
	f, c := r.Field(), r.host.Ink(screen)
	area := ink.Rect{X: x, Y: y, W: w, H: h}
	if f == nil || area.Empty() {
		return
	}
	c.Fill(area, ink.Plain)
	r.drawDivider(c, area.Row(0))
	c.Put(x, y+1, 1, ink.Bold, c.Glyphs.Prompt)
	f.Draw(c, ink.Rect{X: x + 2, Y: y + 1, W: max(w-2, 1), H: h - 1})
}

// drawDivider draws the line over the composer. It names the agent that gets the text, or says that chat is closed.
func (r *Room) drawDivider(c ink.Canvas, area ink.Rect) {
	var name, right string
	if n, _ := r.desk().Closing(); n == 0 {
		name = "chat · " + r.addressedWords()
		right = r.agentWords(c.Glyphs, area.W-ink.Width(name)-dividerEnds)
	} else {
		name, right = r.closedName(c.Glyphs, area.W-4), chatOpens(n)
	}
	name = ink.Cut(name, area.W-4, c.Glyphs.Ellipsis)
	if ink.Width(name)+ink.Width(right)+dividerEnds > area.W {
		right = ""
	}
	ink.DrawDivider(c, area, r.Named(name), ink.PlainLine(right))
	if r.o.Tee == nil {
		return
	}
	if tee := r.o.Tee(); tee > ink.Width(name)+3 && tee < area.W-ink.Width(right)-4 {
		c.Put(tee, area.Y, 1, ink.Plain, c.Glyphs.TeeUp)
	}
}

// dividerEnds is the number of cells of the line that its words at both ends leave free.
const dividerEnds = 9

// chatOpens says when chat opens: after the given number of questions are answered.
func chatOpens(closing int) string {
	if closing == 1 {
		return "opens when it is answered"
	}
	return "opens when they are answered"
}

// Named returns the words of a line on screen with the addressed agent's name in its colour.
func (r *Room) Named(name string) ink.Line {
	a := r.line.Addressed()
	if a == nil {
		return ink.PlainLine(name)
	}
	agent := r.line.NameOf(a)
	if !strings.Contains(name, agent) { // name has the agent's place in place of its number
		agent = a.Origin.Name()
	}
	return ink.HueOf(a.Origin).Within(name, agent, ink.Plain)
}

// agentWords describes, in room cells, the addressed agent: its number among all agents, its activity, and the other
// agents for which a text is kept.
func (r *Room) agentWords(g ink.Glyphs, room int) string {
	count := r.positionWords()
	kept, few := r.keptElsewhere(g)
	for _, parts := range [][]string{{count, r.stateWords(g), kept}, {count, kept}, {kept}, {few}, {count}} {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		if words := strings.Join(parts, " "+g.Dot+" "); words != "" && ink.Width(words) <= room {
			return words
		}
	}
	return ""
}

// closedName says that chat is closed and for which questions, and always names the agent that would get the line.
func (r *Room) closedName(g ink.Glyphs, room int) string {
	to := ""
	if a := r.line.Addressed(); a != nil {
		to = " " + g.Dot + " to " + r.line.NameOf(a)
	}
	waiting := r.waiting()
	return ink.Longest([]string{chatClosed + ": " + waiting + to, closed + ": " + waiting + to, closed + to}, room)
}

// stateWords describes the addressed agent: whether it works or waits, and how many lines it has not fetched.
func (r *Room) stateWords(g ink.Glyphs) string {
	a := r.line.Addressed()
	if a == nil {
		return ""
	}
	return strings.Join(say.LineState(r.line, a), " "+g.Dot+" ")
}

// positionWords returns the position of the addressed agent among all agents.
func (r *Room) positionWords() string {
	all := r.line.Choices()
	if at := slices.Index(all, r.line.Addressed()); at >= 0 && len(all) > 1 {
		return fmt.Sprintf("agent %d of %d", at+1, len(all))
	}
	return ""
}

// keptElsewhere names the other agent for which a text is kept, or counts them, in full and in few cells.
func (r *Room) keptElsewhere(g ink.Glyphs) (words, few string) {
	to := r.line.Addressed()
	list := slices.DeleteFunc(r.line.Keeping(), func(a *desk.Agent) bool { return a == to })
	few = fmt.Sprintf("%s %d kept", g.Note, len(list))
	switch len(list) {
	case 0:
		return "", ""
	case 1:
		return g.Note + " for " + r.line.NameOf(list[0]), few
	}
	return fmt.Sprintf("%s for %d others", g.Note, len(list)), few
}
