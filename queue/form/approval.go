package form

import "github.com/choicetui/choicetui/queue"

// approves reports whether an ask is an approval that is decided by one choice among its agent's, also where the person
// may take some of the rows that are asked for and leave others. What else is asked for by an approval is answered as a
// question is.
func approves(a queue.Ask) bool {
	return a.Kind == queue.KindApproval && len(a.Questions) == 1 &&
		(a.Questions[0].Mode == queue.ModeSingle || a.Grants())
}
