package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// HiddenOption is an option that the person never wants to see again. It is matched exactly, by client, id and label.
type HiddenOption struct{ Client, ID, Label string }

// Hidden is the set of hidden options of a session: question id → option id → true.
type Hidden map[string]map[string]bool

// In reports whether an option of a question is hidden.
func (h Hidden) In(q queue.Question, id string) bool { return h[q.ID][id] }

// HiddenIn returns the options of the person's list that are hidden in a session. It hides nothing in approvals and
// confirmations, and in a question never so many that its minimum cannot be met, or all of them.
func HiddenIn(s queue.Session, list []HiddenOption) Hidden {
	hidden := Hidden{}
	if neverHides(s.Ask) {
		return hidden
	}
	for _, q := range s.Ask.Questions {
		if ids := hiddenIDs(q, s.Origin.Client, list); len(ids) > 0 {
			hidden[q.ID] = ids
		}
	}
	return hidden
}

// neverHides reports whether all options of an ask are always shown, because each may matter for a decision.
func neverHides(a queue.Ask) bool { return a.Confirm || a.Kind == queue.KindApproval }

// hiddenIDs returns the ids of the options of one question that are hidden.
func hiddenIDs(q queue.Question, client string, list []HiddenOption) map[string]bool {
	ids := map[string]bool{}
	hide := func(recommended bool) {
		for _, o := range q.Options {
			listed := slices.ContainsFunc(list, func(h HiddenOption) bool {
				return h.Client == client && h.ID == o.ID && h.Label == o.Label
			})
			if listed && o.Recommended == recommended && mayHideAnother(q, len(ids)) {
				ids[o.ID] = true
			}
		}
	}
	hide(false)
	hide(true) // what is recommended is the last to go
	return ids
}

// mayHideAnother reports whether one more option may be hidden beside that many hidden ones.
func mayHideAnother(q queue.Question, hidden int) bool {
	return len(q.Options)-hidden-1 >= max(q.Min, 1)
}

// IsHidden reports whether an option is on the person's list of hidden options, even if it is shown for now.
func (q *Question) IsHidden(id string) bool { return q.shared.rules.Hidden.In(q.Question, id) }

// Folded reports whether a hidden option has no row. A radio's default keeps its row, because the person must see the
// present choice. So does an option that was chosen when it was hidden: hiding it is for later questions.
func (q *Question) Folded(id string) bool {
	radioDefault := q.Radio() && slices.Contains(q.Defaults, id)
	return q.IsHidden(id) && !q.shared.showHidden && !radioDefault && !slices.Contains(q.kept, id)
}

// keepChosen keeps the rows of chosen options that the present rules hide and the earlier rules did not.
func (q *Question) keepChosen(before Rules) {
	for _, id := range q.reply.Selected {
		if q.IsHidden(id) && !before.Hidden.In(q.Question, id) && !slices.Contains(q.kept, id) {
			q.kept = append(q.kept, id)
		}
	}
}

// HiddenRows counts the hidden options that have no row.
func (q *Question) HiddenRows() int {
	n := 0
	for _, o := range q.Options {
		if q.Folded(o.ID) {
			n++
		}
	}
	return n
}

// HiddenMarks counts the marked options that the person does not see. They are sent all the same.
func (q *Question) HiddenMarks() int {
	n := 0
	for _, id := range q.reply.Selected {
		if q.IsHidden(id) && !q.shared.showHidden && !slices.Contains(q.kept, id) {
			n++
		}
	}
	return n
}

// ToHide returns option n, counted from 1 over all options, or with n = 0 the option under the cursor. why tells the
// reason if the option may not be hidden. A hidden option may always be shown again.
func (q *Question) ToHide(n int) (o queue.Option, why WhyNot) {
	found := true
	switch {
	case n == 0:
		o, found = q.Current()
	case n < 1 || n > len(q.Options):
		return o, WhyNot{Reason: NoSuchOption, Have: n, Of: len(q.Options)}
	default:
		o = q.Options[n-1]
	}
	switch {
	case q.shared.neverHides:
		return o, because(NeverHiddenHere)
	case !found:
		return o, because(NothingHere)
	case q.IsHidden(o.ID):
	case !mayHideAnother(q.Question, len(q.shared.rules.Hidden[q.ID])):
		return o, because(LastOptions)
	}
	return o, WhyNot{}
}
