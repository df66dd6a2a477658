package question

import (
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// countdown is the line over the question, with the agent's name at its left end and the time left at its right end.
// Between them a thicker piece shows which share of the time is left; it gets shorter like a burning countdown.
type countdown struct {
	session  queue.Session
	now      time.Time
	warn     time.Duration
	home     string // the home directory, shown as ~
	name     string // the agent's name, which tells it from other agents
	extended bool   // the clock is held because the person types
	gone     bool   // the agent does not wait any more
	team     string // says that the team was asked and the clock is stopped; empty: it was not asked
	reminds  bool   // the person waits for the team and has pressed no key for an hour, so they are reminded
}

// endWords returns the words at the right end of the line, at w cells.
func (f countdown) endWords(w int) (words string, style ink.Style) {
	left := say.TimeLeft(f.session, f.now, f.warn)
	switch {
	case f.session.Outcome != nil:
		long, short := say.EndedAt(*f.session.Outcome)
		return ink.Longest([]string{long, short}, w/2), ink.Plain
	case f.reminds:
		return f.team, ink.Bold
	case f.team != "":
		return f.team, ink.Plain
	case f.gone:
		return ink.Longest(goneWith(left), w/3), ink.Plain
	case f.session.Perhaps != "":
		return ink.Longest([]string{say.Perhaps(f.session), "answered?"}, w/2), ink.Plain
	case !f.session.HasClock():
		return left, ink.Plain
	case f.isSetAside():
		return say.Later(f.session), ink.Plain
	case f.extended:
		left += " extended"
	}
	return left, ink.Time(say.ShownLeft(f.session, f.now), f.warn)
}

// goneWith says that an agent is gone and how much time its question has left, longest form first.
func goneWith(left string) []string {
	left += " left"
	return []string{"agent gone · " + left, "gone · " + left, left}
}

// isSetAside reports whether the question is set aside for now.
func (f countdown) isSetAside() bool {
	_, aside := f.session.AsideUntil(f.now)
	return aside
}

func (f countdown) urgent() bool { return say.Urgent(f.session, f.now, f.warn) }

// nameAtLeft returns the agent's name and place at the left end of the line, at w cells.
func (f countdown) nameAtLeft(w int) string {
	end, _ := f.endWords(w)
	leastCountdown := min(w/6, 10)
	if f.session.Outcome != nil { // no time is shown any more
		leastCountdown = 1
	}
	return ink.Cut(f.longestName(w-countdownEnds-ink.Width(end)-leastCountdown), w-4, "")
}

// countdownEnds is the number of cells at the ends of the line, and beside the name and the time, that stay as they
// are.
const countdownEnds = 6

// cells returns how many cells show the time left while all of it is left, in a line of w cells.
func (f countdown) cells(w int) int {
	end, _ := f.endWords(w)
	return max(w-countdownEnds-ink.Width(end)-ink.Width(f.nameAtLeft(w)), 0)
}

// draw draws the line over the question: the agent's name, the thicker piece for the time left, and the time.
func (f countdown) draw(c ink.Canvas, r ink.Rect) {
	ink.DrawPlainDivider(c, r)
	r.W = panes.Measured(r.W) // the line ends where the text below it ends
	end, style := f.endWords(r.W)
	space := func(x int) { c.Put(x, r.Y, 1, ink.Plain, " ") }
	name := ink.HueOf(f.session.Origin).Within(f.nameAtLeft(r.W), f.name, ink.Dim)
	x := r.X + 2 + c.PutLine(r.X+2, r.Y, r.W-4, name)
	stop := r.X + r.W - 2 - ink.Width(end) - 1 // the cell before the time
	space(r.X + 1)
	space(x)
	burning := ink.Plain
	if f.urgent() {
		burning = ink.Danger
	}
	if f.session.Outcome == nil {
		lit := say.Lit(f.session, f.now, f.cells(r.W))
		c.Repeat(ink.Rect{X: stop - lit, Y: r.Y, W: lit, H: 1}, burning, c.Glyphs.Countdown)
	}
	space(stop)
	c.Put(stop+1, r.Y, ink.Width(end), style, end)
	space(stop + 1 + ink.Width(end))
}

// longestName returns the longest form of the agent's name and place that fits w cells.
func (f countdown) longestName(w int) string {
	o := f.session.Origin
	branch := ""
	if o.Branch != "" {
		branch = " (" + say.OneLine(o.Branch) + ")"
	}
	long := f.name
	if dir := say.Tilde(say.OneLine(o.Cwd), f.home); dir != "" {
		long += " · " + dir
	}
	for _, s := range []string{long + branch, f.name + branch, f.name} {
		if ink.Width(s) <= w {
			return s
		}
	}
	return ink.Cut(f.name, max(w, 4), "…")
}
