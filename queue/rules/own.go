package rules

import "github.com/choicetui/choicetui/queue"

// Own returns the option by which an agent keeps a rule of its own that covers what a session asks to be allowed and
// nothing more; false: it offers none. What no rule of the person's may cover, none of the agent's does either. Where
// an agent offers several, the one that ends with its session is taken.
func Own(s queue.Session) (own queue.Option, ok bool) {
	if s.Outcome != nil || May(s) != nil || s.Ask.Approval.Parts[0].Kind != queue.PartCommand {
		return own, false
	}
	for _, o := range s.Ask.Questions[0].Options {
		lasts := o.Act == queue.ActSession || o.Act == queue.ActAlways
		if o.Exact && lasts && (!ok || own.Act == queue.ActAlways && o.Act == queue.ActSession) {
			own, ok = o, true
		}
	}
	return own, ok
}
