package empty

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// day shows today's answers and the missed questions.
type day struct {
	answered []string     // today's answers in words, longest form first
	last     string       // the last answer of any day; empty if there is none
	to       queue.Origin // the agent that got it
	missed   []queue.Session
	tells    [2]string // the keys for a line to the agent of a missed question; empty if there is no chat
}

// day returns what the room shows of today.
func (r *Room) day() day {
	d := r.desk()
	now, today := d.Now(), d.Today()
	v := day{answered: answeredToday(len(today.Took(now)), today.Median(now)), missed: r.view().Missed()}
	if r.o.Chats != nil && r.o.Chats() {
		m := r.host.Keys()
		v.tells = [2]string{m.KeyOf(action.PlaceEmpty, action.History), m.KeyOf(action.PlaceHistory, action.Chat)}
	}
	if answers := today.Recent(); len(answers) > 0 {
		v.last, v.to = lastAnswer(answers[0], now), answers[0].Origin
	}
	return v
}

// draw draws today's answers, and below them the missed questions.
func (v day) draw(c ink.Canvas, r ink.Rect) {
	facts := v.facts(r.W, c.Glyphs, wrapped)
	below := 1 + len(v.missed)
	if v.tells[0] != "" {
		below++
	}
	if len(v.missed) > 0 && len(facts)+below > r.H { // missed questions come first
		facts = v.facts(r.W, c.Glyphs, cut)
	}
	y := r.Y
	for _, l := range facts {
		if y < r.Y+r.H {
			c.PutLine(r.X+2, y, r.W-3, ink.HueOf(v.to).Within(l, v.to.Name(), ink.Plain))
		}
		y++
	}
	if len(facts)+below < r.H {
		y++
	}
	v.drawMissed(c, ink.Rect{X: r.X + 2, Y: y, W: r.W - 3, H: r.Y + r.H - y})
}

// drawMissed draws the questions that ended without the person, and how to tell their agents the answer. It needs at
// least two rows.
func (v day) drawMissed(c ink.Canvas, r ink.Rect) {
	if len(v.missed) == 0 || r.H < 2 {
		return
	}
	c.Put(r.X, r.Y, r.W, ink.Danger, ink.Cut(say.MissedOf(v.missed), r.W, c.Glyphs.Ellipsis))
	in := ink.Rect{X: r.X + 2, Y: r.Y + 1, W: r.W - 2, H: r.H - 1}
	ink.DrawMissed(c, in, v.missed)
	if at := len(v.missed); v.tells[0] != "" && at < in.H {
		words := ink.Line{{Text: "press ", Style: ink.Plain}, {Text: v.tells[0], Style: ink.Key},
			{Text: ", then ", Style: ink.Plain}, {Text: v.tells[1], Style: ink.Key},
			{Text: ", to message the agent", Style: ink.Plain}}
		c.PutLine(in.X, in.Y+at, in.W, words.Cut(in.W, c.Glyphs.Ellipsis))
	}
}

// What facts does with a text that is too long for a line.
const wrapped, cut = true, false

// facts returns today's count and the last answer for w cells. wraps is wrapped or cut.
func (v day) facts(w int, g ink.Glyphs, wraps bool) (lines []string) {
	names := 11
	if w < 50 {
		names = 7
	}
	put := func(name string, forms ...string) {
		text := ink.Longest(forms, w-3-names)
		rows := ink.Wrap(text, max(w-3-names, 1))
		if !wraps {
			rows = []string{ink.Cut(text, w-3-names, g.Ellipsis)}
		}
		for i, l := range rows {
			if i > 0 {
				name = ""
			}
			lines = append(lines, name+strings.Repeat(" ", names-len(name))+l)
		}
	}
	put("Today", v.answered...)
	if v.last != "" {
		put("Last", v.last)
	}
	return lines
}

// lastAnswer returns an answer with its time, and its day if that is not today: `14:02  PostgreSQL → shop · AGENT`.
func lastAnswer(s queue.Session, now time.Time) string {
	at, layout := s.Outcome.At.Local(), "15:04"
	if at.Format(time.DateOnly) != now.Local().Format(time.DateOnly) {
		layout = "Mon 2 Jan 15:04"
	}
	answer, _ := say.AnswerOf(s)
	return at.Format(layout) + "  " + answer + " → " + new(queue.Names).Of(s.Origin)
}

// answeredToday counts the questions answered today and, from two on, adds the median of the times, longest form first.
func answeredToday(n int, median time.Duration) []string {
	switch n {
	case 0:
		return []string{"nothing answered yet"}
	case 1:
		return []string{answered(1)}
	}
	took := say.Clock(median)
	return []string{fmt.Sprintf("%s, median time %s", answered(n), took),
		fmt.Sprintf("%s, median %s", answered(n), took), fmt.Sprintf("%d, median %s", n, took)}
}

// answered says how many questions were answered.
func answered(n int) string { return fmt.Sprintf("%d answered", n) }
