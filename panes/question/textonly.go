package question

import (
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// reading reports whether the person asked for only the text (key z) and no line is typed over it. The text then has
// all rows of question and queue strip. Below it every option is listed with its whole description, only to be read. A
// key that would mark an option brings the options back and marks nothing.
func (v *display) reading() bool { return v.onlyText() && v.form.Typing() == form.FieldNone }

// bindTextOnly returns the table while only the text is on screen. Keys that otherwise move the cursor scroll the text.
func (r *Room) bindTextOnly() panes.Table {
	scroll := func(a action.Name, to func(prompt) int) action.Row {
		return action.Row{Name: a, Do: r.onView(func(v *display) { prompt{v}.scrollTo(to(prompt{v})) }),
			Effect: func(action.At) desk.Effect { return desk.Moving }}
	}
	t := panes.Table{
		scroll(action.Up, func(p prompt) int { return p.spot().scroll - 1 }),
		scroll(action.Down, func(p prompt) int { return p.spot().scroll + 1 }),
		scroll(action.First, func(prompt) int { return 0 }),
		scroll(action.Last, func(prompt) int { return 1 << 20 }),
		{Name: action.Back, Now: action.Named(r.backWord), Do: r.onView(r.toggleFull)},
	}
	for _, row := range r.table {
		if _, bound := t.Row(row.Name); !bound {
			t = append(t, row)
		}
	}
	return t
}

// sheet holds the lines of the text that can be scrolled, and says which of them belong to the prompt and to each
// option.
type sheet struct {
	lines    []ink.Line
	from, to int // where the prompt begins and ends
	options  []sheetOption
}

// sheetOption says where an option begins and ends in the sheet.
type sheetOption struct {
	id       string
	from, to int
}

// layOutSheet lays the text out at w cells. If only the text is on screen it has the title (if that was cut), notices
// and hints, the prompt, and every option with its description. Otherwise it is the prompt alone.
func (p prompt) layOutSheet(w int, prompt []ink.Line) sheet {
	if !p.v.onlyText() {
		return sheet{lines: prompt, to: len(prompt)}
	}
	s := sheet{lines: p.linesAbove(w, len(prompt) == 0)}
	s.from = len(s.lines)
	s.lines = append(s.lines, prompt...)
	s.to = len(s.lines)
	q := p.v.q()
	for _, i := range q.Rows() {
		if i == form.OwnWords {
			continue
		}
		if n := len(s.lines); len(s.options) == 0 && n > 0 && s.lines[n-1] != nil {
			s.lines = append(s.lines, nil)
		}
		o := sheetOption{id: q.Options[i].ID, from: len(s.lines)}
		s.lines = append(s.lines, p.optionLines(i, panes.Measured(w))...)
		o.to = len(s.lines)
		s.options = append(s.options, o)
	}
	return s
}

// linesAbove returns the lines above the prompt: the title if it was cut or if there is no prompt (alone), the notices,
// and the hints.
func (p prompt) linesAbove(w int, alone bool) (lines []ink.Line) {
	measured := panes.Measured(w)
	title := ink.Wrap(heading(p).titleWords(), measured-1)
	if (alone || len(title) > 1) && !form.TabsSayTitle(p.v.form) {
		for _, l := range title {
			lines = append(lines, ink.Line{{Text: l, Style: ink.Bold}})
		}
		if marks := heading(p).marksBeside(measured); marks != "" {
			lines[0] = append(lines[0], ink.Line{{Text: "  "}, {Text: marks, Style: markStyle(marks)}}...)
		}
	}
	for _, l := range heading(p).notices(measured) {
		lines = append(lines, ink.Line{{Text: l.text, Style: l.kind.style()}})
	}
	if len(lines) > 0 {
		lines = append(lines, nil)
	}
	for _, hint := range form.Hints(p.v.form) {
		for _, l := range ink.Wrap(say.OneLine(hint), measured-1) {
			lines = append(lines, ink.Line{{Text: l, Style: ink.Dim}})
		}
	}
	return lines
}

// optionLines returns the lines of the i-th option at w cells: its key, label and description in full.
func (p prompt) optionLines(i, w int) []ink.Line {
	const in = 3
	var lines []ink.Line
	o, margin := p.v.q().Options[i], ink.Span{Text: "   ", Style: ink.Plain}
	badge := options(p).badge(o, w)
	key := ink.KeyCell(p.v.keys.NumberOf(i + 1))
	for n, l := range ink.Wrap(say.OneLine(o.Label), max(w-in-2-badge.Width(), 8)) {
		head := margin
		if n == 0 {
			head.Text = " " + key + margin.Text[:max(in-1-ink.Width(key), 0)]
		}
		lines = append(lines, ink.Line{head, {Text: l, Style: ink.Label}})
	}
	if len(badge) > 0 && len(lines) > 0 {
		lines[0] = append(append(lines[0], ink.Span{Text: " ", Style: ink.Plain}), badge...)
	}
	for _, l := range p.v.description(o.Description, w-in-1) {
		lines = append(lines, append(ink.Line{margin}, l...))
	}
	return lines
}

// readOptions notes which options the person has read in full, now that the lines of the sheet from first up to end are
// on screen at w cells. An option may be read in several steps.
func (p prompt) readOptions(s sheet, w, first, end int) {
	for _, o := range s.options {
		key := optionAt{o.id, w}
		if seen := p.v.readTo[key]; first <= o.from+seen && end > o.from+seen {
			p.v.readTo[key] = min(end, o.to) - o.from
		}
		if p.v.readTo[key] == o.to-o.from {
			p.v.read[o.id] = true
		}
	}
	if o, ok := p.v.q().Current(); ok && p.v.read[o.ID] {
		p.v.cut = false
	}
	p.v.unreadTitle = p.v.unreadTitle && !p.v.titleRead
}

// optionAt identifies an option that is laid out at a width.
type optionAt struct {
	id string
	w  int
}

// scrollTo scrolls so that a line of the sheet is the first on screen.
func (p prompt) scrollTo(line int) { p.spot().scroll = max(line, 0) }

// textOnly and textBack are the words behind the key that shows only the text, and brings the options back.
const textOnly, textBack = "text", "back"
