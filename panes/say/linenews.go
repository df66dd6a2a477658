package say

import (
	"github.com/choicetui/choicetui/queue"
)

// News that lines tell on their own.

// ClosedLine says how a question ended that was not ended here.
func ClosedLine(s queue.Session) string {
	return "Closed: " + ShortQuoted(Title(s.Ask), 100) + " " + Ending(s) + "."
}

// SentLine says what was sent or cancelled here, and to which agent.
func SentLine(s queue.Session, agent string) string {
	if s.Outcome.WantsDetail() {
		return Capital(askedDetail) + " on " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	if e := s.Outcome.Ending(); !e.Answered {
		return Capital(e.Word) + " " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	return "Sent: " + Heard(s.Summary()) + " to " + agent + "."
}
