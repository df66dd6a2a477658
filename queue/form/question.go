package form

import (
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Question holds one question of an ask with the reply in the making. The embedded question is changed by the person's
// settings: without notes where they are off, without a placeholder where none is wanted.
type Question struct {
	queue.Question
	rows
	shared *shared

	reply  queue.Reply
	kept   []string // hidden while they were chosen here: they keep their rows
	taken  bool     // answered; it may still be changed
	opened bool     // it was on view
	armed  bool     // Enter was pressed once with nothing marked
}

// shared holds the state that all questions of a form share.
type shared struct {
	rules      Rules
	points     bool // the face has a cursor
	neverHides bool // an approval or a confirmation
	approves   bool // see Form.Approves
	native     bool // it is a prompt of its agent's own, which the agent shows if it is told nothing
	couldNote  bool // notes are taken, if the settings do not turn them off
	showHidden bool
	touched    bool // the person pressed a key of the answer
	changed    bool // there is something worth a draft
}

// put changes a text because the person did.
func (s *shared) put(to *string, text string) {
	s.touched, s.changed = true, s.changed || *to != text
	*to = text
}

// notesTurnedOff reports whether notes would be taken if the settings did not turn them off.
func (s *shared) notesTurnedOff() bool { return s.rules.NoNotes && s.couldNote }

func newQuestion(q queue.Question, s *shared, reply queue.Reply, taken bool) *Question {
	reply = cloned(reply)
	reply.Question = q.ID
	if s.approves {
		reply.Selected = nil
	}
	made := &Question{Question: q, shared: s, reply: reply, taken: taken}
	made.lay(made.list())
	return made
}

func cloned(r queue.Reply) queue.Reply {
	r.Selected, r.Notes = slices.Clone(r.Selected), maps.Clone(r.Notes)
	if r.Notes == nil {
		r.Notes = map[string]string{}
	}
	return r
}

// Radio reports whether one answer only is taken: single, hybrid of at most one, and multi of exactly one.
func (q *Question) Radio() bool {
	return q.Question.Radio() || q.Mode == queue.ModeMulti && q.Max == 1 && q.Min == 1
}

// SubmitsAtOnce reports whether choosing an option answers with it.
func (q *Question) SubmitsAtOnce() bool { return q.SingleSubmit && q.Radio() && !q.shared.approves }

// Name returns a short name for the question, visible and on one line: its header, else the first paragraph of its
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

// Taken reports whether the question is answered, one of several.
func (q *Question) Taken() bool { return q.taken }

// Words returns the person's own words, also where they would stay behind.
func (q *Question) Words() string { return q.reply.Text }

// NoteOn returns the note on an option, the caller's as long as the person wrote none.
func (q *Question) NoteOn(id string) string { return q.reply.Notes[id] }

// Selected returns the ids that are marked, in the order of the options.
func (q *Question) Selected() []string { return slices.Clone(q.reply.Selected) }

// Marked reports whether an option is chosen.
func (q *Question) Marked(id string) bool { return slices.Contains(q.reply.Selected, id) }

// Sent returns the reply as it goes out now: in a radio the option or the words, never both; no blank notes, and while
// notes are off only the caller's own.
func (q *Question) Sent() queue.Reply {
	r := cloned(q.reply)
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

// Problems list what keeps the reply from being sent, in the words of queue.Question.Check.
func (q *Question) Problems() []queue.Problem { return q.Check(q.Sent()) }

// leavesNotes reports whether a note that the person wrote stays behind.
func (q *Question) leavesNotes() bool {
	for id, note := range q.reply.Notes {
		if o, _ := q.Option(id); q.shared.rules.NoNotes && o.Note != note && !queue.Blank(note) {
			return true
		}
	}
	return false
}

// Current returns the option under the cursor; ok is false on the row of own words, without rows, in a face that does
// not point, and where only the person marks as long as nothing is marked.
func (q *Question) Current() (o queue.Option, ok bool) {
	i, ok := q.under()
	if !ok || i == OwnWords || !q.shared.points || !q.Points() {
		return queue.Option{}, false
	}
	return q.Options[i], true
}

// OnWords reports whether the cursor is on the person's own words; in a face that does not point, whether they are the
// answer.
func (q *Question) OnWords() bool {
	if !q.shared.points {
		return q.Mode == queue.ModeText || q.Radio() && len(q.reply.Selected) == 0 && !queue.Blank(q.reply.Text)
	}
	i, ok := q.under()
	return ok && i == OwnWords
}

// Narrow shows only the options whose label or description has these words. The cursor stays on its option, else it
// goes where it started; the dot of a radio stays until the cursor is moved or EndTyping finds it out of sight.
func (q *Question) Narrow(words string) {
	if words = strings.TrimSpace(words); words != q.find {
		q.shared.touched = true
		q.find = words
		q.relist()
	}
}

// Widen shows all options again, with the cursor on what is chosen, and reports whether they were narrowed.
func (q *Question) Widen() bool {
	if q.find == "" {
		return false
	}
	q.Narrow("")
	if q.Radio() { // back to what is chosen, wherever the letters led
		q.put(q.startRow())
	}
	return true
}

// ShowHidden shows or folds the hidden options of all questions, with the cursor on its option.
func (q *Question) ShowHidden() WhyNot {
	q.shared.touched = true
	if len(q.shared.rules.Hidden[q.ID]) == 0 {
		return because(NothingIsHidden)
	}
	q.shared.showHidden = !q.shared.showHidden
	q.relist()
	return WhyNot{}
}

// ShowsHidden reports whether hidden options are shown for now.
func (q *Question) ShowsHidden() bool { return q.shared.showHidden }

// enter brings the question on view. The first time, the cursor starts on what is chosen, else on the first option
// that is recommended.
func (q *Question) enter() {
	q.armed = false
	if q.opened {
		q.relist()
		return
	}
	q.opened = true
	q.lay(q.list())
	q.put(q.startRow())
	q.followDot()
}

// list returns the indices of the rows. A hidden default has no row and stays selected.
func (q *Question) list() []int {
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

// relist lays the rows again and keeps the cursor on its option, or where it started.
func (q *Question) relist() {
	switch {
	case q.lay(q.list()):
	case q.find != "", q.Radio() && q.chosenInSight(): // a radio keeps its dot until the cursor is moved
		q.put(q.startRow())
	default:
		q.followDot() // to the option that took the place of the one under the cursor
	}
}

// startRow returns the default, else the recommended, else the first option.
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

// followDot keeps a radio's one answer on the cursor. Where only a person's own motion marks, see goTo, it puts none.
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

// chosenInSight reports whether what a radio has chosen is among the rows.
func (q *Question) chosenInSight() bool {
	return slices.ContainsFunc(q.shown, func(i int) bool {
		if i == OwnWords {
			return len(q.reply.Selected) == 0
		}
		return q.Marked(q.Options[i].ID)
	})
}
