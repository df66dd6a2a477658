package dialect

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
)

// moreDetail is what the model is told where the person wants to know more before deciding, as sentences; empty: they
// cancelled for another reason, or not at all.
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

// undecided is why there is no answer, behind the words that a format begins with.
func undecided(s queue.Session) string {
	if said := moreDetail(s) + putOff(s); said != "" {
		return said
	}
	return s.Summary() + "."
}
