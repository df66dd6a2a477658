package panes

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// ChatView is the composer of a line to an agent. It lies over the lower rows of whatever is on screen.
type ChatView struct {
	Name   string // in its rule: `chat · to shop · claude, tmux 2:1`, or `chat closed: 2 wait`
	Right  string // at the rule's right end: `working · 1 of 3 agents`
	Editor *editor.Field
	Tee    int // the column of the divider it ends; 0: there is none
}

// ChatRect is where the composer goes on a w×h screen: its rule and as many rows as the text takes, up to a third.
// The two rows of the foot stay below it.
func ChatRect(e *editor.Field, w, h int) ink.Rect {
	rows := min(max(e.Rows(max(w-3, 1)), 1), max(h/3, 1))
	return ink.Rect{X: 0, Y: max(h-3-rows, 0), W: w, H: rows + 1}
}

// Draw draws rule and text.
func (v ChatView) Draw(c ink.Canvas, r ink.Rect) {
	c.Fill(r, ink.Plain)
	name := ink.Cut(v.Name, r.W-4, c.Glyphs.Ellipsis)
	right := v.Right
	if ink.Width(name)+ink.Width(right)+9 > r.W {
		right = ""
	}
	ink.DrawNamedRule(c, r.Row(0), name, right)
	if v.Tee > ink.Width(name)+3 && v.Tee < r.W-ink.Width(right)-4 {
		c.Put(v.Tee, r.Y, 1, ink.Plain, c.Glyphs.TeeUp)
	}
	c.Put(r.X, r.Y+1, 1, ink.Bold, c.Glyphs.Prompt)
	v.Editor.Draw(c, ink.Rect{X: r.X + 2, Y: r.Y + 1, W: max(r.W-2, 1), H: r.H - 1})
}

// ChatRefusal says in at most w cells why nothing is sent: which question waits first, and how many more.
func ChatRefusal(g ink.Glyphs, title string, more, w int) string {
	rest := " waits. The text stays."
	if more > 0 {
		rest = fmt.Sprintf(" and %d more wait. The text stays.", more)
	}
	start := g.Enter + " not sent: “"
	title = say.OneLine(title)
	if room := w - ink.Width(start) - 1 - ink.Width(rest); room >= 8 {
		return start + ink.Cut(title, room, g.Ellipsis) + "”" + rest
	}
	short := " waits"
	if more > 0 {
		short = fmt.Sprintf(" and %d more", more)
	}
	return start + ink.Cut(title, max(w-ink.Width(start)-1-ink.Width(short), 4), g.Ellipsis) + "”" + short
}
