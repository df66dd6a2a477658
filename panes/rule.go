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
	secs := seconds(shownLeft(s, now))
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

// shownLeft is the time left as all of the screen shows it: as of the whole second of wall time that now is in, so that
// a screen that is drawn in between moves no countdown alone. A question that was asked or moved within this second
// counts from there: it never shows more than it was given.
func shownLeft(s queue.Session, now time.Time) time.Duration {
	if !now.Before(s.Deadline) {
		return 0
	}
	at := now.Truncate(time.Second)
	if s.FuseFrom.After(at) && !s.FuseFrom.After(now) {
		at = s.FuseFrom
	}
	return s.Deadline.Sub(at)
}

// seconds are the whole seconds of a time, rounded up.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Urgent reports whether the time left is shown in reverse.
func Urgent(s queue.Session, now time.Time, warn time.Duration) bool {
	return !s.Deadline.IsZero() && shownLeft(s, now) <= warn
}

// NextTick is the next whole second of wall time at which the shown time, its style from warn on, or a fuse of so many
// cells changes; zero: never.
func NextTick(s queue.Session, now time.Time, warn time.Duration, cells int) time.Time {
	if s.Deadline.IsZero() || !now.Before(s.Deadline) {
		return time.Time{}
	}
	secs := seconds(shownLeft(s, now))
	then := secs - 1 // what is shown next
	switch {
	case secs >= 3600:
		then = secs/3600*3600 - 1
	case secs >= 600:
		then = secs/60*60 - 1
	}
	if w := int(warn / time.Second); secs > w {
		then = max(then, w)
	}
	next := wholeSecond(s.Deadline).Add(-time.Duration(then) * time.Second)
	if lit := Lit(s, now, cells); lit > 0 {
		burnt := s.Deadline.Sub(s.FuseFrom) * time.Duration(lit-1) / time.Duration(cells)
		if at := wholeSecond(s.Deadline.Add(-burnt)); at.Before(next) {
			return at
		}
	}
	return next
}

// wholeSecond is the first whole second of wall time from t on.
func wholeSecond(t time.Time) time.Time {
	if at := t.Truncate(time.Second); at.Before(t) {
		return at.Add(time.Second)
	}
	return t
}

// Lit is how many of so many fuse cells still burn: the share of time left since asked or last moved.
func Lit(s queue.Session, now time.Time, cells int) int {
	if s.Deadline.IsZero() {
		return 0
	}
	given, left := s.Deadline.Sub(s.FuseFrom), shownLeft(s, now)
	if given <= 0 || left <= 0 {
		return 0
	}
	return min(int((int64(left)*int64(cells)+int64(given)-1)/int64(given)), cells)
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
// towards the time. It returns how many cells the fuse has.
func DrawRule(c Canvas, r Rect, v RuleView) int {
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
	cells := max(stop-x-1, 0)
	if v.Session.Outcome == nil {
		for i := range Lit(v.Session, v.Now, cells) {
			c.Put(stop-1-i, r.Y, 1, fuseStyle(v), g.Fuse)
		}
	}
	c.Put(stop, r.Y, 1, Plain, " ")
	c.Put(stop+1, r.Y, Width(end), style, end)
	c.Put(stop+1+Width(end), r.Y, 1, Plain, " ")
	return cells
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
