package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// confirmState records how far the confirmation was read.
type confirmState struct {
	top, step, seen, unseen int // in lines
}

// confirmation is the step in which a person says once more what is to happen, before an answer is sent.
type confirmation struct{ v *view }

// choice puts the answer that would be confirmed into words.
func (m confirmation) choice() string { return m.v.session.Ask.Summary(m.v.form.Answer()) }

// numbered returns the choice with its digit, as the options showed it.
func (m confirmation) numbered() string {
	q := m.v.q()
	for i, o := range q.Options {
		if q.Marked(o.ID) && i < 9 && len(q.Selected()) == 1 {
			return fmt.Sprintf("%d  %s", i+1, say.OneLine(o.Label))
		}
	}
	return m.choice()
}

func (m confirmation) keyOf(a keys.Action) string { return m.v.keys.KeyOf(keys.PlaceConfirm, a) }

// confirmLine is one line of the confirmation step.
type confirmLine struct {
	name, text string
	style      ink.Style
	title      bool
	code       bool // without a name, a little to the right
}

// confirmSheet is the confirmation step at one width: what is read, in parts that may be set apart, and the keys.
type confirmSheet struct {
	parts [][]confirmLine
	keys  [][2]string
}

func (p confirmSheet) rows() int {
	n := len(p.keys)
	for _, part := range p.parts {
		n += len(part)
	}
	return n
}

// sheet lays the step out at w cells; runsIn is where the agent works.
func (m confirmation) sheet(w int, runsIn string) confirmSheet {
	agent, chose := say.Who(m.v.session.Origin), "You chose"
	if confirmNames(w) < 12 {
		chose = "you chose"
	}
	var title []confirmLine
	for _, l := range ink.Wrap("! Confirm: "+say.Title(m.v.session.Ask), max(w-1, 8)) {
		title = append(title, confirmLine{text: l, style: ink.Warn, title: true})
	}
	return confirmSheet{
		parts: slices.DeleteFunc([][]confirmLine{title, m.code(w), m.fact(w, chose, m.numbered(), ink.Bold),
			m.facts(w, agent, runsIn)}, func(part []confirmLine) bool { return len(part) == 0 }),
		keys: [][2]string{
			{m.keyOf(deed.Confirm), "confirm “" + m.choice() + "”, then " + m.v.glyphs.Enter + " sends it"},
			{m.keyOf(deed.Decline), "back to the options"},
			{m.keyOf(deed.Cancel), say.CancelsConfirmation(m.v.session.Origin)},
		},
	}
}

// code returns the command or the address that is to be allowed, once more. What is longer was read before.
func (m confirmation) code(w int) (lines []confirmLine) {
	a := m.v.session.Ask.Approval
	if a == nil {
		return nil
	}
	for _, p := range a.Parts {
		if p.Kind != queue.PartCommand && p.Kind != queue.PartAddress {
			continue
		}
		p, _ = p.Shown()
		for _, l := range reading.Code(p.Text, max(w-3, 8)) {
			lines = append(lines, confirmLine{text: l.String(), style: ink.Bold, code: true})
		}
	}
	return lines
}

// facts returns the agent's words about it, where it works, and what happens when the time is up.
func (m confirmation) facts(w int, agent, runsIn string) (lines []confirmLine) {
	says, runs, clock := agent+" says", "It runs in", "At 0:00"
	if confirmNames(w) < 12 {
		says, runs, clock = "it says", "runs in", "at 0:00"
	}
	if msg := strings.TrimSpace(m.v.form.Ask().ConfirmMessage); msg != "" {
		lines = m.fact(w, says, say.Text(msg), ink.Plain)
	}
	if marked := say.Marked(m.v.session.Ask.Approval); marked != "" {
		lines = append(lines, m.fact(w, "!", marked, ink.Warn)...)
	}
	lines = append(lines, m.fact(w, runs, runsIn, ink.Plain)...)
	if !m.v.session.HasClock() {
		return lines
	}
	return append(lines, m.fact(w, clock, say.NothingConfirmed(m.v.session.Origin), ink.Plain)...)
}

// fact holds words behind a name, such as a directory behind `in`.
func (m confirmation) fact(w int, name, words string, style ink.Style) (lines []confirmLine) {
	names := confirmNames(w)
	for i, l := range ink.Wrap(words, max(w-3-names, 8)) {
		if i > 0 {
			name = ""
		}
		lines = append(lines, confirmLine{name: ink.Cut(name, names-1, m.v.glyphs.Ellipsis), text: l, style: style})
	}
	return lines
}

// confirmNames returns the width of the column of names.
func confirmNames(w int) int {
	switch {
	case w < 50:
		return 10
	case w < 70:
		return 12
	}
	return 14
}

// strip returns how many rows the queue strip may have beside the confirmation step. The agent's place in tmux becomes
// known while it is on screen, so it does not count.
func (m confirmation) strip(w, total, strip int) int {
	return min(strip, max(total-m.sheet(panes.Measured(w), say.RunsIn(m.v.session.Origin, "", "")).rows(), 0))
}

// confirmRows holds the part of the confirmation that is on screen.
type confirmRows struct {
	at           ink.Rect
	lines        []confirmLine
	above, below int
	counts       bool // a row says how much is above and below
	gap          bool // an empty row before the keys
	keys         [][2]string
}

// arrange lays the confirmation out in r and notes what is seen of it by that. In a small pane the keys that the foot
// has too give way first; then the rest scrolls as one, so that nothing of it is ever left out.
func (m confirmation) arrange(r ink.Rect) confirmRows {
	p := m.sheet(r.W, say.RunsIn(m.v.session.Origin, m.v.home, m.v.where))
	if p.rows() > r.H {
		p.keys = p.keys[:1]
	}
	rows := confirmRows{at: r, keys: p.keys, gap: r.H >= p.rows()+3}
	var lines []confirmLine
	for i, part := range p.parts {
		if i > 0 && rows.gap {
			lines = append(lines, confirmLine{})
		}
		lines = append(lines, part...)
	}
	room, state := r.H-len(p.keys), &m.v.confirm
	if rows.gap {
		room--
	}
	fits := room
	if rows.counts = len(lines) > room; rows.counts {
		fits = max(room-1, 1)
	}
	state.top = min(max(state.top, 0), max(len(lines)-fits, 0))
	state.step = max(fits-1, 1)
	end := min(state.top+fits, len(lines))
	state.seen = max(state.seen, end)
	state.unseen = max(len(lines)-state.seen, 0)
	rows.lines, rows.above, rows.below = lines[state.top:end], state.top, len(lines)-end
	return rows
}

// draw draws the part of the sheet that is on screen, the counts of what is not, and the keys.
func (m confirmation) draw(c ink.Canvas, rows confirmRows) {
	r, y := rows.at, rows.at.Y
	for _, l := range rows.lines {
		x := r.X
		switch {
		case l.code:
			x += 2
		case !l.title:
			x += 2
			c.Put(x, y, confirmNames(r.W), ink.Plain, l.name)
			x += confirmNames(r.W)
		}
		c.Put(x, y, r.X+r.W-x, l.style, l.text)
		y++
	}
	if rows.counts {
		words := ink.Cut(m.counted(rows.above, rows.below), r.W-1, c.Glyphs.Ellipsis)
		c.Put(r.X, y, r.W-1, ink.Plain, words)
		y++
	}
	if rows.gap {
		y++
	}
	sign, style := m.v.glyphs.RadioOff, ink.Plain // whether the confirmation is given; Enter sends then
	if m.v.form.Confirmed() {
		sign, style = m.v.glyphs.RadioOn, ink.Good
	}
	x := r.X + 2 + c.Put(r.X+1, y, 3, style, sign)
	for _, k := range rows.keys {
		c.Put(x, y, 3, ink.Key, k[0])
		c.Put(x+3, y, r.X+r.W-x-4, ink.Plain, ink.Cut(k[1], r.X+r.W-x-4, c.Glyphs.Ellipsis))
		y++
	}
}

func (m confirmation) counted(above, below int) string {
	words, g, scroll := "", m.v.glyphs, keys.ActPageUp
	if above > 0 {
		words = fmt.Sprintf(" %s %s above", g.Up, say.Count(above, "line"))
	}
	if below > 0 {
		words += fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
		scroll = keys.ActPageDown
	}
	return words + say.Keyed(" "+g.Dot+" ", m.keyOf(scroll), "")
}

// scrollBy moves the sheet by pages or half pages; n is in half pages.
func (m confirmation) scrollBy(n int) {
	state := &m.v.confirm
	if n%2 == 0 {
		state.top += n / 2 * max(state.step, 1)
		return
	}
	state.top += n * max(state.step/2, 1)
}
