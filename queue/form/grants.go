package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// grants reports whether the approval has rows of its own beside its decisions, such as the paths that are asked for.
// What is marked of them is what is allowed. Either nothing is marked, or a refusal alone, or one decision that allows
// and at least one row: a mark brings with it what it needs.
func (q *Question) grants() bool { return q.shared.approves && q.Mode == queue.ModeMulti }

// markGrant marks a row or a decision.
func (q *Question) markGrant(id string) {
	o, _ := q.Option(id)
	rows, decision := q.granted()
	switch {
	case o.Act == queue.ActRefuse:
		rows, decision = nil, id
	case o.Act != "" && len(rows) == 0:
		rows, decision = q.acting(""), id
	case o.Act != "":
		decision = id
	default:
		if d, _ := q.Option(decision); d.Act == "" || d.Act == queue.ActRefuse {
			decision = slices.Concat(q.acting(queue.ActOnce), q.acting(queue.ActSession), []string{decision})[0]
		}
		rows = append(rows, id)
	}
	q.set(append(rows, decision))
}

// unmarkGrant takes the mark of a row away. Without a row nothing is decided, and without a decision no row is marked.
func (q *Question) unmarkGrant(id string) {
	rows, decision := q.granted()
	rows = slices.DeleteFunc(rows, func(marked string) bool { return marked == id })
	if id == decision || len(rows) == 0 {
		q.set(nil)
		return
	}
	q.set(append(rows, decision))
}

// chooseGrants marks exactly these; a refusal stands alone, and there is one decision.
func (q *Question) chooseGrants(ids []string) WhyNot {
	decisions := 0
	for _, id := range ids {
		o, _ := q.Option(id)
		if o.Act != "" {
			decisions++
		}
		if decisions > 1 || o.Act == queue.ActRefuse && len(ids) > 1 {
			return because(OneAnswerOnly)
		}
	}
	q.set(nil)
	for _, id := range ids {
		q.markGrant(id)
	}
	return WhyNot{}
}

// granted is what is marked: the rows, and the decision; empty: there is none.
func (q *Question) granted() (rows []string, decision string) {
	for _, id := range q.reply.Selected {
		if o, _ := q.Option(id); o.Act != "" {
			decision = id
		} else {
			rows = append(rows, id)
		}
	}
	return rows, decision
}

// acting are the options that do this at the agent; empty: that only say what is allowed.
func (q *Question) acting(act string) (ids []string) {
	for _, o := range q.Options {
		if o.Act == act {
			ids = append(ids, o.ID)
		}
	}
	return ids
}
