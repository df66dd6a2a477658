package panes

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Left is the time left as five cells show it: 4:12 below ten minutes, then 14m, 2h; from warn on with "!".
// A part of a second counts as a whole one, so that 0:00 means over.
func Left(s queue.Session, now time.Time, warn time.Duration) string {
	if s.Deadline.IsZero() {
		return "–"
	}
	left := s.Deadline.Sub(now)
	if left < 0 {
		left = 0
	}
	secs := int((left + time.Second - 1) / time.Second)
	switch {
	case secs >= 3600:
		return fmt.Sprintf("%dh", secs/3600)
	case secs >= 600:
		return fmt.Sprintf("%dm", secs/60)
	case time.Duration(secs)*time.Second <= warn:
		return fmt.Sprintf("!%d:%02d", secs/60, secs%60)
	}
	return fmt.Sprintf("%d:%02d", secs/60, secs%60)
}

// Urgent reports whether the time left is shown in reverse.
func Urgent(s queue.Session, now time.Time, warn time.Duration) bool {
	return !s.Deadline.IsZero() && s.Deadline.Sub(now) <= warn
}

// NextTick is when the shown time or a fuse of so many cells changes next; zero: never.
func NextTick(s queue.Session, now time.Time, cells int) time.Time {
	if s.Deadline.IsZero() || !now.Before(s.Deadline) {
		return time.Time{}
	}
	left := s.Deadline.Sub(now)
	unit := time.Second
	switch {
	case left > time.Hour:
		unit = time.Hour
	case left > 10*time.Minute:
		unit = time.Minute
	}
	// The shown number falls just after a whole unit is left; from there the next smaller one counts.
	rest := left % unit
	if unit == time.Second {
		rest = (left - 1) % unit
	}
	next := now.Add(rest + 1)
	if whole := s.Deadline.Sub(s.FuseFrom); cells > 0 && whole > 0 {
		cell := whole / time.Duration(cells)
		if burn := now.Add(left%max(cell, 1) + 1); burn.Before(next) {
			next = burn
		}
	}
	return next
}

// Lit is how many of so many fuse cells still burn: the share of time left since asked or last moved.
func Lit(s queue.Session, now time.Time, cells int) int {
	whole, left := s.Deadline.Sub(s.FuseFrom), s.Deadline.Sub(now)
	if s.Deadline.IsZero() || whole <= 0 || left <= 0 {
		return 0
	}
	return min(int((int64(left)*int64(cells)+int64(whole)-1)/int64(whole)), cells)
}

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
// towards the time.
func DrawRule(c Canvas, r Rect, v RuleView) {
	g := c.Glyphs
	drawPlainRule(c, r)
	end := Left(v.Session, v.Now, v.Warn)
	style := Plain
	switch {
	case v.Session.Outcome != nil:
		end = "over " + v.Session.Outcome.At.Local().Format("15:04")
	case v.Gone:
		end = "gone " + end
	case v.Held:
		end += " held"
	case Urgent(v.Session, v.Now, v.Warn):
		style = Danger.Bold(true).Reverse(true)
	}
	name := ruleName(v, r.W-Width(end)-6-min(r.W/6, 10))
	x := r.X + 2 + c.Put(r.X+2, r.Y, r.W-4, Bold, name)
	c.Put(r.X+1, r.Y, 1, Plain, " ")
	stop := r.X + r.W - 2 - Width(end) - 1 // the cell before the time
	c.Put(x, r.Y, 1, Plain, " ")
	if v.Session.Outcome == nil {
		lit := Lit(v.Session, v.Now, stop-x-1)
		for i := range lit {
			c.Put(stop-1-i, r.Y, 1, fuseStyle(v), g.Fuse)
		}
	}
	c.Put(stop, r.Y, 1, Plain, " ")
	c.Put(stop+1, r.Y, Width(end), style, end)
	c.Put(stop+1+Width(end), r.Y, 1, Plain, " ")
}

func fuseStyle(v RuleView) tcellStyle {
	if Urgent(v.Session, v.Now, v.Warn) {
		return Danger
	}
	return Plain
}

// ruleName is the longest form of the agent's name and place that fits w cells.
func ruleName(v RuleView, w int) string {
	o := v.Session.Origin
	dir := line(o.Cwd)
	if v.Home != "" && (dir == v.Home || strings.HasPrefix(dir, v.Home+"/")) {
		dir = "~" + dir[len(v.Home):]
	}
	branch := ""
	if o.Branch != "" {
		branch = " (" + line(o.Branch) + ")"
	}
	long := v.Name
	if dir != "" {
		long += " · " + dir
	}
	for _, s := range []string{long + branch, v.Name + branch, v.Name} {
		if Width(s) <= w {
			return s
		}
	}
	return Cut(v.Name, max(w, 4), "…")
}

func drawPlainRule(c Canvas, r Rect) {
	for x := range r.W {
		c.Put(r.X+x, r.Y, 1, Plain, c.Glyphs.Rule)
	}
}

// DrawNamedRule draws a rule with a name at its left and words at its right end.
func DrawNamedRule(c Canvas, r Rect, name, right string) {
	drawPlainRule(c, r)
	used := 1
	if name != "" {
		name = Cut(name, r.W-4, c.Glyphs.Ellipsis)
		used = 4 + c.Put(r.X+2, r.Y, r.W-4, Plain, name)
		c.Put(r.X+1, r.Y, 1, Plain, " ")
		c.Put(r.X+used-2, r.Y, 1, Plain, " ")
	}
	if room := r.W - used - 4; right != "" && room >= 6 {
		right = Cut(right, room, c.Glyphs.Ellipsis)
		x := c.PutRight(r.X, r.Y, r.W-2, Plain, right)
		c.Put(x-1, r.Y, 1, Plain, " ")
		c.Put(r.X+r.W-2, r.Y, 1, Plain, " ")
	}
}
