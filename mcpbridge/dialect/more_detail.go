package dialect

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
)

// moreDetail tells the model, in sentences, that the person wants to know more before deciding; "" unless they
// cancelled for that reason.
func moreDetail(s queue.Session) string {
	if s.Outcome.ReasonCode != queue.ReasonMoreDetail {
		return ""
	}
	about := ""
	if v, _ := queue.VisibleLine(s.Outcome.Reason); !queue.Blank(v) {
		about = fmt.Sprintf(": “%s”", v)
	}
	return "The person wants more detail before deciding" + about + ". Ask again with it."
}

// undecided says why there is no answer. It follows the first words of a format.
func undecided(s queue.Session) string {
	if said := moreDetail(s) + putOff(s); said != "" {
		return said
	}
	return s.Summary() + "."
}
