package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// confirmState records how far the confirmation is scrolled and was read, in lines: the first line on screen, the lines
// that a page key scrolls, the lines that were on screen, and those that were not.
type confirmState struct {
	top, pageRows, seen, unseen int
}

// confirmation is the step in which the person confirms an answer before it is sent, because its agent asks for that.
// An approval with a red mark is confirmed below its request instead; see say.Enter.
type confirmation struct{ v *display }

// choiceWords returns the answer that would be confirmed in words.
func (m confirmation) choiceWords() string { return m.v.session.Ask.Summary(m.v.form.Answer()) }

// numberedChoice returns the choice with its digit, as it was among the options.
func (m confirmation) numberedChoice() string {
	q := m.v.q()
	for i, o := range q.Options {
		if q.Marked(o.ID) && i < 9 && len(q.Selected()) == 1 {
			return fmt.Sprintf("%d  %s", i+1, say.OneLine(o.Label))
		}
	}
	return m.choiceWords()
}

func (m confirmation) keyOf(a action.Name) string { return m.v.keys.KeyOf(action.PlaceConfirm, a) }

// confirmLine is one line of the confirmation step.
type confirmLine struct {
	name, text string
	style      ink.Style
	title      bool
}

// confirmSheet is the confirmation step at one width: the lines to be read, in parts between which a blank line may be,
// and the keys.
type confirmSheet struct {
	parts [][]confirmLine
	keys  [][2]string
}

// rows returns how many rows the lines and the keys take together.
func (p confirmSheet) rows() int {
	n := len(p.keys)
	for _, part := range p.parts {
		n += len(part)
	}
	return n
}

// layOut lays the confirmation out at w cells; runsIn names the place where the agent works.
func (m confirmation) layOut(w int, runsIn string) confirmSheet {
	agent, chose := say.Who(m.v.session.Origin), "You chose"
	if confirmNames(w) < 12 {
		chose = "you chose"
	}
	var title []confirmLine
	for _, l := range ink.Wrap("! Confirm: "+say.Title(m.v.session.Ask), max(w-1, 8)) {
		title = append(title, confirmLine{text: l, style: ink.Warn, title: true})
	}
	return confirmSheet{
		parts: slices.DeleteFunc([][]confirmLine{title,
			m.namedLines(w, chose, m.numberedChoice(), ink.Bold), m.factLines(w, agent, runsIn)},
			func(part []confirmLine) bool { return len(part) == 0 }),
		keys: [][2]string{
			{m.keyOf(action.Confirm), "confirm “" + m.choiceWords() + "” and send it"},
			{m.keyOf(action.Decline), "back to the options"},
			{m.keyOf(action.Cancel), say.CancelsConfirmation(m.v.session.Origin)},
		},
	}
}

// factLines returns the agent's words about the confirmation, the place where the agent works, and what happens when
// the time is up.
func (m confirmation) factLines(w int, agent, runsIn string) (lines []confirmLine) {
	says, runs, clock := agent+" says", "It runs in", "At 0:00"
	switch names := confirmNames(w); {
	case names < 12:
		says, runs, clock = "it says", "runs in", "at 0:00"
	case ink.Width(says) >= names:
		says = "It says"
	}
	if msg := strings.TrimSpace(m.v.form.Ask().ConfirmMessage); msg != "" {
		lines = m.namedLines(w, says, say.Text(msg), ink.Plain)
	}
	lines = append(lines, m.namedLines(w, runs, runsIn, ink.Plain)...)
	if !m.v.session.HasClock() {
		return lines
	}
	return append(lines, m.namedLines(w, clock, say.NothingConfirmed(m.v.session.Origin), ink.Plain)...)
}

// namedLines returns words behind a name in lines, such as a directory behind `It runs in`.
func (m confirmation) namedLines(w int, name, words string, style ink.Style) (lines []confirmLine) {
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

// stripRows returns how many rows the queue strip may have below the confirmation. The agent's place in tmux may become
// known only while the confirmation is on screen, so its rows do not count.
func (m confirmation) stripRows(w, total, strip int) int {
	return min(strip, max(total-m.layOut(panes.Measured(w), say.RunsIn(m.v.session.Origin, "", "")).rows(), 0))
}

// confirmRows holds the part of the confirmation that is on screen.
type confirmRows struct {
	at           ink.Rect
	lines        []confirmLine
	above, below int
	counts       bool // a row counts the lines above and below
	gap          bool // an empty row is before the keys
	keys         [][2]string
}

// arrange places the confirmation in r, and notes which of its lines the person has seen by that. In a small pane the
// keys that the footer shows too are left out first. If that is not enough, all lines scroll together, so that none is
// ever left out.
func (m confirmation) arrange(r ink.Rect) confirmRows {
	p := m.layOut(r.W, say.RunsIn(m.v.session.Origin, m.v.home, m.v.where))
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
	state.pageRows = max(fits-1, 1)
	end := min(state.top+fits, len(lines))
	state.seen = max(state.seen, end)
	state.unseen = max(len(lines)-state.seen, 0)
	rows.lines, rows.above, rows.below = lines[state.top:end], state.top, len(lines)-end
	return rows
}

// draw draws the lines that are on screen, the number of the others, and the keys.
func (m confirmation) draw(c ink.Canvas, rows confirmRows) {
	r, y := rows.at, rows.at.Y
	for _, l := range rows.lines {
		x := r.X
		switch {
		case !l.title:
			x += 2
			c.Put(x, y, confirmNames(r.W), ink.Plain, l.name)
			x += confirmNames(r.W)
		}
		c.Put(x, y, r.X+r.W-x, l.style, l.text)
		y++
	}
	if rows.counts {
		words := ink.Cut(m.countWords(rows.above, rows.below), r.W-1, c.Glyphs.Ellipsis)
		c.Put(r.X, y, r.W-1, ink.Plain, words)
		y++
	}
	if rows.gap {
		y++
	}
	x := r.X + 2
	for _, k := range rows.keys {
		c.Put(x, y, 3, ink.Key, k[0])
		c.Put(x+3, y, r.X+r.W-x-4, ink.Plain, ink.Cut(k[1], r.X+r.W-x-4, c.Glyphs.Ellipsis))
		y++
	}
}

// countWords returns the row that counts the lines above and below, with the key that scrolls.
func (m confirmation) countWords(above, below int) string {
	words, g, scroll := "", m.v.glyphs, action.PageUp
	if above > 0 {
		words = fmt.Sprintf(" %s %s above", g.Up, say.Count(above, "line"))
	}
	if below > 0 {
		words += fmt.Sprintf(" %s %s below", g.Down, say.Count(below, "line"))
		scroll = action.PageDown
	}
	return words + say.Keyed(" "+g.Dot+" ", m.keyOf(scroll), "")
}

// scrollBy scrolls the confirmation by n half pages.
func (m confirmation) scrollBy(n int) {
	state := &m.v.confirm
	if n%2 == 0 {
		state.top += n / 2 * max(state.pageRows, 1)
		return
	}
	state.top += n * max(state.pageRows/2, 1)
}
