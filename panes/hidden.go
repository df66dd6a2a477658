package panes

import (
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// HiddenIn is the set of option ids that the settings hide in a session. Never in approvals and confirmations, never
// all, and never so many that the minimum cannot be met.
func HiddenIn(s queue.Session, list []config.HiddenOption) map[string]bool {
	hidden := map[string]bool{}
	if s.Ask.Confirm || s.Ask.Kind == queue.KindApproval || len(s.Ask.Questions) != 1 {
		return hidden
	}
	q := s.Ask.Questions[0]
	for _, h := range list {
		if h.Client != s.Origin.Client {
			continue
		}
		for _, o := range q.Options {
			if o.ID == h.ID && o.Label == h.Label && len(q.Options)-len(hidden)-1 >= max(q.Min, 1) {
				hidden[o.ID] = true
			}
		}
	}
	return hidden
}
