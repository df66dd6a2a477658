package panes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// indent is the column where labels and their details begin.
func indent(g ink.Glyphs) int { return 4 + ink.Width(g.RadioOn) }

func (f *Form) indent() int { return indent(f.glyphs()) }

// rowPart says what one line of the option block shows.
type rowPart int

const (
	partLabel rowPart = iota
	partMore          // the label goes on
	partDescription
	partNote
	partText // the person's own words
	partEditor
)

// optionLine is one screen line of the option block.
type optionLine struct {
	row  int // index into Form.rows
	part rowPart
	text string
	nth  int // line within its part

	styled ink.Line // instead of text, for a description
	noted  bool     // a note on it is folded away
}

// more says at the end of the line that there is more.
func (l optionLine) more(w int, ellipsis string) optionLine {
	w -= ink.Width(ellipsis)
	if l.styled != nil {
		l.styled = append(slices.Clip(l.styled.Cut(w, "")), ink.Span{Text: ellipsis, Style: ink.Plain})
		return l
	}
	l.text = ink.Cut(l.text, w, "") + ellipsis
	return l
}

// optionLines lays the option block out at w cells: labels and details in full, or one line each when folded.
func (f *Form) optionLines(w int, t Fit) []optionLine {
	var lines []optionLine
	room := max(w-f.indent()-1, 8)
	for row, i := range f.rows {
		if i == textRow {
			lines = append(lines, f.textLines(row, w)...)
			continue
		}
		o := f.q().Options[i]
		if t.folded() {
			lines = append(lines, optionLine{row: row, text: say.OneLine(o.Label),
				noted: row != f.cursor && !queue.Blank(f.reply.Notes[o.ID])})
			continue
		}
		labelRoom := room
		if badge := f.badge(o, w, f.glyphs()); badge != "" {
			labelRoom = max(room-ink.Width(badge)-1, 8)
		}
		for n, l := range ink.Wrap(say.OneLine(o.Label), labelRoom) {
			part := partLabel
			if n > 0 {
				part = partMore
			}
			lines = append(lines, optionLine{row: row, part: part, text: l, nth: n})
		}
		lines = append(lines, f.details(row, o, room)...)
	}
	return lines
}

// details are an option's description and note, or the note being typed.
func (f *Form) details(row int, o queue.Option, room int) []optionLine {
	var lines []optionLine
	if o.Description != "" {
		for n, l := range f.description(o.Description, room) {
			lines = append(lines, optionLine{row: row, part: partDescription, styled: l, nth: n})
		}
	}
	if f.field == FieldNote && f.noteOf == o.ID {
		for n := range min(f.editor.Rows(room-2), 8) {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
		return lines
	}
	if note := f.reply.Notes[o.ID]; !queue.Blank(note) {
		for n, l := range ink.Wrap(say.Text(note), room-2) {
			lines = append(lines, optionLine{row: row, part: partNote, text: l, nth: n})
		}
	}
	return lines
}

// textLines are the row of the person's own words.
func (f *Form) textLines(row, w int) []optionLine {
	room := max(w-f.indent()-1, 8)
	var lines []optionLine
	switch {
	case f.field == FieldText:
		for n := range min(max(f.editor.Rows(room), 1), f.mostText()) {
			lines = append(lines, optionLine{row: row, part: partEditor, nth: n})
		}
	case queue.Blank(f.reply.Text):
		lines = append(lines, optionLine{row: row, part: partText, text: f.textInvitation()})
	default:
		all := ink.Wrap(say.Text(f.reply.Text), room)
		most := f.mostText()
		for n, l := range all[:min(len(all), most)] {
			if rest := len(all) - most; rest > 0 && n == most-1 {
				l = fmt.Sprintf("%s %s", f.glyphs().Down, say.Count(rest+1, "line"))
			}
			lines = append(lines, optionLine{row: row, part: partText, text: l, nth: n})
		}
	}
	return lines
}

// mostText is how many rows the person's own words take: half of a large pane.
func (f *Form) mostText() int { return max(f.total/2, 10) }

func (f *Form) textInvitation() string {
	q := f.q()
	switch {
	case q.Placeholder != "":
		return say.OneLine(q.Placeholder)
	case q.Mode == queue.ModeHybrid && !f.Radio():
		return "your own words as well"
	}
	return "your own words"
}

// badge is what stands at the end of an option's row: that it is recommended, in words where there is room, and that
// it is one of the hidden ones. Empty: neither.
func (f *Form) badge(o queue.Option, w int, g ink.Glyphs) string {
	words := ""
	if f.IsHidden(o.ID) {
		words = "hidden"
	}
	if o.Recommended {
		star := g.Star
		if w >= 58 {
			star = g.StarWord
		}
		words = strings.TrimSpace(words + " " + star)
	}
	return words
}

// detailRows is the height of the detail block, the same for every option so that nothing jumps.
func (f *Form) detailRows(w int) int {
	most := 0
	for row, i := range f.rows {
		if i != textRow {
			most = max(most, len(f.detail(row, w)))
		}
	}
	return most
}

// detail is the folded text of one option: what does not fit its row, at most three lines.
func (f *Form) detail(row, w int) []optionLine {
	lines, _ := f.detailOf(row, w, mostDetail)
	return lines
}

// detailOf is the same in at most so many lines, and whether that leaves some out.
func (f *Form) detailOf(row, w, most int) (lines []optionLine, cut bool) {
	o := f.q().Options[f.rows[row]]
	room := max(w-f.indent()-1, 8)
	lines = f.details(row, o, room+1)
	beside := ink.Width(f.badge(o, w, f.glyphs())) + 1 + 2*noteWidth(f.reply.Notes[o.ID])
	if label := say.OneLine(o.Label); ink.Width(label) > room-beside {
		for n, l := range ink.Wrap(label, room) {
			lines = append(lines[:n:n], append([]optionLine{{row: row, part: partMore, text: l, nth: n}}, lines[n:]...)...)
		}
	}
	if len(lines) <= most {
		return lines, false
	}
	if lines[len(lines)-1].part == partEditor { // what is being typed stays in sight, and nothing half beside it
		typed := slices.DeleteFunc(lines, func(l optionLine) bool { return l.part != partEditor })
		return typed[max(len(typed)-most, 0):], false
	}
	if most <= 0 {
		return nil, true
	}
	lines[most-1] = lines[most-1].more(room, f.glyphs().Ellipsis)
	return lines[:most], true
}

// noteWidth is 1 where an option has a note.
func noteWidth(note string) int {
	if queue.Blank(note) {
		return 0
	}
	return 1
}
