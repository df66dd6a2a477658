package panes

import (
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// Hidden are the ids of the options that the settings hide in a session, by the id of their question.
type Hidden map[string]map[string]bool

// In reports whether an option of a question is hidden.
func (h Hidden) In(q queue.Question, id string) bool { return h[q.ID][id] }

// HiddenIn is what the settings hide in a session. Never in approvals and confirmations, never all options of a
// question, and never so many that its minimum cannot be met.
func HiddenIn(s queue.Session, list []config.HiddenOption) Hidden {
	hidden := Hidden{}
	if s.Ask.Confirm || s.Ask.Kind == queue.KindApproval {
		return hidden
	}
	for _, q := range s.Ask.Questions {
		if ids := hiddenOf(q, s.Origin.Client, list); len(ids) > 0 {
			hidden[q.ID] = ids
		}
	}
	return hidden
}

func hiddenOf(q queue.Question, client string, list []config.HiddenOption) map[string]bool {
	ids := map[string]bool{}
	for _, h := range list {
		if h.Client != client {
			continue
		}
		for _, o := range q.Options {
			if o.ID == h.ID && o.Label == h.Label && (ids[o.ID] || mayHide(q, len(ids))) {
				ids[o.ID] = true
			}
		}
	}
	return ids
}

// mayHide reports whether one more option than the hidden ones may be hidden.
func mayHide(q queue.Question, hidden int) bool {
	return len(q.Options)-hidden-1 >= max(q.Min, 1)
}
