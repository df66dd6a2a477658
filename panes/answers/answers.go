// Package answers draws today's last answers in the column left of the question, in rows that the queue does not need.
// It has no keys; the history lists all answers.
//
//	desk.Today ─► Rows: how many of the free rows it takes ─► two rows for each answer, or one if rows are few
package answers

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Room shows the last answers.
type Room struct {
	*tview.Box
	host panes.Host
}

// New returns the Room that draws the last answers of the host's desk.
func New(host panes.Host) *Room { return &Room{Box: tview.NewBox(), host: host} }

func (r *Room) desk() *desk.Desk { return r.host.View().Desk() }

func (r *Room) answers() []queue.Session { return r.desk().Today().Answers(r.desk().Now()) }

// fewRows is the number of rows below which each answer has one row instead of two.
const fewRows = 4

// Rows returns how many of at most the given rows the answers take, without the line above them. It is 0 without
// answers.
func (r *Room) Rows(most int) int {
	n := len(r.answers())
	switch {
	case 2*n <= most:
		return 2 * n
	case most < fewRows:
		return min(n, max(most, 0))
	}
	return most - most%2
}

// Draw draws a line with words in the first row, and the answers below it.
func (r *Room) Draw(screen tcell.Screen) {
	x, y, w, h := r.GetRect()
	list := r.answers()
	if h < 2 || len(list) == 0 {
		return
	}
	c := r.host.Ink(screen)
	r.drawDivider(c, ink.Rect{X: x, Y: y, W: w, H: 1})
	rows := 2
	if h-1 < min(2*len(list), fewRows) {
		rows = 1
	}
	for n := range list[:min(len(list), (h-1)/rows)] {
		drawAnswer(c, ink.Rect{X: x, Y: y + 1 + n*rows, W: w, H: rows}, list[n])
	}
}

// drawDivider draws the line above the answers: the key that shows all answers, and the number of questions answered
// today.
func (r *Room) drawDivider(c ink.Canvas, divider ink.Rect) {
	name := "today"
	if key := r.host.Keys().KeyOf(action.PlaceQuestion, action.History); key != "" {
		name += " " + c.Glyphs.Dot + " " + key + " history"
	}
	done := fmt.Sprintf("%d done", len(r.desk().Today().Took(r.desk().Now())))
	ink.DrawNamedDivider(c, divider, name, done)
}

// drawAnswer draws an answer: its time, the title and the agent, and the answer in the row below. In one row it is the
// time, the answer and the agent.
func drawAnswer(c ink.Canvas, r ink.Rect, s queue.Session) {
	g := c.Glyphs
	c.Put(r.X+2, r.Y, 5, ink.Plain, s.Outcome.At.Local().Format("15:04"))
	end := r.X + r.W - 1
	if dir := s.Origin.Place(); dir != "" {
		dir = ink.Cut(dir, r.W/3, g.Ellipsis)
		end = c.PutRight(r.X, r.Y, r.W-1, ink.HueOf(s.Origin).Of(ink.Plain), dir) - 1
	}
	text := r.X + 9
	drawChosen := func(y, end int) {
		sign, style := g.Done, ink.Good
		words, late := say.AnswerOf(s)
		if late {
			sign, style = "!", ink.Danger
		}
		used := c.Put(text, y, 2, style, sign) + 1
		c.Put(text+used, y, end-text-used, ink.Plain, ink.Cut(words, end-text-used, g.Ellipsis))
	}
	if r.H == 1 {
		drawChosen(r.Y, end)
		return
	}
	c.Put(text, r.Y, end-text, ink.Plain, ink.Cut(say.Title(s.Ask), end-text, g.Ellipsis))
	drawChosen(r.Y+1, r.X+r.W-1)
}
