package dialect

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Statuses of the formats that have no words of their own for a session's state. A session that ended without an answer
// reports its outcome's status.
const (
	statusAnswered = "answered"
	statusWaiting  = "pending"
	statusError    = "error"
)

// waitOn is "still waiting" as a sentence: how long the person has, what opens the question, and how to go on.
func waitOn(s queue.Session, d Delivery) string {
	again := fmt.Sprintf(`call poll_selection with {"session_id": %q} to wait on; do not choose yourself`, s.ID)
	said := "No answer yet" + left(s, d.Now)
	switch {
	case s.Attached != nil:
		said += ", its form was opened in a terminal"
	case d.Page != "":
		said += onPage(d) + ", then " + again
		again = ""
	case d.Attach != "":
		said += fmt.Sprintf(": run `%s` in a terminal to put the question on screen (it works once), then %s",
			d.Attach, again)
		again = ""
	}
	if again != "" {
		said += ": " + again
	}
	if d.Joined != "" {
		said += " (" + d.Joined + ")"
	}
	return said
}

// onPage says where on the web the question is open, as part of a sentence.
func onPage(d Delivery) string {
	if d.Opened {
		return ": it is open in their browser. Wait for them"
	}
	return ": give them the link `" + d.Page + "`, which opens this question alone"
}

// adviceLines returns the findings about an ask, and the fields to call by another name, as the last lines of a text.
func adviceLines(advice, deprecated []string) string {
	var b strings.Builder
	if len(deprecated) > 0 {
		b.WriteString("\nDeprecated: " + strings.Join(deprecated, "; "))
	}
	if len(advice) > 0 {
		b.WriteString("\nAdvice for your next question: " + strings.Join(advice, "; "))
	}
	return b.String()
}
