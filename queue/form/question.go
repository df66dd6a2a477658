package form

import (
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Question is one question of an ask with the reply so far. The person's settings change the embedded question: it
// has no Annotate while notes are off, and no placeholder if the person wants none.
type Question struct {
	queue.Question
	rows
	shared *shared

	reply  queue.Reply
	kept   []string // options that were chosen here when they were hidden: they keep their rows
	taken  bool     // answered; it may still be changed
	opened bool     // the question has been on view
	armed  bool     // Enter was pressed once with nothing marked
}

// shared holds the state that all questions of a form share.
type shared struct {
	rules      Rules
	points     bool // the frontend has a cursor
	neverHides bool // the ask is an approval or a confirmation
	approves   bool // see Form.Approves
	native     bool // the ask is the agent's own prompt, which the agent shows if it gets no answer
	couldNote  bool // the ask accepts notes, unless the settings turn them off
	showHidden bool
	touched    bool // the person pressed a key of the answer
	changed    bool // the form has content for a draft
}

// setText sets a text that the person changed.
func (s *shared) setText(to *string, text string) {
	s.touched, s.changed = true, s.changed || *to != text
	*to = text
}

// notesTurnedOff reports whether only the person's settings keep the ask from accepting notes.
func (s *shared) notesTurnedOff() bool { return s.rules.NoNotes && s.couldNote }

// newQuestion returns a question that starts with a reply. An approval starts without marks, whatever the reply says.
func newQuestion(q queue.Question, s *shared, reply queue.Reply, taken bool) *Question {
	reply = cloneReply(reply)
	reply.Question = q.ID
	if s.approves {
		reply.Selected = nil
	}
	made := &Question{Question: q, shared: s, reply: reply, taken: taken}
	made.layRows(made.listRows())
	return made
}

// cloneReply returns a copy of a reply that shares no slice or map with it and has Notes that can be written to.
func cloneReply(r queue.Reply) queue.Reply {
	r.Selected, r.Notes = slices.Clone(r.Selected), maps.Clone(r.Notes)
	if r.Notes == nil {
		r.Notes = map[string]string{}
	}
	return r
}

// Radio reports whether the question accepts only one answer: single, hybrid with max 1, and multi with min and max
// 1.
func (q *Question) Radio() bool {
	return q.Question.Radio() || q.Mode == queue.ModeMulti && q.Max == 1 && q.Min == 1
}

// SubmitsAtOnce reports whether choosing an option sends it as the answer.
func (q *Question) SubmitsAtOnce() bool { return q.SingleSubmit && q.Radio() && !q.shared.approves }

// Name returns a short name for the question, cleaned by VisibleLine: its header, else the first paragraph of its
// text, else its id. The text after that paragraph is the question's context.
func (q *Question) Name() string {
	first, _, _ := strings.Cut(strings.TrimSpace(q.Text), "\n\n")
	for _, name := range []string{q.Header, first} {
		if v, _ := queue.VisibleLine(name); v != "" {
			return v
		}
	}
	v, _ := queue.VisibleLine(q.ID)
	return v
}

// Taken reports whether this question of several is answered. The answer may still be changed.
func (q *Question) Taken() bool { return q.taken }

// Words returns the person's own words, even if they would not be sent.
func (q *Question) Words() string { return q.reply.Text }

// NoteOn returns the note on an option: the person's, or else the caller's.
func (q *Question) NoteOn(id string) string { return q.reply.Notes[id] }

// Selected returns the ids that are marked, in the order of the options.
func (q *Question) Selected() []string { return slices.Clone(q.reply.Selected) }

// Marked reports whether an option is marked.
func (q *Question) Marked(id string) bool { return slices.Contains(q.reply.Selected, id) }

// Sent returns the reply that would be sent now. A radio sends the option or the words, never both. Blank notes are
// left out, and while notes are off only the caller's own are sent.
func (q *Question) Sent() queue.Reply {
	r := cloneReply(q.reply)
	if q.Radio() && len(r.Selected) > 0 {
		r.Text = ""
	}
	for id, note := range r.Notes {
		if o, _ := q.Option(id); q.shared.rules.NoNotes {
			note = o.Note
		}
		if r.Notes[id] = note; queue.Blank(note) {
			delete(r.Notes, id)
		}
	}
	return r
}

// Problems lists the problems that keep the reply from being sent, in the words of queue.Question.Check.
func (q *Question) Problems() []queue.Problem { return q.Check(q.Sent()) }

// leavesNotes reports whether a note of the person will not be sent because notes are off.
func (q *Question) leavesNotes() bool {
	for id, note := range q.reply.Notes {
		if o, _ := q.Option(id); q.shared.rules.NoNotes && o.Note != note && !queue.Blank(note) {
			return true
		}
	}
	return false
}

// Current returns the option under the cursor. ok is false on the row of own words, without rows, in a frontend that
// does not point, and while a question that starts without a mark is unmarked.
func (q *Question) Current() (o queue.Option, ok bool) {
	i, ok := q.underCursor()
	if !ok || i == OwnWords || !q.shared.points || !q.Points() {
		return queue.Option{}, false
	}
	return q.Options[i], true
}

// OnWords reports whether the cursor is on the person's own words. In a frontend that does not point, it reports
// whether the own words are the answer.
func (q *Question) OnWords() bool {
	if !q.shared.points {
		return q.Mode == queue.ModeText || q.Radio() && len(q.reply.Selected) == 0 && !queue.Blank(q.reply.Text)
	}
	i, ok := q.underCursor()
	return ok && i == OwnWords
}

// Narrow shows only the options whose label or description contains words. The cursor stays on its option if that is
// still shown, else it goes to its starting row. A radio's dot stays until the cursor moves, or until EndTyping finds
// the dot out of sight.
func (q *Question) Narrow(words string) {
	if words = strings.TrimSpace(words); words != q.find {
		q.shared.touched = true
		q.find = words
		q.rebuildRows()
	}
}

// ShowAll shows all options again, with the cursor on the chosen one, and reports whether they were narrowed.
func (q *Question) ShowAll() bool {
	if q.find == "" {
		return false
	}
	q.Narrow("")
	if q.Radio() { // narrowing may have moved the cursor away from the chosen option
		q.moveCursor(q.startRow())
	}
	return true
}

// ShowHidden shows the hidden options of all questions, or folds them again. The cursor stays on its option.
func (q *Question) ShowHidden() WhyNot {
	q.shared.touched = true
	if len(q.shared.rules.Hidden[q.ID]) == 0 {
		return because(NothingIsHidden)
	}
	q.shared.showHidden = !q.shared.showHidden
	q.rebuildRows()
	return WhyNot{}
}

// ShowsHidden reports whether hidden options are shown for now.
func (q *Question) ShowsHidden() bool { return q.shared.showHidden }

// bringOnView brings the question on view. The first time, the cursor starts on the chosen option, else on the first
// recommended one.
func (q *Question) bringOnView() {
	q.armed = false
	if q.opened {
		q.rebuildRows()
		return
	}
	q.opened = true
	q.layRows(q.listRows())
	q.moveCursor(q.startRow())
	q.followDot()
}

// listRows returns the indices of the rows to show. A hidden default has no row and stays selected.
func (q *Question) listRows() []int {
	var list []int
	find := strings.ToLower(q.find)
	for i, o := range q.Options {
		if !q.Folded(o.ID) && strings.Contains(strings.ToLower(o.Label+" "+o.Description), find) {
			list = append(list, i)
		}
	}
	if q.TakesText() {
		list = append(list, OwnWords)
	}
	return list
}

// rebuildRows rebuilds the rows and keeps the cursor on its option, or moves it to its starting row.
func (q *Question) rebuildRows() {
	kept := q.layRows(q.listRows())
	switch {
	case kept:
	case q.find != "", q.Radio() && q.chosenInSight(): // a radio keeps its dot until the cursor is moved
		q.moveCursor(q.startRow())
	default:
		q.followDot() // to the option that took the place of the one under the cursor
	}
}

// startRow returns the row of the present answer, else of the first recommended option, else the first row.
func (q *Question) startRow() int {
	if q.Radio() && q.TakesText() && !queue.Blank(q.reply.Text) && len(q.reply.Selected) == 0 {
		return len(q.shown) - 1
	}
	for row, i := range q.shown {
		if i != OwnWords && q.Marked(q.Options[i].ID) {
			return row
		}
	}
	for row, i := range q.shown {
		if i != OwnWords && q.Options[i].Recommended {
			return row
		}
	}
	return 0
}

// followDot moves a radio's dot to the cursor. It does nothing in a question where only a motion of the person sets
// the first mark; see goTo.
func (q *Question) followDot() {
	if !q.Radio() || !q.shared.points || q.shared.approves || q.Unmarked() {
		return
	}
	o, ok := q.Current()
	q.reply.Selected = nil
	if ok {
		q.reply.Selected = []string{o.ID}
	}
}

// chosenInSight reports whether the answer of a radio has a row.
func (q *Question) chosenInSight() bool {
	return slices.ContainsFunc(q.shown, func(i int) bool {
		if i == OwnWords {
			return len(q.reply.Selected) == 0
		}
		return q.Marked(q.Options[i].ID)
	})
}

// OwnWords is the index in Rows that means the person's own words.
const OwnWords = -1

// rows are the rows of a question that the cursor can reach, and the cursor.
type rows struct {
	shown  []int  // indices of options; OwnWords last if the question accepts text
	cursor int    // index into shown
	find   string // text that narrows the options
}

// Rows returns the rows on screen as indices of options, without folded and narrowed ones, then OwnWords if the
// question accepts text. The caller must not change the slice.
func (r *rows) Rows() []int { return r.shown }

// OptionRows returns the number of rows that are options.
func (r *rows) OptionRows() int {
	if slices.Contains(r.shown, OwnWords) {
		return len(r.shown) - 1
	}
	return len(r.shown)
}

// Cursor returns the index of the row under the cursor. It is not meaningful without rows.
func (r *rows) Cursor() int { return r.cursor }

// Narrowed returns the text that narrows the options; it is empty if all are shown.
func (r *rows) Narrowed() string { return r.find }

// underCursor returns the option under the cursor, or OwnWords. ok is false if there are no rows.
func (r *rows) underCursor() (i int, ok bool) {
	if r.cursor >= len(r.shown) {
		return 0, false
	}
	return r.shown[r.cursor], true
}

// moveCursor moves the cursor to a row, or the nearest one, and reports whether it moved.
func (r *rows) moveCursor(row int) bool {
	was := r.cursor
	r.cursor = min(max(row, 0), max(len(r.shown)-1, 0))
	return r.cursor != was
}

// layRows replaces the rows and keeps the cursor on its option. kept is false if that option has no row any more.
func (r *rows) layRows(shown []int) (kept bool) {
	was, on := r.underCursor()
	r.shown = shown
	at := slices.Index(shown, was)
	if kept = on && at >= 0; !kept {
		at = r.cursor
	}
	r.moveCursor(at)
	return kept
}
