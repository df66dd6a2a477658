package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// HiddenOption is an option that a person never wants to see again: of one client, by id and label. All three must
// match exactly.
type HiddenOption struct{ Client, ID, Label string }

// Hidden are the ids of the options that are hidden in a session, by the id of their question.
type Hidden map[string]map[string]bool

// In reports whether an option of a question is hidden.
func (h Hidden) In(q queue.Question, id string) bool { return h[q.ID][id] }

// HiddenIn returns the options of a person's list that are hidden in a session. It never hides anything in approvals
// and confirmations, all options of a question, or so many that a question's minimum cannot be met.
func HiddenIn(s queue.Session, list []HiddenOption) Hidden {
	hidden := Hidden{}
	if neverHides(s.Ask) {
		return hidden
	}
	for _, q := range s.Ask.Questions {
		if ids := hiddenOf(q, s.Origin.Client, list); len(ids) > 0 {
			hidden[q.ID] = ids
		}
	}
	return hidden
}

func neverHides(a queue.Ask) bool { return a.Confirm || a.Kind == queue.KindApproval }

func hiddenOf(q queue.Question, client string, list []HiddenOption) map[string]bool {
	ids := map[string]bool{}
	for _, h := range list {
		if h.Client != client {
			continue
		}
		for _, o := range q.Options {
			if o.ID == h.ID && o.Label == h.Label && (ids[o.ID] || mayHideAnother(q, len(ids))) {
				ids[o.ID] = true
			}
		}
	}
	return ids
}

// mayHideAnother reports whether one more option than the hidden ones may be hidden.
func mayHideAnother(q queue.Question, hidden int) bool {
	return len(q.Options)-hidden-1 >= max(q.Min, 1)
}

// IsHidden reports whether an option is one of the hidden ones, shown for now or not.
func (q *Question) IsHidden(id string) bool { return q.shared.rules.Hidden.In(q.Question, id) }

// Folded reports whether a hidden option has no row. The default of a radio keeps its row, or nobody would see what
// is chosen; so does what was chosen here when it was hidden, as hiding is for later questions.
func (q *Question) Folded(id string) bool {
	radioDefault := q.Radio() && slices.Contains(q.Defaults, id)
	return q.IsHidden(id) && !q.shared.showHidden && !radioDefault && !slices.Contains(q.kept, id)
}

// keepChosen keeps the rows of chosen options that the rules now hide.
func (q *Question) keepChosen(before Rules) {
	for _, id := range q.reply.Selected {
		if q.IsHidden(id) && !before.Hidden.In(q.Question, id) && !slices.Contains(q.kept, id) {
			q.kept = append(q.kept, id)
		}
	}
}

// HiddenRows counts the options that have no row because they are hidden.
func (q *Question) HiddenRows() int {
	n := 0
	for _, o := range q.Options {
		if q.Folded(o.ID) {
			n++
		}
	}
	return n
}

// HiddenMarks counts the marked options that are hidden from view: they are still sent.
func (q *Question) HiddenMarks() int {
	n := 0
	for _, id := range q.reply.Selected {
		if q.IsHidden(id) && !q.shared.showHidden && !slices.Contains(q.kept, id) {
			n++
		}
	}
	return n
}

// MayHide returns the option of this number, counted from 1 over all options, else with 0 the one under the cursor, and
// why it may not be hidden from now on. One that is hidden may always be shown again.
func (q *Question) MayHide(n int) (o queue.Option, why WhyNot) {
	ok := n >= 1 && n <= len(q.Options)
	switch {
	case n == 0:
		o, ok = q.Current()
		why = because(NothingHere)
	case ok:
		o = q.Options[n-1]
	default:
		return o, WhyNot{Reason: NoSuchOption, Have: n, Of: len(q.Options)}
	}
	switch {
	case q.shared.neverHides:
		return o, because(NeverHiddenHere)
	case !ok:
		return o, why
	case q.IsHidden(o.ID):
	case !mayHideAnother(q.Question, len(q.shared.rules.Hidden[q.ID])):
		return o, because(LastOptions)
	}
	return o, WhyNot{}
}
