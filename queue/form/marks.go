package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Move puts the cursor n rows further, and reports whether it moved. The dot of a radio moves along.
func (q *Question) Move(n int) bool { return q.goTo(q.step(n)) }

// Ends puts the cursor on the first or the last row, and reports whether it moved.
func (q *Question) Ends(last bool) bool {
	if last {
		return q.goTo(len(q.shown) - 1)
	}
	return q.goTo(0)
}

func (q *Question) goTo(row int) bool {
	q.shared.touched = true
	if moved := q.put(row); !moved && q.Points() {
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

// Unmarked reports whether nothing is marked of what only the person marks: an approval, or a radio that starts empty.
func (q *Question) Unmarked() bool { return q.marksByMotion() && len(q.reply.Selected) == 0 }

// marksByMotion reports whether nothing is marked before the person moves.
func (q *Question) marksByMotion() bool { return q.shared.approves || q.StartsEmpty && q.Radio() }

// grants reports whether an approval has rows beside its decisions.
func (q *Question) grants() bool { return q.shared.approves && q.Mode == queue.ModeMulti }

func (q *Question) granting() granting {
	return granting{question: q.Question, marked: q.reply.Selected}
}

// Points reports whether an option is under the cursor: where only the person puts the one mark none is before that.
func (q *Question) Points() bool { return !q.Unmarked() || q.grants() }

// step returns the row that a motion by n rows leads to. With nothing marked, it counts from outside the list.
func (q *Question) step(n int) int {
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
	if i, ok := q.under(); ok && i != OwnWords {
		q.reply.Selected = []string{q.Options[i].ID}
	}
}

// Digit goes to the option of this number, counted over all options; where several may be marked it marks or unmarks
// it. sends: the option is the answer, to be sent at once.
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

// Toggle marks or unmarks the option under the cursor. sends: the option is the answer, to be sent at once.
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

// full says that as many options as may be marked are. Where it is one, another takes its place.
func (q *Question) full() WhyNot {
	if n := len(q.reply.Selected); q.Max != 1 && n >= q.Max {
		return WhyNot{Reason: Full, Have: n, Most: q.Max}
	}
	return WhyNot{}
}

// Mark marks an option; a mark beyond the maximum is refused with the count. Where one only is taken it takes the
// place of the other, and a radio's cursor goes there.
func (q *Question) Mark(id string) WhyNot {
	q.shared.touched = true
	at := slices.IndexFunc(q.Options, func(o queue.Option) bool { return o.ID == id })
	switch {
	case q.Mode == queue.ModeText:
		return because(WordsOnly)
	case at < 0:
		return WhyNot{Reason: NoSuchOption, Of: len(q.Options)}
	case q.Radio():
		return q.dot(at)
	case q.Marked(id):
		return WhyNot{}
	case q.grants():
		q.set(q.granting().with(id))
		return WhyNot{}
	case q.Max == 1:
		q.set([]string{id})
		return WhyNot{}
	}
	why := q.full()
	if why.OK() {
		q.set(append(q.Selected(), id))
	}
	return why
}

// dot puts a radio's dot on an option, and the cursor with it.
func (q *Question) dot(at int) WhyNot {
	row := slices.Index(q.shown, at)
	if row < 0 && q.shared.points {
		return WhyNot{Reason: OptionHidden, Have: at + 1}
	}
	if q.put(row); !q.Marked(q.Options[at].ID) {
		q.set([]string{q.Options[at].ID})
	}
	return WhyNot{}
}

// Unmark takes an option's mark away. In a face that points a radio's dot stays where the cursor is.
func (q *Question) Unmark(id string) WhyNot {
	q.shared.touched = true
	if q.Radio() && q.shared.points {
		return because(FollowsCursor)
	}
	switch {
	case q.Marked(id) && q.grants():
		q.set(q.granting().without(id))
	case q.Marked(id):
		q.set(slices.DeleteFunc(q.Selected(), func(marked string) bool { return marked == id }))
	}
	return WhyNot{}
}

// Choose marks exactly the options of these numbers, counted from 1 over all options.
func (q *Question) Choose(numbers ...int) WhyNot {
	q.shared.touched = true
	if q.Mode == queue.ModeText {
		return because(WordsOnly)
	}
	var ids []string
	for _, n := range slices.Sorted(slices.Values(numbers)) {
		if why := q.choosable(n); !why.OK() {
			return why
		}
		if id := q.Options[n-1].ID; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) > q.Max {
		return q.counted(TooMany, len(ids))
	}
	if q.grants() {
		marked, why := q.granting().exactly(ids)
		if why.OK() {
			q.set(marked)
		}
		return why
	}
	if q.Radio() && len(ids) == 1 {
		q.set(nil)
		return q.Mark(ids[0])
	}
	q.set(ids)
	return WhyNot{}
}

// choosable says why the option of this number, counted from 1 over all options, is not there to be chosen.
func (q *Question) choosable(n int) WhyNot {
	switch {
	case n < 1 || n > len(q.Options):
		return WhyNot{Reason: NoSuchOption, Have: n, Of: len(q.Options)}
	case q.Folded(q.Options[n-1].ID):
		return WhyNot{Reason: OptionHidden, Have: n}
	}
	return WhyNot{}
}

// Select marks exactly these ids, known or not. It is for an answer that comes as a whole, which queue.Ask.Accept
// judges as a whole.
func (q *Question) Select(ids ...string) {
	q.shared.touched = true
	q.reply.Selected, q.armed, q.shared.changed = slices.Clone(ids), false, true
}

// Recommend marks what the agent recommends among the rows, beside what is marked already; where one only is taken it
// takes the place of the other.
func (q *Question) Recommend() WhyNot {
	q.shared.touched = true
	ids, why := q.recommended()
	switch {
	case !why.OK():
		return why
	case q.Radio():
		return q.Mark(ids[0])
	}
	q.set(ids)
	return WhyNot{}
}

// recommended returns the ids that Recommend would mark.
func (q *Question) recommended() ([]string, WhyNot) {
	ids := q.among(func(o queue.Option) bool { return o.Recommended })
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
		return nil, q.counted(TooMany, len(ids))
	}
	return ids, WhyNot{}
}

// withMarked adds the options that are marked already.
func (q *Question) withMarked(ids []string) []string {
	return append(slices.DeleteFunc(q.Selected(), func(id string) bool { return slices.Contains(ids, id) }), ids...)
}

// All marks all options among the rows, or unmarks them if all are marked. Marks that nobody sees stay.
func (q *Question) All() WhyNot {
	q.shared.touched = true
	all, why := q.all()
	if why.OK() {
		q.set(all)
	}
	return why
}

// all returns the ids that All would leave marked.
func (q *Question) all() ([]string, WhyNot) {
	if q.Radio() || q.Mode == queue.ModeText || q.grants() {
		return nil, because(OneAnswerOnly)
	}
	ids := q.among(nil)
	if q.AllMarked() {
		ids = nil
	}
	all := q.withUnseen(ids)
	if len(all) > q.Max {
		return nil, q.counted(TooMany, len(all))
	}
	return all, WhyNot{}
}

// AllMarked reports whether all options among the rows are marked.
func (q *Question) AllMarked() bool {
	ids := q.among(nil)
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !q.Marked(id) })
}

// Write puts the person's own words down. Where they are one of the rows of a radio they become the answer.
func (q *Question) Write(words string) {
	q.shared.put(&q.reply.Text, words)
	if q.Radio() && q.TakesText() && !queue.Blank(words) {
		q.toWords()
		q.reply.Selected = nil
	}
}

// toWords puts the cursor, and with it a radio's dot, on the row of own words, which is the last.
func (q *Question) toWords() {
	q.put(len(q.shown) - 1)
	q.followDot()
}

// Note puts a note on an option; an empty one takes it away.
func (q *Question) Note(id, text string) {
	note := q.reply.Notes[id]
	q.shared.put(&note, text)
	q.reply.Notes[id] = note
}

// MayNote says why no note is taken on an option here. Begin asks it for a note that is typed; Note does not ask.
func (q *Question) MayNote() WhyNot {
	switch {
	case q.Annotate:
		return WhyNot{}
	case q.shared.notesTurnedOff():
		return because(NotesOffInSettings)
	}
	return because(NotesOff)
}

// set marks exactly these ids, in the order of the options.
func (q *Question) set(ids []string) {
	q.reply.Selected = nil
	for _, o := range q.Options {
		if slices.Contains(ids, o.ID) {
			q.reply.Selected = append(q.reply.Selected, o.ID)
		}
	}
	q.armed, q.shared.changed = false, true
}

// among returns the ids of the options among the rows, of those that fit.
func (q *Question) among(fits func(queue.Option) bool) []string {
	var ids []string
	for _, i := range q.shown {
		if i != OwnWords && (fits == nil || fits(q.Options[i])) {
			ids = append(ids, q.Options[i].ID)
		}
	}
	return ids
}

// withUnseen adds the marked options that are not among the rows: a hidden default stays selected.
func (q *Question) withUnseen(ids []string) []string {
	rows := q.among(nil)
	unseen := slices.DeleteFunc(q.Selected(), func(id string) bool { return slices.Contains(rows, id) })
	return append(ids, unseen...)
}

func (q *Question) counted(r Reason, have int) WhyNot {
	return WhyNot{Reason: r, Have: have, Least: q.Min, Most: q.Max, Of: len(q.Options)}
}
