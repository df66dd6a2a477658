package panes

import (
	"fmt"
	"time"
)

// ConnectLine is how one agent is connected.
type ConnectLine struct{ Name, Command string }

// EmptyView is the screen while nothing waits.
type EmptyView struct {
	Connect  []ConnectLine // the first three are copied by a digit
	Answered int           // today
	Median   time.Duration // of today's answers
	Last     string        // `14:02  PostgreSQL → shop · claude`; empty before the first session
	Known    bool          // a session has existed
	Missed   []Missed
	DemoKey  string // plays the demo; empty: none
	Problem  string // something about the queue the person must know
	ChatKey  string // opens a line to the agent of what was missed; empty: there is none
}

// Draw draws the screen into r, rule included. It shows clock times, not ages: nothing ticks.
func (v EmptyView) Draw(c Canvas, r Rect) {
	DrawNamedRule(c, r.Row(0), "nothing waits", "choicetui")
	y := r.Y + 2
	if r.H < 12 {
		y = r.Y + 1
	}
	put := func(style tcellStyle, text string) {
		for _, l := range Wrap(text, r.W-4) {
			if y < r.Y+r.H {
				c.Put(r.X+2, y, r.W-3, style, l)
			}
			y++
		}
	}
	if v.Problem != "" {
		put(Danger.Bold(true), "! "+v.Problem)
		y++
	}
	if v.Known {
		v.drawDay(c, r, y)
		return
	}
	put(Plain, "Agents ask here, you answer from the keyboard. Connect one:")
	y++
	for i, l := range v.Connect {
		digit := fmt.Sprint(i + 1)
		if i >= 3 {
			digit = " "
		}
		if y >= r.Y+r.H {
			break
		}
		c.Put(r.X+3, y, 1, Bold, digit)
		if c.Put(r.X+6, y, r.W-7, Plain, l.Name); r.W >= 66 {
			c.Put(r.X+20, y, r.W-21, Plain, Cut(l.Command, r.W-21, c.Glyphs.Ellipsis))
		} else if y++; y < r.Y+r.H {
			c.Put(r.X+6, y, r.W-7, Plain, Cut(l.Command, r.W-7, c.Glyphs.Ellipsis))
		}
		y++
	}
	y++
	put(Plain, "A digit copies its line. Then tell the agent: “ask me before you decide”.")
	y++
	if v.DemoKey != "" {
		put(Plain, " "+v.DemoKey+"  see it first: a demo agent asks four questions, nothing is kept")
	}
	y++
	put(Plain, "While this pane is open, agents wait in it for your answer. While it is closed they get a command to run instead (choicetui attach …).")
}

func (v EmptyView) drawDay(c Canvas, r Rect, y int) {
	day := "nothing answered yet"
	if v.Answered > 0 {
		day = fmt.Sprintf("%d answered, half of them in %s", v.Answered, clock(v.Median))
	}
	c.Put(r.X+2, y, r.W-3, Plain, Cut("Today      "+day, r.W-3, c.Glyphs.Ellipsis))
	if v.Last != "" {
		c.Put(r.X+2, y+1, r.W-3, Plain, Cut("Last       "+v.Last, r.W-3, c.Glyphs.Ellipsis))
	}
	if len(v.Missed) == 0 || y+4 >= r.Y+r.H {
		return
	}
	c.Put(r.X+2, y+3, r.W-3, Danger, Cut(missedWords(v.Missed), r.W-3, c.Glyphs.Ellipsis))
	drawMissed(c, Rect{r.X + 4, y + 4, r.W - 5, r.Y + r.H - y - 4}, v.Missed)
	if at := y + 4 + len(v.Missed); v.ChatKey != "" && at < r.Y+r.H {
		c.Put(r.X+4, at, r.W-5, Plain, Cut(v.ChatKey+" tells the agent what you would have said", r.W-5, c.Glyphs.Ellipsis))
	}
}

// clock writes a duration as minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
