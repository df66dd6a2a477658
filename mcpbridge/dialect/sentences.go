package dialect

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// The statuses of formats that have no words of their own for the state of a session. If a session ended without an
// answer, its result has the status of the outcome.
const (
	statusAnswered = "answered"
	statusWaiting  = "pending"
	statusError    = "error"
)

// sessionFields holds fields of the structured content that formats with a status have in common. They follow the
// answer.
type sessionFields struct {
	SessionID string   `json:"session_id"`
	SettledBy string   `json:"settled_by,omitempty"`
	Person    string   `json:"person,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	Code      string   `json:"reason_code,omitempty"`
	Message   string   `json:"message,omitempty"`
	Note      string   `json:"note,omitempty"` // why an earlier ask is continued, from Delivery.Joined
	Advice    []string `json:"advice,omitempty"`

	Discussion *summarization    `json:"summarization_request,omitempty"`
	Team       *queue.Resolution `json:"team,omitempty"`
}

// sessionFieldsOf returns the fields of a session. It leaves Message and Discussion to the format.
func sessionFieldsOf(s queue.Session, d Delivery) sessionFields {
	f := sessionFields{SessionID: s.ID, Note: d.Joined}
	if o := s.Outcome; o != nil {
		f.SettledBy, f.Person, f.Reason, f.Team = o.By, o.Person, o.Reason, o.Team
		f.Advice = Advise(s.Origin.Dialect, s.Ask)
		if !o.Answered() {
			f.Code = o.ReasonCode
		}
	}
	return f
}

// waitingResult returns the result of a session without an outcome. structured returns the structured content with a
// message and a discussion; nil: there is no discussion. A discussion comes with a message of its own.
func waitingResult(
	s queue.Session, d Delivery, message string, structured func(string, *summarization) json.RawMessage,
) Result {
	if m := summarizationOf(s, d); m != nil {
		return Result{Text: m.text(structured(m.sentence(), m.inText())), Structured: structured(m.sentence(), m)}
	}
	raw := structured(message, nil)
	return Result{Text: message + "\n" + string(raw), Structured: raw}
}

// waitingText returns "still waiting" as a sentence, with the time that is left, the way to open the question, and the
// next call.
func waitingText(s queue.Session, d Delivery) string {
	again := fmt.Sprintf(`call poll_selection with {"session_id": %q} to keep waiting; do not choose yourself`, s.ID)
	said := "No answer yet" + timeLeft(s, d.Now)
	switch {
	case s.Attached != nil:
		said += ", its form was opened in a terminal"
	case d.Page != "":
		said += pageText(d) + ", then " + again
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

// pageText returns the part of a sentence that says where on the web the question can be answered.
func pageText(d Delivery) string {
	if d.Opened {
		return ": it is open in their browser. Wait for them"
	}
	return ": give them the link `" + d.Page + "`, which opens this question alone"
}

// adviceLines returns the last lines of a text: the deprecated fields of a request, and the advice on its ask.
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

// timeLeft returns the part of a sentence that gives the time left for an answer.
func timeLeft(s queue.Session, now time.Time) string {
	if s.Deadline.IsZero() {
		return withTeamText(s)
	}
	return fmt.Sprintf(", %s left", max(s.Deadline.Sub(now), 0).Round(time.Second))
}

// withTeamText returns the part of a sentence that says that the team was asked; "" if it was not.
func withTeamText(s queue.Session) string {
	if s.Widen == nil {
		return ""
	}
	return ", the person has asked their team and no clock runs"
}

// deferredText returns sentences that tell the model that the person decides later; "" if the question ended otherwise.
func deferredText(s queue.Session) string {
	o := s.Outcome
	if o.Status != queue.StatusDeferred {
		return ""
	}
	said := ""
	if o.Team != nil && !queue.Blank(o.Team.Summary.Text) {
		said = " Their team has said so far" + quotedAfter(o.Team.Summary.Text)
	}
	return "The person decides this later." + reasonText(o.Reason) + said +
		" Leave it open and continue with work that does not depend on it; do not ask the same again now."
}

// moreDetailText returns sentences that tell the model that the person needs more detail to decide; "" if the question
// ended otherwise.
func moreDetailText(s queue.Session) string {
	if s.Outcome.ReasonCode != queue.ReasonMoreDetail {
		return ""
	}
	about := ""
	if v, _ := queue.VisibleLine(s.Outcome.Reason); !queue.Blank(v) {
		about = fmt.Sprintf(": “%s”", v)
	}
	return "The person wants more detail before deciding" + about + ". Ask again with it."
}

// undecidedText returns the reason why there is no answer, as the end of a sentence.
func undecidedText(s queue.Session) string {
	if said := moreDetailText(s) + deferredText(s); said != "" {
		return said
	}
	return s.Summary() + "."
}
