package panes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// reviewLine is one line of the review: of question i, or of the comment where i is negative.
type reviewLine struct {
	i                int
	key, name, words string
	note             string // at the end of the row, where the note has none of its own
}

// reviewLines are the answers before they are sent, and the comment, at w cells: in full, or a row each.
func (f *Form) reviewLines(w int, full bool) []reviewLine {
	g, names := f.glyphs(), f.reviewNames(w)
	room := max(w-7-names, 8)
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
	for i, t := range f.tabs {
		key := keyCell(f.rules.Keys.KeyFor(keys.PlaceReview, keys.ActChangeOne, i+1))
		l := reviewLine{i: i, name: f.tabName(i), key: key}
		q := f.Session.Ask.Questions[i]
		words := "not answered yet"
		if t.taken {
			words = q.Summary(f.sent(i, t.reply))
		}
		note := notesOf(q, t.reply)
		fits := note != "" && ink.Width(say.OneLine(words))+2+ink.Width(g.Note+" "+note) <= room
		if !full || fits {
			l.note = note
		}
		if add(l, words); full && note != "" && !fits {
			add(reviewLine{i: i}, g.Note+" "+note)
		}
	}
	if !queue.Blank(f.comment) && f.field != FieldComment {
		add(reviewLine{i: -1, key: f.rules.Keys.KeyOf(keys.PlaceReview, keys.ActComment), name: "comment"}, f.comment)
	}
	return lines
}

// reviewNames is the width of the column of names.
func (f *Form) reviewNames(w int) int {
	names := 8
	for i := range f.tabs {
		names = max(names, min(ink.Width(f.tabName(i)), w/3))
	}
	return names
}

// drawReview lists the answers before they are sent.
func (f *Form) drawReview(c ink.Canvas, r ink.Rect) {
	typing := 0
	if f.field == FieldComment {
		typing = min(max(f.editor.Rows(r.W-6), 1), max(r.H-1, 1))
	}
	room, y := r.H-typing, r.Y
	lines := f.reviewLines(r.W, true)
	if len(lines) > room {
		lines = f.reviewLines(r.W, false)
	}
	if len(lines) < room {
		y, room = y+1, room-1
	}
	top := f.reviewTop(lines, room)
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
		f.drawReviewLine(c, at, l)
		c.PutRight(r.X, y, r.W-1, ink.Plain, tail)
		y++
	}
	if typing > 0 {
		c.Put(r.X+1, y, 1, ink.Plain, f.rules.Keys.KeyOf(keys.PlaceReview, keys.ActComment))
		c.Put(r.X+3, y, 1, ink.Plain, c.Glyphs.Bar)
		f.editor.Draw(c, ink.Rect{X: r.X + 5, Y: y, W: max(r.W-6, 1), H: typing})
	}
}

// reviewTop is the first line on screen, so that the answer under the cursor is seen, and the comment behind the last.
func (f *Form) reviewTop(lines []reviewLine, room int) int {
	last := 0
	for n, l := range lines {
		if l.i == f.cursor || l.i < 0 && f.cursor == len(f.tabs)-1 {
			last = n
		}
	}
	return min(max(last-room+1, 0), max(len(lines)-1, 0))
}

func (f *Form) drawReviewLine(c ink.Canvas, r ink.Rect, l reviewLine) {
	g, names, style := c.Glyphs, f.reviewNames(r.W), ink.Plain
	if l.i == f.cursor {
		style = style.Reverse(true)
		c.Fill(r, style)
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
	x := r.X + 4 + names + 2
	c.Put(x, r.Y, end-x, style, ink.Cut(l.words, end-x, g.Ellipsis))
}

// sent is a reply as it goes out: in a radio the option or the words, never both.
func (f *Form) sent(i int, r queue.Reply) queue.Reply {
	q := f.Session.Ask.Questions[i]
	if radio(q) && len(r.Selected) > 0 {
		r.Text = ""
	}
	return r
}

// notesOf are the notes on a question's options, one behind the other; one on an option that is not chosen names it.
func notesOf(q queue.Question, r queue.Reply) string {
	var notes []string
	for _, o := range q.Options {
		n := r.Notes[o.ID]
		switch {
		case queue.Blank(n):
		case slices.Contains(r.Selected, o.ID):
			notes = append(notes, say.OneLine(n))
		default:
			notes = append(notes, "on "+say.OneLine(o.Label)+": "+say.OneLine(n))
		}
	}
	return strings.Join(notes, "; ")
}
