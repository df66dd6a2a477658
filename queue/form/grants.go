package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// granting holds the marks of an approval that has rows beside its decisions, such as the paths that are asked for. The
// marked rows are allowed. Either nothing is marked, or a refusal alone, or one decision that allows and at least one
// row: a mark brings with it what it needs.
type granting struct {
	question queue.Question
	marked   []string
}

// with returns the marks once a row or a decision is marked too.
func (g granting) with(id string) []string {
	o, _ := g.question.Option(id)
	rows, decision := g.split()
	switch {
	case o.Act == queue.ActRefuse:
		return []string{id}
	case o.Act != "" && len(rows) == 0:
		return append(g.acting(""), id)
	case o.Act != "":
		return append(rows, id)
	}
	if d, _ := g.question.Option(decision); d.Act == "" || d.Act == queue.ActRefuse {
		allows := append(g.acting(queue.ActOnce), g.acting(queue.ActSession)...)
		decision = append(allows, decision)[0]
	}
	return append(rows, id, decision)
}

// without returns the marks once one is taken away. Without a row nothing is decided, and without a decision no row is
// marked.
func (g granting) without(id string) []string {
	rows, decision := g.split()
	rows = slices.DeleteFunc(rows, func(marked string) bool { return marked == id })
	if id == decision || len(rows) == 0 {
		return nil
	}
	return append(rows, decision)
}

// exactly returns the marks after these ids were named together; a refusal must be alone, and there is only one
// decision.
func (g granting) exactly(ids []string) ([]string, WhyNot) {
	decisions := 0
	g.marked = nil
	for _, id := range ids {
		o, _ := g.question.Option(id)
		if o.Act != "" {
			decisions++
		}
		if decisions > 1 || o.Act == queue.ActRefuse && len(ids) > 1 {
			return nil, because(OneAnswerOnly)
		}
		g.marked = g.with(id)
	}
	return g.marked, WhyNot{}
}

// split returns the marked rows, and the decision; empty: none is marked.
func (g granting) split() (rows []string, decision string) {
	for _, id := range g.marked {
		if o, _ := g.question.Option(id); o.Act != "" {
			decision = id
		} else {
			rows = append(rows, id)
		}
	}
	return rows, decision
}

// acting returns the options with this act; with an empty act it returns the rows, which do nothing on their own.
func (g granting) acting(act string) (ids []string) {
	for _, o := range g.question.Options {
		if o.Act == act {
			ids = append(ids, o.ID)
		}
	}
	return ids
}
