package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Move moves the cursor by n rows and reports whether it moved. A radio's dot moves with it.
func (q *Question) Move(n int) bool { return q.goTo(q.rowAfter(n)) }

// MoveFirst moves the cursor to the first row and reports whether it moved.
func (q *Question) MoveFirst() bool { return q.goTo(0) }

// MoveLast moves the cursor to the last row and reports whether it moved.
func (q *Question) MoveLast() bool { return q.goTo(len(q.shown) - 1) }

// goTo moves the cursor to a row, or the nearest one, as the person's motion: it may mark the option there. It reports
// whether anything changed.
func (q *Question) goTo(row int) bool {
	q.shared.touched = true
	if moved := q.moveCursor(row); !moved && q.Points() {
		return false
	}
	q.armed = false
	q.shared.changed = q.shared.changed || q.Radio()
	if q.marksByMotion() && q.shared.points && !q.grants() {
		q.markUnder()
	}
	q.followDot()
	return true
}

// Unmarked reports whether nothing is marked in a question that starts without a mark: an approval, or a radio that
// starts empty.
func (q *Question) Unmarked() bool { return q.marksByMotion() && len(q.reply.Selected) == 0 }

// marksByMotion reports whether the question starts without a mark, so that the first motion of the cursor marks an
// option.
func (q *Question) marksByMotion() bool { return q.shared.approves || q.StartsEmpty && q.Radio() }

// grants reports whether the question is an approval with rows beside its decisions.
func (q *Question) grants() bool { return q.shared.approves && q.Mode == queue.ModeMulti }

// granting returns the present marks of an approval with rows, to compute other marks from them.
func (q *Question) granting() granting {
	return granting{question: q.Question, marked: q.reply.Selected}
}

// Points reports whether the cursor is on an option. It is not while a question that starts without a mark is
// unmarked.
func (q *Question) Points() bool { return !q.Unmarked() || q.grants() }

// rowAfter returns the row to which a motion by n rows leads. While the cursor is on no option, the motion starts
// outside the list.
func (q *Question) rowAfter(n int) int {
	switch {
	case q.Points():
		return q.cursor + n
	case n < 0:
		return len(q.shown) + n
	}
	return n - 1
}

// markUnder marks the option under the cursor.
func (q *Question) markUnder() {
	if i, ok := q.underCursor(); ok && i != OwnWords {
		q.reply.Selected = []string{q.Options[i].ID}
	}
}

// Digit moves to option n, counted from 1 over all options. If several options may be marked, it also marks or
// unmarks that option. sends reports that the option is the answer and has to be sent at once.
func (q *Question) Digit(n int) (sends bool, why WhyNot) {
	q.shared.touched = true
	if n < 1 || !slices.Contains(q.shown, n-1) {
		return false, WhyNot{Reason: NoSuchOption, Have: n, Of: len(q.Options)}
	}
	q.goTo(slices.Index(q.shown, n-1))
	if q.Radio() {
		return q.SubmitsAtOnce(), WhyNot{}
	}
	return q.Toggle()
}

// Toggle marks or unmarks the option under the cursor. sends reports that the option is the answer and has to be sent
// at once.
func (q *Question) Toggle() (sends bool, why WhyNot) {
	q.shared.touched = true
	o, ok := q.Current()
	switch {
	case !ok && q.OnWords():
		return false, because(OnOwnWords)
	case !ok:
		return false, because(NothingHere)
	case q.SubmitsAtOnce():
		return true, WhyNot{}
	case q.Radio() && !q.grants():
		return false, because(FollowsCursor)
	case q.Marked(o.ID):
		return false, q.Unmark(o.ID)
	}
	return false, q.Mark(o.ID)
}

// checkFull refuses another mark if the maximum is marked already. With a maximum of one, a new mark replaces the
// other.
func (q *Question) checkFull() WhyNot {
	if n := len(q.reply.Selected); q.Max != 1 && n >= q.Max {
		return WhyNot{Reason: Full, Have: n, Most: q.Max}
	}
	return WhyNot{}
}

// Mark marks an option. A mark beyond the maximum is refused with the count. With a maximum of one, the new mark
// replaces the other, and a radio's cursor moves to it.
func (q *Question) Mark(id string) WhyNot {
	q.shared.touched = true
	at := slices.IndexFunc(q.Options, func(o queue.Option) bool { return o.ID == id })
	switch {
	case q.Mode == queue.ModeText:
		return because(WordsOnly)
	case at < 0:
		return WhyNot{Reason: NoSuchOption, Of: len(q.Options)}
	case q.Radio():
		return q.moveDot(at)
	case q.Marked(id):
		return WhyNot{}
	case q.grants():
		q.setMarks(q.granting().withMark(id))
		return WhyNot{}
	case q.Max == 1:
		q.setMarks([]string{id})
		return WhyNot{}
	}
	why := q.checkFull()
	if why.OK() {
		q.setMarks(append(q.Selected(), id))
	}
	return why
}

// moveDot moves a radio's dot, and its cursor, to an option.
func (q *Question) moveDot(at int) WhyNot {
	row := slices.Index(q.shown, at)
	if row < 0 && q.shared.points {
		return WhyNot{Reason: OptionHidden, Have: at + 1}
	}
	if q.moveCursor(row); !q.Marked(q.Options[at].ID) {
		q.setMarks([]string{q.Options[at].ID})
	}
	return WhyNot{}
}

// Unmark removes an option's mark. It is refused for a radio in a frontend that points, where the dot stays on the
// cursor.
func (q *Question) Unmark(id string) WhyNot {
	q.shared.touched = true
	if q.Radio() && q.shared.points {
		return because(FollowsCursor)
	}
	switch {
	case q.Marked(id) && q.grants():
		q.setMarks(q.granting().withoutMark(id))
	case q.Marked(id):
		q.setMarks(slices.DeleteFunc(q.Selected(), func(marked string) bool { return marked == id }))
	}
	return WhyNot{}
}

// Choose marks exactly the options with these numbers, counted from 1 over all options.
func (q *Question) Choose(numbers ...int) WhyNot {
	q.shared.touched = true
	if q.Mode == queue.ModeText {
		return because(WordsOnly)
	}
	var ids []string
	for _, n := range slices.Sorted(slices.Values(numbers)) {
		if why := q.checkNumber(n); !why.OK() {
			return why
		}
		if id := q.Options[n-1].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > q.Max {
		return q.countReason(TooMany, len(ids))
	}
	if q.grants() {
		marked, why := q.granting().exactMarks(ids)
		if why.OK() {
			q.setMarks(marked)
		}
		return why
	}
	if q.Radio() && len(ids) == 1 {
		q.setMarks(nil)
		return q.Mark(ids[0])
	}
	q.setMarks(ids)
	return WhyNot{}
}

// checkNumber refuses the number of an option that does not exist or has no row. Numbers count from 1 over all
// options.
func (q *Question) checkNumber(n int) WhyNot {
	switch {
	case n < 1 || n > len(q.Options):
		return WhyNot{Reason: NoSuchOption, Have: n, Of: len(q.Options)}
	case q.Folded(q.Options[n-1].ID):
		return WhyNot{Reason: OptionHidden, Have: n}
	}
	return WhyNot{}
}

// Select marks exactly these ids without checking them. It is for an answer that arrives complete and that
// queue.Ask.Accept then checks as a whole.
func (q *Question) Select(ids ...string) {
	q.shared.touched = true
	q.reply.Selected, q.armed, q.shared.changed = slices.Clone(ids), false, true
}

// Recommend marks the recommended options among the rows, beside those already marked. With a maximum of one, it
// replaces the mark.
func (q *Question) Recommend() WhyNot {
	q.shared.touched = true
	ids, why := q.recommendedIDs()
	switch {
	case !why.OK():
		return why
	case q.Radio():
		return q.Mark(ids[0])
	}
	q.setMarks(ids)
	return WhyNot{}
}

// recommendedIDs returns the ids that Recommend would mark.
func (q *Question) recommendedIDs() ([]string, WhyNot) {
	ids := q.shownIDs(func(o queue.Option) bool { return o.Recommended })
	switch {
	case len(ids) == 0:
		return nil, because(NothingRecommended)
	case q.Radio():
		return ids, WhyNot{}
	case len(ids) > q.Max:
		return nil, WhyNot{Reason: TooManyRecommended, Have: len(ids), Most: q.Max}
	case q.Max > 1:
		ids = q.withMarked(ids)
	}
	if len(ids) > q.Max {
		return nil, q.countReason(TooMany, len(ids))
	}
	return ids, WhyNot{}
}

// withMarked adds the options that are already marked.
func (q *Question) withMarked(ids []string) []string {
	return append(slices.DeleteFunc(q.Selected(), func(id string) bool { return slices.Contains(ids, id) }), ids...)
}

// All marks all options among the rows, or unmarks them if all are marked. The marks of options without a row stay.
func (q *Question) All() WhyNot {
	q.shared.touched = true
	all, why := q.allIDs()
	if why.OK() {
		q.setMarks(all)
	}
	return why
}

// allIDs returns the ids that All would leave marked.
func (q *Question) allIDs() ([]string, WhyNot) {
	if q.Radio() || q.Mode == queue.ModeText || q.grants() {
		return nil, because(OneAnswerOnly)
	}
	ids := q.shownIDs(nil)
	if q.AllMarked() {
		ids = nil
	}
	all := q.withUnseen(ids)
	if len(all) > q.Max {
		return nil, q.countReason(TooMany, len(all))
	}
	return all, WhyNot{}
}

// AllMarked reports whether all options among the rows are marked.
func (q *Question) AllMarked() bool {
	ids := q.shownIDs(nil)
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !q.Marked(id) })
}

// Write sets the person's own words. In a radio, words that are not blank become the answer.
func (q *Question) Write(words string) {
	q.shared.setText(&q.reply.Text, words)
	if q.Radio() && q.TakesText() && !queue.Blank(words) {
		q.toWords()
		q.reply.Selected = nil
	}
}

// toWords moves the cursor, and a radio's dot, to the row of own words, which is the last.
func (q *Question) toWords() {
	q.moveCursor(len(q.shown) - 1)
	q.followDot()
}

// Note sets the note on an option; an empty text removes it.
func (q *Question) Note(id, text string) {
	note := q.reply.Notes[id]
	q.shared.setText(&note, text)
	q.reply.Notes[id] = note
}

// acceptsNotes returns the reason if the question accepts no notes. Begin checks it before a note is typed; Note does
// not.
func (q *Question) acceptsNotes() WhyNot {
	switch {
	case q.Annotate:
		return WhyNot{}
	case q.shared.notesTurnedOff():
		return because(NotesOffInSettings)
	}
	return because(NotesOff)
}

// setMarks marks exactly these ids, in the order of the options.
func (q *Question) setMarks(ids []string) {
	q.reply.Selected = nil
	for _, o := range q.Options {
		if slices.Contains(ids, o.ID) {
			q.reply.Selected = append(q.reply.Selected, o.ID)
		}
	}
	q.armed, q.shared.changed = false, true
}

// shownIDs returns the ids of the options that have a row and for which fits returns true. A nil fits accepts all.
func (q *Question) shownIDs(fits func(queue.Option) bool) []string {
	var ids []string
	for _, i := range q.shown {
		if i != OwnWords && (fits == nil || fits(q.Options[i])) {
			ids = append(ids, q.Options[i].ID)
		}
	}
	return ids
}

// withUnseen adds the marked options that have no row: a hidden default stays selected.
func (q *Question) withUnseen(ids []string) []string {
	rows := q.shownIDs(nil)
	unseen := slices.DeleteFunc(q.Selected(), func(id string) bool { return slices.Contains(rows, id) })
	return append(ids, unseen...)
}

// countReason returns a reason about the number of marked options, with the numbers that are allowed.
func (q *Question) countReason(r Reason, have int) WhyNot {
	return WhyNot{Reason: r, Have: have, Least: q.Min, Most: q.Max, Of: len(q.Options)}
}
