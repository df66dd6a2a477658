package form

import (
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// granting computes the marks of an approval that has rows, such as the requested paths, beside its decisions. The
// marked rows are allowed. Valid marks are: none, a refusal alone, or one allowing decision with at least one row.
// Marking one of them adds the marks that it needs.
type granting struct {
	question queue.Question
	marked   []string
}

// withMark returns the marks after a row or a decision is marked too.
func (g granting) withMark(id string) []string {
	o, _ := g.question.Option(id)
	rows, decision := g.splitMarks()
	switch {
	case o.Act == queue.ActRefuse:
		return []string{id}
	case o.Act != "" && len(rows) == 0:
		return append(g.optionsWithAct(""), id)
	case o.Act != "":
		return append(rows, id)
	}
	if d, _ := g.question.Option(decision); d.Act == "" || d.Act == queue.ActRefuse {
		allows := append(g.optionsWithAct(queue.ActOnce), g.optionsWithAct(queue.ActSession)...)
		decision = append(allows, decision)[0]
	}
	return append(rows, id, decision)
}

// withoutMark returns the marks after one is removed. Without a row or without a decision nothing stays marked.
func (g granting) withoutMark(id string) []string {
	rows, decision := g.splitMarks()
	rows = slices.DeleteFunc(rows, func(marked string) bool { return marked == id })
	if id == decision || len(rows) == 0 {
		return nil
	}
	return append(rows, decision)
}

// exactMarks returns the marks if the person names all of these ids at once. A refusal must be alone, and there may be
// only one decision.
func (g granting) exactMarks(ids []string) ([]string, WhyNot) {
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
		g.marked = g.withMark(id)
	}
	return g.marked, WhyNot{}
}

// splitMarks returns the marked rows and the marked decision, which is empty if none is marked.
func (g granting) splitMarks() (rows []string, decision string) {
	for _, id := range g.marked {
		if o, _ := g.question.Option(id); o.Act != "" {
			decision = id
		} else {
			rows = append(rows, id)
		}
	}
	return rows, decision
}

// optionsWithAct returns the options with this act. An empty act returns the rows.
func (g granting) optionsWithAct(act string) (ids []string) {
	for _, o := range g.question.Options {
		if o.Act == act {
			ids = append(ids, o.ID)
		}
	}
	return ids
}
