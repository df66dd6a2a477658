package form

import "github.com/choicetui/choicetui/queue"

// approves reports whether an ask is an approval that is decided by one choice among its agent's. What else is asked
// for by an approval, such as which of several paths, is answered as a question is.
func approves(a queue.Ask) bool {
	return a.Kind == queue.KindApproval && len(a.Questions) == 1 && a.Questions[0].Mode == queue.ModeSingle
}
