package panes

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// ConnectLine is how one agent is connected.
type ConnectLine struct{ Name, Command string }

// EmptyView is the screen while nothing waits.
type EmptyView struct {
	Connect  []ConnectLine // the first ones are copied by a key
	Keys     keys.Map      // which keys those are; nil: the table's
	Answered int           // today
	Median   time.Duration // of today's answers
	Last     string        // `14:02  PostgreSQL → shop · claude`; empty before the first session
	Known    bool          // a session has existed
	Missed   []Missed
	DemoKey  string // plays the demo; empty: none
	Problem  string // `! the queue cannot be read`: what the person must know
	ChatKey  string // opens a line to the agent of what was missed; empty: there is none
}

// Draw draws the screen into r, rule included. It shows clock times, not ages: nothing ticks.
func (v EmptyView) Draw(c ink.Canvas, r ink.Rect) {
	ink.DrawNamedRule(c, r.Row(0), "nothing waits", "choicetui")
	y := r.Y + 1
	if r.H >= 12 {
		y++
	}
	if v.Problem != "" {
		for _, l := range ink.Wrap(v.Problem, r.W-4) {
			if y < r.Y+r.H {
				c.Put(r.X+2, y, r.W-3, ink.Danger.Bold(true), l)
			}
			y++
		}
		if r.H >= 12 {
			y++
		}
	}
	below := ink.Rect{X: r.X, Y: y, W: r.W, H: max(r.Y+r.H-y, 0)}
	if v.Known {
		v.drawDay(c, below)
		return
	}
	v.drawStart(c, below)
}

// emptyLine is one line of the screen: a key that does something, and words.
type emptyLine struct {
	key, text string
	in        int // cells from the left
}

// drawStart says how to connect an agent: as much of it as fits, what helps least left out first.
func (v EmptyView) drawStart(c ink.Canvas, r ink.Rect) {
	var lines []emptyLine
	for stage := range stagesOfStart {
		if lines = v.start(r.W, stage, c.Glyphs); len(lines) <= r.H {
			break
		}
	}
	for i, l := range lines[:min(len(lines), r.H)] {
		c.Put(r.X+3, r.Y+i, 1, ink.Bold, l.key)
		c.Put(r.X+l.in, r.Y+i, r.W-l.in-1, ink.Plain, ink.Cut(l.text, r.W-l.in-1, c.Glyphs.Ellipsis))
	}
}

// Stages of giving way on the first screen, each including the ones before it.
const (
	startRoomy  = iota
	startClose  // blank lines go
	startNoWait // what waiting agents do meanwhile goes
	startRows   // one row a command
	startBrief  // sentences become short ones
	startNames  // only names, and no word of what to tell the agent
	stagesOfStart
)

// start is the first screen at a stage, in lines of w cells.
func (v EmptyView) start(w, stage int, g ink.Glyphs) (lines []emptyLine) {
	put := func(in int, key, text string) {
		for i, l := range ink.Wrap(text, w-in-1) {
			if i > 0 {
				key = ""
			}
			lines = append(lines, emptyLine{key, l, in})
		}
	}
	gap := func() {
		if stage < startClose {
			lines = append(lines, emptyLine{})
		}
	}
	intro, tell, demo := "Agents ask here, you answer from the keyboard. Connect one:", "A digit copies its line. Then tell the agent: “ask me before you decide”.",
		"see it first: a demo agent asks four questions, nothing is kept"
	if stage >= startBrief {
		intro, tell, demo = "A digit copies how to connect:", "Tell it: “ask me before you decide”.", "a demo, nothing is kept"
	}
	if stage >= startNames {
		intro = "Connect; a digit copies it:"
	}
	switch keyCell(v.Keys.KeyFor(keys.PlaceEmpty, keys.ActConnect, 1)) {
	case "1":
	case "":
		intro, tell = "Agents ask here, you answer from the keyboard. Connect one:", "Tell it: “ask me before you decide”."
	default:
		for _, words := range []*string{&intro, &tell} {
			*words = strings.NewReplacer("A digit", "Its key", "a digit", "its key").Replace(*words)
		}
	}
	put(2, "", intro)
	gap()
	for i, l := range v.Connect {
		lines = append(lines, l.lines(w, stage, keyCell(v.Keys.KeyFor(keys.PlaceEmpty, keys.ActConnect, i+1)), g)...)
	}
	gap()
	if stage < startNames {
		put(2, "", tell)
	}
	gap()
	if v.DemoKey != "" {
		put(6, v.DemoKey, demo)
	}
	if stage < startNoWait {
		gap()
		put(2, "", "While this pane is open, agents wait in it for your answer. While it is closed they get a command to run instead (choicetui attach …).")
	}
	return lines
}

// lines are how one agent is connected: name and command, the command below the name where it does not fit beside it.
func (l ConnectLine) lines(w, stage int, digit string, g ink.Glyphs) []emptyLine {
	const in, command = 6, 20
	beside := fmt.Sprintf("%-*s%s", command-in, l.Name, l.Command)
	switch {
	case ink.Width(beside) <= w-in-1:
		return []emptyLine{{digit, beside, in}}
	case stage >= startNames && digit == "":
		return []emptyLine{{digit, l.Command, in}}
	case stage >= startNames:
		return []emptyLine{{digit, l.Name, in}}
	case stage >= startRows && digit == "":
		return []emptyLine{{digit, ink.Cut(l.Name+": "+l.Command, w-in-1, g.Ellipsis), in}}
	case stage >= startRows:
		return []emptyLine{{digit, ink.Cut(beside, w-in-1, g.Ellipsis), in}}
	}
	lines := []emptyLine{{digit, l.Name, in}}
	for _, row := range ink.Wrap(l.Command, w-in-1) {
		lines = append(lines, emptyLine{"", row, in})
	}
	return lines
}

// drawDay says what was done today, and what was missed.
func (v EmptyView) drawDay(c ink.Canvas, r ink.Rect) {
	facts := v.day(r.W, c.Glyphs, true)
	below := 1 + len(v.Missed)
	if v.ChatKey != "" {
		below++
	}
	if len(v.Missed) > 0 && len(facts)+below > r.H { // what was missed comes first
		facts = v.day(r.W, c.Glyphs, false)
	}
	y := r.Y
	for _, l := range facts {
		if y < r.Y+r.H {
			c.Put(r.X+2, y, r.W-3, ink.Plain, l)
		}
		y++
	}
	if len(facts)+below < r.H {
		y++
	}
	if len(v.Missed) == 0 || y+1 >= r.Y+r.H {
		return
	}
	c.Put(r.X+2, y, r.W-3, ink.Danger, ink.Cut(missedCount(v.Missed), r.W-3, c.Glyphs.Ellipsis))
	drawMissed(c, ink.Rect{X: r.X + 4, Y: y + 1, W: r.W - 5, H: r.Y + r.H - y - 1}, v.Missed)
	if at := y + 1 + len(v.Missed); v.ChatKey != "" && at < r.Y+r.H {
		c.Put(r.X+4, at, r.W-5, ink.Plain, ink.Cut(v.ChatKey+" tells the agent what you would have said", r.W-5, c.Glyphs.Ellipsis))
	}
}

// day is today's count and the last answer for w cells, wrapped or in one line each.
func (v EmptyView) day(w int, g ink.Glyphs, wrapped bool) (lines []string) {
	names := 11
	if w < 50 {
		names = 7
	}
	put := func(name string, forms ...string) {
		text := forms[len(forms)-1]
		for _, f := range forms {
			if names+ink.Width(f) <= w-3 {
				text = f
				break
			}
		}
		rows := ink.Wrap(text, max(w-3-names, 1))
		if !wrapped {
			rows = []string{ink.Cut(text, w-3-names, g.Ellipsis)}
		}
		for i, l := range rows {
			if i > 0 {
				name = ""
			}
			lines = append(lines, name+strings.Repeat(" ", names-len(name))+l)
		}
	}
	if v.Answered > 0 {
		put("Today", fmt.Sprintf("%d answered, half of them in %s", v.Answered, say.Clock(v.Median)),
			fmt.Sprintf("%d answered, median %s", v.Answered, say.Clock(v.Median)),
			fmt.Sprintf("%d, median %s", v.Answered, say.Clock(v.Median)))
	} else {
		put("Today", "nothing answered yet")
	}
	if v.Last != "" {
		put("Last", v.Last)
	}
	return lines
}
