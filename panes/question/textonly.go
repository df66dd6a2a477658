package question

import (
	"slices"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// textKeys carry out the keys while z shows only the text (view.onlyText), in all rows that question and queue strip
// have together. Below the text every option is listed with its whole description, to be read. No option is marked
// there: a key that would mark one brings the marks back and marks nothing.
type textKeys struct{ verbs }

// over returns a table whose rows do that while only the text is on screen, and else what they did.
func (r textKeys) over(t panes.Table) panes.Table {
	t = slices.Clone(t)
	for i, row := range t {
		switch row.Action {
		case keys.ActUp:
			t[i] = r.motion(row, func(p prompt) { p.scrollTo(p.spot().scroll - 1) })
		case keys.ActDown:
			t[i] = r.motion(row, func(p prompt) { p.scrollTo(p.spot().scroll + 1) })
		case keys.ActFirst:
			t[i] = r.motion(row, func(p prompt) { p.scrollTo(0) })
		case keys.ActLast:
			t[i] = r.motion(row, func(p prompt) { p.scrollTo(1 << 20) })
		case keys.ActBack:
			t[i].Do, t[i].Word = r.scrolls(row.Do, r.leave), r.noWord(row.Word)
		case keys.ActMark, keys.ActDigit, keys.ActRecommended, keys.ActAll, keys.ActAllRec, keys.ActAllow,
			keys.ActRefuse:
			t[i] = r.covered(row)
		case keys.ActArea:
			t[i].When = func() bool { return row.When() && (r.wide() || !r.reading()) }
		case keys.ActNote, keys.ActComment, keys.ActText, keys.ActFind, keys.ActHide, keys.ActHidden, keys.ActEditor:
			t[i] = r.uncovers(row)
		}
	}
	return t
}

// reading reports whether only the text is on screen, and no line is typed over it.
func (r textKeys) reading() bool {
	v := r.view()
	return v != nil && v.onlyText() && v.form.Typing() == form.FieldNone
}

func (r textKeys) wide() bool { return r.o.Wide != nil && r.o.Wide() }

// scrolls has a key read on while only the text is on screen; else it does what it does.
func (r textKeys) scrolls(do func(string), scroll func(prompt)) func(string) {
	read := r.act(func(v *view, _ string) { scroll(prompt{v}) })
	return func(key string) {
		if r.reading() {
			read(key)
			return
		}
		do(key)
	}
}

// motion returns a row that moves the cursor; while only the text is on screen it scrolls, and marks nothing.
func (r textKeys) motion(row panes.Row, scroll func(prompt)) panes.Row {
	effect := row.Effect
	row.Do = r.scrolls(row.Do, scroll)
	row.Effect = func() desk.Effect {
		if r.reading() || effect == nil {
			return desk.Moving
		}
		return effect()
	}
	return row
}

// leave brings the options back.
func (r textKeys) leave(p prompt) {
	p.toggleFull()
	r.host.Seat().BroughtUp()
}

// noWord leaves the way back to the key that shows the text, where the foot names it.
func (r textKeys) noWord(word func(keys.Word) keys.Word) func(keys.Word) keys.Word {
	return func(w keys.Word) keys.Word {
		switch {
		case r.reading():
			return keys.Word{}
		case word == nil:
			return w
		}
		return word(w)
	}
}

// covered returns a row that marks an option. While the options are not on screen it has no effect but to bring them
// back.
func (r textKeys) covered(row panes.Row) panes.Row {
	why, refused := row.WhyNot, row.Refused
	row = r.unoffered(row)
	row.WhyNot = func(key string) string {
		switch {
		case r.reading():
			return say.OptionsCovered
		case why == nil:
			return ""
		}
		return why(key)
	}
	row.Refused = func(key, why string) {
		if refused != nil {
			refused(key, why)
		} else if v := r.view(); v != nil {
			r.no.remember(v, row.Action, key, why)
		}
		if r.reading() {
			r.view().leaveText()
			r.host.Seat().BroughtUp()
		}
	}
	return row
}

// uncovers returns a row that needs the options on screen and marks none: it brings them back first.
func (r textKeys) uncovers(row panes.Row) panes.Row {
	do := row.Do
	row = r.unoffered(row)
	row.Do = func(key string) {
		if r.reading() {
			r.view().leaveText()
		}
		do(key)
	}
	return row
}

// unoffered returns a row that the foot leaves out while only the text is on screen.
func (r textKeys) unoffered(row panes.Row) panes.Row {
	when := row.When
	row.When = func() bool { return !r.reading() && (when == nil || when()) }
	return row
}

// sheet holds the lines of that text, and says which of them are what.
type sheet struct {
	lines    []ink.Line
	from, to int // where the prompt begins and ends
	options  []sheetOption
}

// sheetOption is the lines of an option.
type sheetOption struct {
	id       string
	from, to int
}

// sheet lays out what is read at w cells. Where only the text is on screen that is the title if need be, notices and
// hints, the prompt, and every option with its description; elsewhere it is the prompt.
func (p prompt) sheet(w int, prompt []ink.Line) sheet {
	if !p.v.onlyText() {
		return sheet{lines: prompt, to: len(prompt)}
	}
	s := sheet{lines: p.above(w, len(prompt) == 0)}
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
		s.lines = append(s.lines, p.option(i, panes.Measured(w))...)
		o.to = len(s.lines)
		s.options = append(s.options, o)
	}
	return s
}

// above returns what is read above the prompt: the title if it was cut or is all there is, what is special about the
// question, and hints.
func (p prompt) above(w int, alone bool) (lines []ink.Line) {
	measured := panes.Measured(w)
	title := ink.Wrap(say.Title(p.v.session.Ask), measured-1)
	if (alone || len(title) > 1) && !form.TabsSayTitle(p.v.form) {
		for _, l := range title {
			lines = append(lines, ink.Line{{Text: l, Style: ink.Bold}})
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

// option returns the i-th option in full, at w cells: its key, label and description.
func (p prompt) option(i, w int) []ink.Line {
	const in = 3
	var lines []ink.Line
	o, margin := p.v.q().Options[i], ink.Span{Text: "   ", Style: ink.Plain}
	badge := options(p).badge(o, w)
	key := ink.KeyCell(p.v.keys.KeyFor(keys.PlaceQuestion, keys.ActDigit, i+1))
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

// readOptions notes which options were on screen in full, be it on several pages, as the lines from first up to end of
// the sheet are shown at w cells.
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
	p.v.cutTitle = p.v.cutTitle && !p.v.titleRead
}

// optionAt is an option as it is laid out at a width.
type optionAt struct {
	id string
	w  int
}

// scrollTo brings a line of the sheet to the top.
func (p prompt) scrollTo(line int) { p.spot().scroll = max(line, 0) }
