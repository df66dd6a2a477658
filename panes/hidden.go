package panes

import (
	"slices"

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

// IsHidden reports whether the settings hide an option of the question on screen.
func (f *Form) IsHidden(id string) bool { return f.Hidden.In(f.q(), id) }

// hides reports whether a hidden option has no row. The default of a radio keeps its own, or nobody would see what is
// chosen.
func (f *Form) hides(o queue.Option) bool {
	return f.IsHidden(o.ID) && !f.showHidden && !(f.Radio() && slices.Contains(f.q().Defaults, o.ID))
}

// HiddenRows is how many options have no row because they are hidden.
func (f *Form) HiddenRows() int {
	n := 0
	for _, o := range f.q().Options {
		if f.hides(o) {
			n++
		}
	}
	return n
}

// ShowHidden shows or folds the hidden options, keeping the cursor on its option.
func (f *Form) ShowHidden() {
	if len(f.Hidden[f.q().ID]) == 0 {
		f.Note = "no option is hidden here"
		return
	}
	f.showHidden = !f.showHidden
	f.relist()
}

// MayHide reports whether the option under the cursor may be hidden from now on, and says why not: never the last
// visible option, never below the minimum, never in confirmations and approvals.
func (f *Form) MayHide() (queue.Option, bool) {
	o, ok := f.current()
	switch {
	case !ok:
		f.Note = "move to the option first"
	case f.Session.Ask.Confirm || f.Session.Ask.Kind == queue.KindApproval:
		f.Note = "nothing is hidden in an approval"
	case f.IsHidden(o.ID):
		return o, true
	case !mayHide(f.q(), len(f.Hidden[f.q().ID])):
		f.Note = "the last options an answer needs are never hidden"
	default:
		return o, true
	}
	return o, false
}

// SetHidden replaces the set of hidden options, as the settings change. The questions that are not on screen follow
// when they come there.
func (f *Form) SetHidden(hidden Hidden) {
	if f.Hidden = hidden; !f.Reviewing() {
		f.relist()
	}
}
