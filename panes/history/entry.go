package history

import (
	"cmp"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

// entry holds what the list shows of one settled session. It is small, so that 100,000 of them fit in memory.
type entry struct {
	ID     string
	At     time.Time // when it was settled
	Took   time.Duration
	Ended  string // queue.Outcome.Ended; for a message to an agent sent, not sent or waiting
	Title  string // visible, on one line
	Answer string // visible, on one line
	Dir    string
	Host   string      // the agent's machine
	Remote bool        // the session is in the queue of that machine, not in this one's
	Note   bool        // the person added a note or a comment
	Detail bool        // the person asked for more detail
	Late   bool        // the answer came too late, because the agent had been answered before
	Hue    ink.Hue     // the colour of its agent
	at     trail.Place // the page of the archive that the session was read from; zero: it is not archived
}

const (
	mostAnswer  = 120 // cells of an answer that an entry keeps
	messageSent = "sent"
	messageLost = "not sent"
)

// messageWaits is the state of a message that its agent has not fetched.
const messageWaits = "waiting"

// entryOf returns the entry of a settled session, or of a message that its agent has not fetched.
func entryOf(s queue.Session, at trail.Place) entry {
	e := entry{ID: s.ID, At: s.SettledAt(), Took: s.Took(), Title: say.Title(s.Ask), Dir: s.Origin.Dir(),
		Host: s.Origin.Host, Remote: s.Origin.Remote, Hue: ink.HueOf(s.Origin), at: at}
	words := s.Summary
	switch {
	case s.Outcome == nil:
		e.Ended = messageWaits
	case !s.IsMessage():
		e.Ended, e.Note, e.Detail = s.Outcome.Ended(), annotated(s), s.Outcome.WantsDetail()
		_, e.Late = s.Untaken()
		words = func() string { return endWords(s) }
	case s.Outcome.Ended() == queue.StatusDelivered:
		e.Ended = messageSent
	default:
		e.Ended = messageLost
	}
	e.Answer = ink.Cut(words(), mostAnswer, "…")
	return e
}

// newestFirst compares two entries in the order of the archive.
func newestFirst(a, b entry) int {
	return cmp.Or(cmp.Compare(b.At.UnixMilli(), a.At.UnixMilli()), cmp.Compare(b.ID, a.ID))
}

// endWords returns the answer, or the reason if there is no answer.
func endWords(s queue.Session) string {
	o := s.Outcome
	switch {
	case o.Answered(), len(o.Answer.Replies) > 0:
		return s.Ask.Summary(o.Answer)
	case o.Ending().Elsewhere:
		return say.AnsweredThere(*o)
	case !queue.Blank(o.Reason):
		return "“" + say.OneLine(o.Reason) + "”"
	}
	return ""
}

// annotated reports whether the answer has a note or a comment of the person, and not only those that the agent put
// into the question.
func annotated(s queue.Session) bool {
	ans := s.Outcome.Annotated()
	if !queue.Blank(ans.Comment) && ans.Comment != s.Ask.Comment {
		return true
	}
	for _, q := range s.Ask.Questions {
		r, _ := ans.Reply(q.ID)
		for id, note := range r.Notes {
			if o, ok := q.Option(id); ok && note != o.Note {
				return true
			}
		}
	}
	return false
}

// The narrowest and the widest column that says how an entry ended, in cells.
const (
	leastEnded = 9
	mostEnded  = 11
)

// ended returns a word or two for the column of how the session ended.
func (e entry) ended() string {
	switch {
	case e.Late:
		return "too late"
	case e.Detail:
		return "more detail"
	}
	return queue.EndingNamed(e.Ended).Word
}

// columns holds the width of each column of an entry in cells. A column without room has width 0.
type columns struct{ ended, title, answer, dir, took int }

// columnsFor shares out w cells among the columns. The agent's column is wider if it shows machines too.
func columnsFor(w, widestDir, widestEnded int, hosts bool) columns {
	const fixed = 9 // cursor, time and the gaps around them
	share, mostDir := w/6, 18
	if hosts {
		share, mostDir = w/5, 28
	}
	col := columns{took: 5}
	switch {
	case w >= 70:
		col.ended, col.dir = min(widestEnded, mostEnded), min(max(w/10-3, 5, min(widestDir, share)), mostDir)
		// A time of five cells covers one cell of the gap before it, so the other columns get that cell.
		rest := w - 1 - fixed - (col.ended + 2) - (col.dir + 2) - col.took + 1 - 4
		col.title = min(rest*8/13, 72)
		col.answer = rest - col.title
	case w >= 50:
		rest := w - 1 - fixed - col.took - 4
		col.title = rest * 3 / 5
		col.answer = rest - col.title
	default:
		col.took = 0
		rest := w - fixed - 2
		col.title = rest * 3 / 5
		col.answer = rest - col.title
	}
	return col
}

// place returns the agent's directory, and its machine if that is another one.
func (e entry) place(here queue.Names) string {
	return say.On(e.Dir, here.Elsewhere(queue.Origin{Host: e.Host, Remote: e.Remote}))
}

// draw draws the entry into a rectangle of one row; place is the agent's directory and machine.
func (e entry) draw(c ink.Canvas, at ink.Rect, col columns, place string, cursor bool) {
	g, style := c.Glyphs, ink.Plain
	if cursor {
		c = c.CursorRow(at)
		c.Put(at.X, at.Y, 1, style, g.Cursor)
	}
	x := at.X + 2
	put := func(w int, style ink.Style, text string) {
		if w > 0 {
			c.Put(x, at.Y, w, style, ink.Cut(text, w, g.Ellipsis))
			x += w + 2
		}
	}
	mark := ""
	if e.Note {
		mark = " " + g.Note
	}
	put(5, style, e.At.Local().Format("15:04"))
	put(col.ended, e.endedStyle(style), e.ended())
	put(col.title, style, e.Title)
	answer := style
	if col.ended == 0 { // without a column of its own, the answer's column says how it ended
		answer = e.endedStyle(style)
	}
	put(col.answer, answer, ink.Cut(e.said(g, col), col.answer-ink.Width(mark), g.Ellipsis)+mark)
	put(col.dir, e.Hue.Of(style), place)
	if col.took > 0 && e.Ended != messageWaits {
		c.PutRight(at.X+at.W-1-col.took, at.Y, col.took, style, say.Took(e.Took))
	}
}

// said returns the text of the answer's column: the answer, or how the session ended if no other column says that, or a
// dash.
func (e entry) said(g ink.Glyphs, col columns) string {
	switch ending := queue.EndingNamed(e.Ended); {
	case e.Late && col.ended == 0:
		return say.AnswerTooLate(e.Answer)
	case e.Detail && col.ended == 0:
		return strings.TrimSuffix("asked for more detail: "+e.Answer, ": ")
	case ending.Elsewhere:
		return e.Answer
	case col.ended == 0 && !ending.Answered && e.Ended != messageSent:
		return ending.Word
	case e.Answer != "":
		return e.Answer
	case g.Divider == ink.ASCII.Divider:
		return "-"
	}
	return "–"
}

// endedStyle returns a style in red for a session that ended badly for the person. The colour only repeats the word in
// the column.
func (e entry) endedStyle(style ink.Style) ink.Style {
	if e.Late || queue.EndingNamed(e.Ended).Tone == queue.ToneBad || e.Ended == messageLost {
		fg, _, _ := ink.Danger.Decompose()
		return style.Foreground(fg)
	}
	return style
}
