package panes

import (
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// RuleView is what the rule over the question shows.
type RuleView struct {
	Session queue.Session
	Now     time.Time
	Warn    time.Duration
	Home    string // shortened to ~ in the directory
	Name    string // the agent's name, made distinct
	Held    bool   // typing holds the clock
	Gone    bool
}

// DrawRule draws the question's rule, which is its fuse: between name and time, the share of time left burns
// towards the time. It returns how many cells the fuse has.
func DrawRule(c ink.Canvas, r ink.Rect, v RuleView) int {
	g := c.Glyphs
	ink.DrawPlainRule(c, r)
	end := say.TimeLeft(v.Session, v.Now, v.Warn)
	style := ink.Plain
	switch {
	case v.Session.Outcome != nil:
		end = "over " + v.Session.Outcome.At.Local().Format("15:04")
	case v.Gone:
		end = "gone " + end
	case v.Held:
		end += " held"
	case say.Urgent(v.Session, v.Now, v.Warn):
		style = ink.Danger.Bold(true).Reverse(true)
	}
	name := ruleName(v, r.W-ink.Width(end)-6-min(r.W/6, 10))
	x := r.X + 2 + c.Put(r.X+2, r.Y, r.W-4, ink.Bold, name)
	c.Put(r.X+1, r.Y, 1, ink.Plain, " ")
	stop := r.X + r.W - 2 - ink.Width(end) - 1 // the cell before the time
	c.Put(x, r.Y, 1, ink.Plain, " ")
	cells := max(stop-x-1, 0)
	if v.Session.Outcome == nil {
		for i := range say.Lit(v.Session, v.Now, cells) {
			c.Put(stop-1-i, r.Y, 1, fuseStyle(v), g.Fuse)
		}
	}
	c.Put(stop, r.Y, 1, ink.Plain, " ")
	c.Put(stop+1, r.Y, ink.Width(end), style, end)
	c.Put(stop+1+ink.Width(end), r.Y, 1, ink.Plain, " ")
	return cells
}

func fuseStyle(v RuleView) ink.Style {
	if say.Urgent(v.Session, v.Now, v.Warn) {
		return ink.Danger
	}
	return ink.Plain
}

// ruleName is the longest form of the agent's name and place that fits w cells.
func ruleName(v RuleView, w int) string {
	o := v.Session.Origin
	dir := say.Tilde(say.OneLine(o.Cwd), v.Home)
	branch := ""
	if o.Branch != "" {
		branch = " (" + say.OneLine(o.Branch) + ")"
	}
	long := v.Name
	if dir != "" {
		long += " · " + dir
	}
	for _, s := range []string{long + branch, v.Name + branch, v.Name} {
		if ink.Width(s) <= w {
			return s
		}
	}
	return ink.Cut(v.Name, max(w, 4), "…")
}
