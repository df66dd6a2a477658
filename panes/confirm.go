package panes

import (
	"fmt"
	"slices"
	"strings"

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
			return fmt.Sprintf("%d  %s", i+1, line(o.Label))
		}
	}
	return f.choice()
}

// enterConfirm says what Enter does in the confirmation step: nothing, and what does.
func (f *Form) enterConfirm(g Glyphs) Plan {
	return Plan{Words: fmt.Sprintf("%s does nothing here: %s sends “%s”", g.Enter, f.confirmKey(ActConfirm), f.choice())}
}

// enterUnconfirmed plans Enter on an ask that wants a confirmation: one more step, nothing is sent yet.
func (f *Form) enterUnconfirmed(p Plan, g Glyphs) Plan {
	if p.Step != StepSend {
		return p
	}
	p.Step, p.Words = StepConfirm, g.Enter+" "+strings.TrimPrefix(p.Words, g.Enter+" send ")+", then confirm"
	return p
}

func (f *Form) confirmKey(a Action) string { return f.rules.Keys.key(PlaceConfirm, a) }

// confirmLine is one line of the confirmation step.
type confirmLine struct {
	name, text string
	style      tcellStyle
}

// confirmSheet is the confirmation step at one width, its parts in the order they stand.
type confirmSheet struct {
	title, chose, says, runs, clock []confirmLine
	keys                            [][2]string
}

func (f *Form) confirmSheet(w int, v ConfirmView) confirmSheet {
	s, agent := f.Session, Who(f.Session.Origin)
	names := confirmNames(w)
	fact := func(name, words string, style tcellStyle) []confirmLine {
		var lines []confirmLine
		for i, l := range Wrap(words, max(w-3-names, 8)) {
			if i > 0 {
				name = ""
			}
			lines = append(lines, confirmLine{Cut(name, names-1, "…"), l, style})
		}
		return lines
	}
	chose, says, runs, clock := "You chose", agent+" says", "It runs in", "At 0:00"
	if names < 12 {
		chose, says, runs, clock = "you chose", "it says", "runs in", "at 0:00"
	}
	var sheet confirmSheet
	for _, l := range Wrap("! Confirm: "+line(s.Ask.Title), max(w-1, 8)) {
		sheet.title = append(sheet.title, confirmLine{text: l, style: Danger.Bold(true)})
	}
	sheet.chose = fact(chose, f.numbered(), Bold)
	if msg := strings.TrimSpace(s.Ask.ConfirmMessage); msg != "" {
		sheet.says = fact(says, shown(msg), Plain)
	}
	sheet.runs = fact(runs, runsIn(s.Origin, v), Plain)
	if !s.Deadline.IsZero() {
		sheet.clock = fact(clock, "nothing is confirmed; "+agent+" is told the time ran out", Plain)
	}
	sheet.keys = [][2]string{
		{f.confirmKey(ActConfirm), "confirm: send “" + f.choice() + "”"},
		{f.confirmKey(ActDecline), "back to the options"},
		{f.confirmKey(ActCancel), "cancel: " + agent + " is told no"},
	}
	return sheet
}

// confirmNames is the width of the column of names.
func confirmNames(w int) int {
	if w < 50 {
		return 10
	}
	return 12
}

func (p confirmSheet) rows() int {
	return len(p.title) + len(p.chose) + len(p.says) + len(p.runs) + len(p.clock) + len(p.keys)
}

// confirmStrip is how many rows the queue strip may have beside the confirmation step.
func (f *Form) confirmStrip(w, total, strip int) int {
	return min(strip, max(total-f.confirmSheet(w, ConfirmView{}).rows(), 0))
}

// giveWay leaves out, until h rows are enough, what the foot says too, then where it runs; what the agent says is
// never left out, it scrolls.
func (p confirmSheet) giveWay(h int) confirmSheet {
	if p.rows() > h {
		p.clock = nil
	}
	if p.rows() > h {
		p.keys = p.keys[:1]
	}
	if p.rows() > h {
		p.runs = nil
	}
	if p.rows() > h {
		p.title = p.title[:1]
	}
	return p
}

// DrawConfirm draws the confirmation step into r.
func (f *Form) DrawConfirm(c Canvas, r Rect, v ConfirmView) {
	p := f.confirmSheet(r.W, v).giveWay(r.H)
	gap := 0
	if r.H >= p.rows()+3 {
		gap = 1
	}
	y := r.Y
	put := func(x int, lines []confirmLine) {
		for _, l := range lines {
			c.Put(r.X+x, y, confirmNames(r.W), Plain, l.name)
			at := x
			if x > 0 {
				at += confirmNames(r.W)
			}
			c.Put(r.X+at, y, r.W-at, l.style, l.text)
			y++
		}
	}
	put(0, p.title)
	y += gap
	put(2, p.chose)
	y += gap
	put(2, f.confirmWindow(p.says, r.H-(p.rows()-len(p.says)), c.Glyphs))
	put(2, p.runs)
	put(2, p.clock)
	y += gap
	for _, k := range p.keys {
		c.Put(r.X+3, y, 3, Bold, k[0])
		c.Put(r.X+6, y, r.W-7, Plain, Cut(k[1], r.W-7, c.Glyphs.Ellipsis))
		y++
	}
}

// confirmWindow is the part of what the agent says that is on screen, with the count of what is not.
func (f *Form) confirmWindow(says []confirmLine, rows int, g Glyphs) []confirmLine {
	if len(says) <= rows {
		f.confirmTop = 0
		return says
	}
	rows = max(rows, 1)
	f.confirmTop = min(max(f.confirmTop, 0), len(says)-rows)
	part := slices.Clone(says[f.confirmTop : f.confirmTop+rows])
	if below := len(says) - f.confirmTop - rows; below > 0 {
		last := &part[len(part)-1]
		tail := fmt.Sprintf(" %s %s", g.Down, count(below, "line"))
		last.text = Cut(last.text, max(Width(last.text)-Width(tail), 4), "…") + tail
	}
	if part[0].name == "" {
		part[0].name = says[0].name
	}
	return part
}

// ScrollConfirm moves what the agent says by lines.
func (f *Form) ScrollConfirm(n int) { f.confirmTop = max(f.confirmTop+n, 0) }

// runsIn says where the agent works, as far as that is known.
func runsIn(o queue.Origin, v ConfirmView) string {
	var parts []string
	if dir := tilde(line(o.Cwd), v.Home); dir != "" {
		if o.Branch != "" {
			dir += " (" + line(o.Branch) + ")"
		}
		parts = append(parts, dir)
	}
	switch {
	case v.Where != "":
		parts = append(parts, "tmux "+v.Where)
	case o.Pane != "":
		parts = append(parts, "tmux "+line(o.Pane))
	}
	if o.Host != "" {
		parts = append(parts, "on "+line(o.Host))
	}
	if len(parts) == 0 {
		return "a place it does not say"
	}
	return strings.Join(parts, ", ")
}

func tilde(dir, home string) string {
	if home != "" && (dir == home || strings.HasPrefix(dir, home+"/")) {
		return "~" + dir[len(home):]
	}
	return dir
}
