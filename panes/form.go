package panes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// Field names the text being typed in a form.
type Field int

// Fields of a form.
const (
	FieldNone    Field = iota
	FieldText          // the answer in the person's own words
	FieldNote          // a note on one option
	FieldComment       // a comment on the whole
	FieldReason        // why the question is cancelled
	FieldFind          // narrows the options
)

// textRow is the row of the person's own words among the option rows.
const textRow = -1

// Form is one session being answered: what is marked, typed and scrolled to. It is pure state; it knows no
// store and no clock. The zero Form is not usable, see NewForm.
type Form struct {
	Session queue.Session // Ask and Origin never change; the rest is as last seen
	Hidden  Hidden

	tabs                                                []tab // one a question; the one on screen is in the fields below
	at                                                  int   // the tab on screen; len(tabs) is the review
	confirming                                          bool
	confirmTop, confirmPage, confirmSeen, confirmUnseen int // lines of the confirmation
	reply                                               queue.Reply
	comment                                             string
	reason                                              string
	rows                                                []int // indices of the options shown, textRow last where own words are allowed
	cursor                                              int   // into rows
	showHidden                                          bool
	find                                                string

	field  Field
	noteOf string // option id of FieldNote
	editor *editor.Field

	total     int      // rows of form and strip together
	wide      int      // cells of the whole area
	editorAt  ink.Rect // where the editor was drawn
	page      int      // prompt rows a page scrolls
	cut       bool     // the option under the cursor is not shown in full
	cutTitle  bool
	scroll    int  // first line of the sheet on screen
	full      bool // the prompt takes all it can
	toOption  bool // the next frame scrolls to the option under the cursor
	frozen    frozen
	armed     bool // Enter was pressed once with nothing marked
	startOver bool // so was the key that starts over
	touched   bool // the person changed something, here or in the draft
	own       bool // see Own
	reasons   int  // which ready reason is in the line
	rules     Rules
	Note      string

	seen        int  // characters of the prompt that were on screen, see sawTo
	opened      bool // the prompt was on screen at all
	promptWidth int  // of the last frame
	inks        []int
	inkFor      inkKey
	read        map[string]bool // options all of whose text was on screen
	titleRead   bool

	laidOut map[laidKey][]ink.Line // see laid
	agents  string                 // the agent's text that typing began with, see asShown
}

// NewForm is the form before anyone touched it, or as the draft left it.
func NewForm(s queue.Session, hidden Hidden, draft *queue.Draft) *Form {
	f := &Form{Session: s, Hidden: hidden}
	start := queue.StartAnswer(s.Ask)
	if draft != nil {
		start, f.reason, f.touched = draft.Answer, draft.Reason, true
	}
	f.comment = start.Comment
	var answered []string
	if draft != nil {
		answered = draft.Answered
	}
	f.openTabs(start, answered)
	return f
}

func (f *Form) q() queue.Question {
	if len(f.Session.Ask.Questions) == 0 {
		return queue.Question{Mode: queue.ModeText}
	}
	return f.ruled(f.Session.Ask.Questions[min(max(f.at, 0), len(f.Session.Ask.Questions)-1)])
}

// Radio reports whether the dot follows the cursor: single, hybrid with max 1, and multi of exactly one.
func (f *Form) Radio() bool {
	return radio(f.q())
}

func radio(q queue.Question) bool {
	return q.Radio() || q.Mode == queue.ModeMulti && q.Max == 1 && q.Min == 1
}

// Touched reports whether the person changed anything worth a draft.
func (f *Form) Touched() bool { return f.touched }

// Own reports whether the person pressed any key of the answer in this form, a motion or a digit too: then no draft
// from elsewhere takes its place. Enter by itself is no such key: it takes what is there.
func (f *Form) Own() bool { return f.own }

// Typing is the field that keys go to, FieldNone when they are commands.
func (f *Form) Typing() Field { return f.field }

// Answer is what would be sent now: the own words stay behind in a radio whose dot is on an option.
func (f *Form) Answer() queue.Answer {
	replies := f.replies()
	for i, r := range replies {
		replies[i] = f.sent(i, r)
		for id, note := range r.Notes {
			if queue.Blank(note) {
				delete(r.Notes, id)
			}
		}
	}
	return f.withoutNotes(queue.Answer{Replies: replies, Comment: f.comment})
}

// Draft is all that was typed and marked, also what would not be sent.
func (f *Form) Draft() queue.Draft {
	d := queue.Draft{Session: f.Session.ID, Reason: f.reason, Answer: queue.Answer{Replies: f.replies(), Comment: f.comment}}
	for _, t := range f.tabs {
		if t.taken {
			d.Answered = append(d.Answered, t.reply.Question)
		}
	}
	return d
}

// Typed is everything the person wrote, one piece a line group, for copying.
func (f *Form) Typed() string {
	var parts []string
	for i, r := range f.replies() {
		parts = append(parts, r.Text)
		for _, id := range slices.Sorted(maps.Keys(r.Notes)) {
			if o, _ := f.Session.Ask.Questions[i].Option(id); o.Note != r.Notes[id] {
				parts = append(parts, r.Notes[id])
			}
		}
	}
	if f.comment != f.Session.Ask.Comment {
		parts = append(parts, f.comment)
	}
	parts = append(parts, f.reason)
	return strings.Join(slices.DeleteFunc(parts, queue.Blank), "\n\n")
}

func clone(r queue.Reply) queue.Reply {
	r.Selected, r.Notes = slices.Clone(r.Selected), maps.Clone(r.Notes)
	if r.Notes == nil {
		r.Notes = map[string]string{}
	}
	return r
}

// layRows lists the rows on screen: options neither hidden nor filtered away, then the person's own words. A
// hidden default stays selected.
func (f *Form) layRows() {
	f.rows = f.rows[:0]
	q := f.q()
	for i, o := range q.Options {
		if f.hides(o) {
			continue
		}
		if f.find != "" && !strings.Contains(strings.ToLower(o.Label+" "+o.Description), strings.ToLower(f.find)) {
			continue
		}
		f.rows = append(f.rows, i)
	}
	if q.TakesText() {
		f.rows = append(f.rows, textRow)
	}
	f.cursor = min(max(f.cursor, 0), max(len(f.rows)-1, 0))
}

// startRow is the default, else the recommended, else the first option.
func (f *Form) startRow() int {
	q := f.q()
	if f.Radio() && !queue.Blank(f.reply.Text) && len(f.reply.Selected) == 0 {
		return len(f.rows) - 1
	}
	for r, i := range f.rows {
		if i != textRow && slices.Contains(f.reply.Selected, q.Options[i].ID) {
			return r
		}
	}
	for r, i := range f.rows {
		if i != textRow && q.Options[i].Recommended {
			return r
		}
	}
	return 0
}

// current is the option under the cursor; ok is false on the text row or an empty list.
func (f *Form) current() (o queue.Option, ok bool) {
	if f.cursor >= len(f.rows) || f.rows[f.cursor] == textRow {
		return queue.Option{}, false
	}
	return f.q().Options[f.rows[f.cursor]], true
}

func (f *Form) onText() bool { return f.cursor < len(f.rows) && f.rows[f.cursor] == textRow }

// followDot keeps a radio's one selection on the cursor.
func (f *Form) followDot() {
	if !f.Radio() {
		return
	}
	f.reply.Selected = nil
	if o, ok := f.current(); ok {
		f.reply.Selected = []string{o.ID}
	}
}

func (f *Form) marked(id string) bool { return slices.Contains(f.reply.Selected, id) }

// chosen is what the dots and marks show: once somebody else has answered, their answer.
func (f *Form) chosen(id string) bool {
	if o := f.Session.Outcome; o != nil && f.at >= 0 && f.at < len(o.Answer.Replies) {
		return slices.Contains(o.Answer.Replies[f.at].Selected, id)
	}
	return f.marked(id)
}

// Move puts the cursor n rows further, and reports whether it moved.
func (f *Form) Move(n int) bool { return f.goTo(f.cursor + n) }

// Ends puts the cursor on the first or the last row, and reports whether it moved.
func (f *Form) Ends(last bool) bool {
	if last {
		return f.goTo(max(len(f.rows), len(f.tabs)) - 1)
	}
	return f.goTo(0)
}

func (f *Form) goTo(row int) bool {
	f.startOver, f.own = false, true
	if f.Reviewing() {
		row = min(max(row, 0), len(f.tabs)-1)
		moved := row != f.cursor
		f.cursor = row
		return moved
	}
	row = min(max(row, 0), max(len(f.rows)-1, 0))
	moved := row != f.cursor
	f.cursor = row
	if moved {
		f.armed, f.toOption = false, f.full
		f.touched = f.touched || f.Radio()
		f.followDot()
	}
	return moved
}

// Digit is a key 1 to 9: in single it goes there, with single-submit it answers, in multi and hybrid it marks or
// unmarks. It returns whether the answer is to be sent at once.
func (f *Form) Digit(n int) (send bool) {
	f.own = true
	row := slices.Index(f.rows, n-1)
	if row < 0 {
		f.Note = fmt.Sprintf("there is no option %d here", n)
		return false
	}
	f.goTo(row)
	if f.Radio() {
		return f.q().SingleSubmit
	}
	f.Mark()
	return false
}

// Mark marks or unmarks the option under the cursor; a mark beyond the maximum is refused with the count. In a
// radio only single-submit makes it answer at once, which it returns.
func (f *Form) Mark() (send bool) {
	f.own = true
	o, ok := f.current()
	switch {
	case !ok:
		f.Note = "there is nothing to mark here"
		if f.onText() {
			f.Note += say.Keyed(": ", f.key(keys.ActText), " types your words")
		}
		return false
	case f.Radio():
		if !f.q().SingleSubmit {
			f.Note = "the dot follows the cursor: " + f.glyphs().Enter + " " + f.verb()
		}
		return f.q().SingleSubmit
	}
	f.armed = false
	if f.marked(o.ID) {
		f.reply.Selected = slices.DeleteFunc(f.reply.Selected, func(id string) bool { return id == o.ID })
		f.touched = true
		return false
	}
	if q := f.q(); len(f.reply.Selected) >= q.Max {
		if q.Max == 1 {
			f.reply.Selected = nil
		} else {
			f.Note = fmt.Sprintf("%d of %d marked: unmark one first", len(f.reply.Selected), q.Max)
			return false
		}
	}
	f.reply.Selected = append(f.reply.Selected, o.ID)
	f.touched = true
	return false
}

// Recommended marks what the agent recommends: moves there in a radio, else sets the marks to it.
func (f *Form) Recommended() {
	f.own = true
	q := f.q()
	var ids []string
	for r, i := range f.rows {
		if i == textRow || !q.Options[i].Recommended {
			continue
		}
		if f.Radio() {
			f.goTo(r)
			return
		}
		ids = append(ids, q.Options[i].ID)
	}
	switch {
	case len(ids) == 0:
		f.Note = "nothing here is recommended"
	case len(ids) > q.Max:
		f.Note = fmt.Sprintf("%d are recommended, at most %d may be marked", len(ids), q.Max)
	default:
		f.reply.Selected, f.touched, f.armed = ids, true, false
	}
}

// All marks everything, or nothing if everything is marked.
func (f *Form) All() {
	f.own = true
	q := f.q()
	if f.Radio() || q.Mode == queue.ModeText {
		f.Note = "one answer only here" + say.Keyed(": ", f.key(keys.ActAll), " marks several")
		return
	}
	var ids []string
	for _, i := range f.rows {
		if i != textRow {
			ids = append(ids, q.Options[i].ID)
		}
	}
	all := len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !f.marked(id) })
	switch {
	case all:
		f.reply.Selected = slices.DeleteFunc(f.reply.Selected, func(id string) bool { return slices.Contains(ids, id) })
	case len(ids) > q.Max:
		f.Note = fmt.Sprintf("at most %d of %d may be marked", q.Max, len(q.Options))
		return
	default:
		f.reply.Selected = ids
	}
	f.touched, f.armed = true, false
}

// relist lays the rows anew and keeps the cursor on its option, or where it started.
func (f *Form) relist() {
	f.Thaw()
	was, ok := f.current()
	onText := f.onText()
	f.layRows()
	for r, i := range f.rows {
		if i == textRow && onText || i != textRow && ok && f.q().Options[i].ID == was.ID {
			f.cursor = r
			return
		}
	}
	if f.find != "" { // while narrowed, a radio keeps its dot until the cursor is moved
		f.cursor = f.startRow()
		return
	}
	f.followDot() // the option that took the place of the one under the cursor
}
