package panes

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// ConfirmView is what the confirmation step shows beside the form's own text.
type ConfirmView struct {
	Home  string // shown as ~
	Where string // the agent's place in tmux, such as 2:1
}

// choice is what would be confirmed, in words.
func (f *Form) choice() string { return f.Session.Ask.Summary(f.Answer()) }

// numbered is the choice with its digit, as the options showed it.
func (f *Form) numbered() string {
	for i, o := range f.q().Options {
		if f.marked(o.ID) && i < 9 && len(f.reply.Selected) == 1 {
			return fmt.Sprintf("%d  %s", i+1, say.OneLine(o.Label))
		}
	}
	return f.choice()
}

// enterConfirm says what Enter does in the confirmation step: nothing, and what does.
func (f *Form) enterConfirm(g ink.Glyphs) Plan {
	sends := fmt.Sprintf("%s sends “%s”", f.confirmKey(keys.ActConfirm), f.choice())
	if n := f.confirmUnseen; n > 0 {
		return Plan{Words: fmt.Sprintf("%s not seen %s %s", say.Count(n, "line"), g.Dot, sends)}
	}
	return Plan{Words: g.Enter + " does nothing here: " + sends}
}

// enterUnconfirmed plans Enter on an ask that wants a confirmation: one more step, nothing is sent yet.
func (f *Form) enterUnconfirmed(p Plan, g ink.Glyphs) Plan {
	if p.Step != StepSend {
		return p
	}
	p.Step, p.Words = StepConfirm, g.Enter+" "+strings.TrimPrefix(p.Words, g.Enter+" send ")+", then confirm"
	return p
}

func (f *Form) confirmKey(a keys.Action) string { return f.rules.Keys.KeyOf(keys.PlaceConfirm, a) }

// confirmLine is one line of the confirmation step.
type confirmLine struct {
	name, text string
	style      ink.Style
	title      bool
}

// confirmSheet is the confirmation step at one width: what is read, in parts that may be set apart, and the keys.
type confirmSheet struct {
	parts [][]confirmLine
	keys  [][2]string
}

func (f *Form) confirmSheet(w int, v ConfirmView) confirmSheet {
	s, agent := f.Session, say.Who(f.Session.Origin)
	names := confirmNames(w)
	fact := func(name, words string, style ink.Style) []confirmLine {
		var lines []confirmLine
		for i, l := range ink.Wrap(words, max(w-3-names, 8)) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, confirmLine{name: ink.Cut(name, names-1, f.glyphs().Ellipsis), text: l, style: style})
		}
		return lines
	}
	chose, says, runs, clock := "You chose", agent+" says", "It runs in", "At 0:00"
	if names < 12 {
		chose, says, runs, clock = "you chose", "it says", "runs in", "at 0:00"
	}
	var title, facts []confirmLine
	for _, l := range ink.Wrap("! Confirm: "+say.OneLine(s.Ask.Title), max(w-1, 8)) {
		title = append(title, confirmLine{text: l, style: ink.Danger.Bold(true), title: true})
	}
	if msg := strings.TrimSpace(s.Ask.ConfirmMessage); msg != "" {
		facts = fact(says, say.Text(msg), ink.Plain)
	}
	facts = append(facts, fact(runs, runsIn(s.Origin, v), ink.Plain)...)
	if !s.Deadline.IsZero() {
		facts = append(facts, fact(clock, "nothing is confirmed; "+agent+" is told the time ran out", ink.Plain)...)
	}
	return confirmSheet{
		parts: [][]confirmLine{title, fact(chose, f.numbered(), ink.Bold), facts},
		keys: [][2]string{
			{f.confirmKey(keys.ActConfirm), "confirm: send “" + f.choice() + "”"},
			{f.confirmKey(keys.ActDecline), "back to the options"},
			{f.confirmKey(keys.ActCancel), "cancel: " + agent + " is told no"},
		},
	}
}

// confirmNames is the width of the column of names.
func confirmNames(w int) int {
	switch {
	case w < 50:
		return 10
	case w < 70:
		return 12
	}
	return 14
}

func (p confirmSheet) rows() int {
	n := len(p.keys)
	for _, part := range p.parts {
		n += len(part)
	}
	return n
}

// confirmStrip is how many rows the queue strip may have beside the confirmation step.
func (f *Form) confirmStrip(w, total, strip int) int {
	return min(strip, max(total-f.confirmSheet(measured(w), ConfirmView{}).rows(), 0))
}

// DrawConfirm draws the confirmation step into r. In a small pane the keys that the foot has too give way first; then
// the rest scrolls as one, so that nothing of it is ever left out.
func (f *Form) DrawConfirm(c ink.Canvas, r ink.Rect, v ConfirmView) {
	r.W = measured(r.W)
	p := f.confirmSheet(r.W, v)
	if p.rows() > r.H {
		p.keys = p.keys[:1]
	}
	gap := r.H >= p.rows()+3
	var lines []confirmLine
	for i, part := range p.parts {
		if i > 0 && gap {
			lines = append(lines, confirmLine{})
		}
		lines = append(lines, part...)
	}
	room := r.H - len(p.keys)
	if gap {
		room--
	}
	y := f.drawConfirmLines(c, ink.Rect{X: r.X, Y: r.Y, W: r.W, H: room}, lines)
	if gap {
		y++
	}
	for _, k := range p.keys {
		c.Put(r.X+3, y, 3, ink.Bold, k[0])
		c.Put(r.X+6, y, r.W-7, ink.Plain, ink.Cut(k[1], r.W-7, c.Glyphs.Ellipsis))
		y++
	}
}

// drawConfirmLines draws the part of the sheet that is on screen, with the counts of what is not, and returns the row
// below it.
func (f *Form) drawConfirmLines(c ink.Canvas, r ink.Rect, lines []confirmLine) int {
	fits := r.H
	if len(lines) > r.H {
		fits = max(r.H-1, 1)
	}
	f.confirmTop = min(max(f.confirmTop, 0), max(len(lines)-fits, 0))
	f.confirmPage = max(fits-1, 1)
	end := min(f.confirmTop+fits, len(lines))
	y := r.Y
	for _, l := range lines[f.confirmTop:end] {
		x := r.X
		if !l.title {
			x += 2
			c.Put(x, y, confirmNames(r.W), ink.Plain, l.name)
			x += confirmNames(r.W)
		}
		c.Put(x, y, r.X+r.W-x, l.style, l.text)
		y++
	}
	f.confirmSeen = max(f.confirmSeen, end)
	f.confirmUnseen = max(len(lines)-f.confirmSeen, 0)
	if len(lines) > r.H {
		c.Put(r.X, y, r.W-1, ink.Plain, ink.Cut(f.confirmCounted(f.confirmTop, len(lines)-end, c.Glyphs), r.W-1, c.Glyphs.Ellipsis))
		y++
	}
	return y
}

func (f *Form) confirmCounted(above, below int, g ink.Glyphs) string {
	words := ""
	if above > 0 {
		words = fmt.Sprintf(" %s %s above", g.Up, say.Count(above, "line"))
	}
	if below > 0 {
		words += fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
	}
	if below > 0 {
		return words + say.Keyed(" "+g.Dot+" ", f.confirmKey(keys.ActPageDown), "")
	}
	return words + say.Keyed(" "+g.Dot+" ", f.confirmKey(keys.ActPageUp), "")
}

// ScrollConfirm moves the sheet by pages or half pages; n is in half pages.
func (f *Form) ScrollConfirm(n int) {
	if n%2 == 0 {
		f.confirmTop += n / 2 * max(f.confirmPage, 1)
		return
	}
	f.confirmTop += n * max(f.confirmPage/2, 1)
}

// runsIn says where the agent works, as far as that is known.
func runsIn(o queue.Origin, v ConfirmView) string {
	var parts []string
	if dir := say.Tilde(say.OneLine(o.Cwd), v.Home); dir != "" {
		if o.Branch != "" {
			dir += " (" + say.OneLine(o.Branch) + ")"
		}
		parts = append(parts, dir)
	}
	switch {
	case v.Where != "":
		parts = append(parts, "tmux "+v.Where)
	case o.Pane != "":
		parts = append(parts, "tmux "+say.OneLine(o.Pane))
	}
	if o.Host != "" {
		parts = append(parts, "on "+say.OneLine(o.Host))
	}
	if len(parts) == 0 {
		return "a place it does not say"
	}
	return strings.Join(parts, ", ")
}
