package question

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// review lists the answers of several questions before they are sent.
type review struct{ v *display }

// reviewLine is one line of the review: of question i, or of the comment if i is negative.
type reviewLine struct {
	i                int
	key, name, words string
	note             string // the note at the end of the row; empty: there is none, or it has a row of its own
}

// wholeLines returns the review at w cells: the answers that will be sent, and the comment, each in full.
func (m review) wholeLines(w int) []reviewLine { return m.lines(w, true) }

// cutLines returns the review at w cells with each answer, and the comment, on one row.
func (m review) cutLines(w int) []reviewLine { return m.lines(w, false) }

// lines returns the wholeLines (full) or the cutLines.
func (m review) lines(w int, full bool) []reviewLine {
	room := max(w-7-m.names(w), 8)
	var lines []reviewLine
	add := func(l reviewLine, words string) {
		if !full {
			l.words = say.OneLine(words)
			lines = append(lines, l)
			return
		}
		for _, part := range ink.Wrap(say.Text(words), room) {
			l.words = part
			lines = append(lines, l)
			l.key, l.name = "", ""
		}
	}
	for i := range m.v.form.Len() {
		q := m.v.form.Question(i)
		key := ink.KeyCell(m.v.keys.KeyFor(action.PlaceReview, action.ChangeOne, i+1))
		l := reviewLine{i: i, name: form.LongName(m.v.form.Question(i)), key: key}
		words, sign, note := answerOf(q), m.v.glyphs.Note+" ", say.NotesOn(q)
		fits := note != "" && ink.Width(say.OneLine(words))+2+ink.Width(sign+note) <= room
		if !full || fits {
			l.note = note
		}
		if add(l, words); full && note != "" && !fits {
			add(reviewLine{i: i}, sign+note)
		}
	}
	if comment := m.v.form.CommentText(); !queue.Blank(comment) && !m.v.types(form.FieldComment) {
		key := m.v.keys.KeyOf(action.PlaceReview, action.Comment)
		add(reviewLine{i: -1, key: key, name: "comment"}, comment)
	}
	return lines
}

// answerOf returns the answer to a question in words.
func answerOf(q *form.Question) string {
	if !q.Taken() {
		return "not answered yet"
	}
	return q.Summary(q.Sent())
}

// names returns the width of the column of names: a third of w cells, or more if the answers are short.
func (m review) names(w int) int {
	names, answers := 8, 0
	for i := range m.v.form.Len() {
		names = max(names, ink.Width(form.LongName(m.v.form.Question(i))))
		q := m.v.form.Question(i)
		answer := ink.Width(say.OneLine(answerOf(q)))
		if note := say.NotesOn(q); note != "" {
			answer += 4 + ink.Width(note)
		}
		answers = max(answers, answer)
	}
	return max(8, min(names, max(w/3, w-7-answers)))
}

// draw lists the answers, and below them the comment being typed.
func (m review) draw(c ink.Canvas, r ink.Rect) {
	typing := 0
	if m.v.types(form.FieldComment) {
		typing = min(max(m.v.field.Rows(r.W-6), 1), max(r.H-1, 1))
	}
	room, y := r.H-typing, r.Y
	lines := m.wholeLines(r.W)
	if len(lines) > room {
		lines = m.cutLines(r.W)
	}
	if len(lines) < room {
		y, room = y+1, room-1
	}
	top := m.top(lines, room)
	for n, l := range lines[top:min(top+room, len(lines))] {
		at := ink.Rect{X: r.X, Y: y, W: r.W, H: 1}
		tail := ""
		if n == 0 && top > 0 {
			tail = fmt.Sprintf(" %s %d", c.Glyphs.Up, top)
		}
		if below := len(lines) - top - room; n == room-1 && below > 0 {
			tail += fmt.Sprintf(" %s %d", c.Glyphs.Down, below)
		}
		at.W -= ink.Width(tail)
		m.drawLine(c, at, l)
		c.PutRight(r.X, y, r.W-1, ink.Plain, tail)
		y++
	}
	if typing > 0 {
		c.Put(r.X+1, y, 1, ink.Plain, m.v.keys.KeyOf(action.PlaceReview, action.Comment))
		c.Put(r.X+3, y, 1, ink.Plain, c.Glyphs.Bar)
		m.v.field.Draw(c, ink.Rect{X: r.X + 5, Y: y, W: max(r.W-6, 1), H: typing})
	}
}

// top returns the first line on screen, so that the answer under the cursor is visible, and the comment too if the
// cursor is on the last answer.
func (m review) top(lines []reviewLine, room int) int {
	last := 0
	for n, l := range lines {
		if l.i == m.v.form.Row() || l.i < 0 && m.v.form.Row() == m.v.form.Len()-1 {
			last = n
		}
	}
	return min(max(last-room+1, 0), max(len(lines)-1, 0))
}

// drawLine draws one line of the review into r.
func (m review) drawLine(c ink.Canvas, r ink.Rect, l reviewLine) {
	g, names, style := c.Glyphs, m.names(r.W), ink.Plain
	if l.i == m.v.form.Row() {
		c = c.CursorRow(r)
		if l.name != "" {
			c.Put(r.X, r.Y, 1, style, g.Cursor)
		}
	}
	c.Put(r.X+1, r.Y, 2, style, l.key)
	c.Put(r.X+4, r.Y, names, style, ink.Cut(l.name, names, g.Ellipsis))
	end := r.X + r.W - 1
	if l.note != "" {
		most := max(r.W-8-names-ink.Width(l.words), r.W/3)
		end = c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(g.Note+" "+l.note, most, g.Ellipsis)) - 1
	}
	x, words := r.X+4+names+2, style
	if l.i >= 0 {
		words = words.Bold(true)
	}
	c.Put(x, r.Y, end-x, words, ink.Cut(l.words, end-x, g.Ellipsis))
}
